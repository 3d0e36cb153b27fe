"""Lists of runs out of the database: filters, words, orders, parts, and a metric over time."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from agents_eval_core.errors import StorageError
from agents_eval_core.run import RunRecord
from agents_eval_core.run_list import RunFilter, RunOrder
from agents_eval_core.score import Score, Scorecard
from agents_eval_core.store.sqlite import SqliteStore

BEGUN = datetime(2026, 1, 2, tzinfo=UTC)
Put = Callable[..., None]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore(tmp_path / "runs.db")
    yield opened
    opened.close()


@pytest.fixture
def put(store: SqliteStore) -> Put:
    """Return a function that keeps a run, a minute after the one before."""
    number = 0

    def keep(value: float | None = None, version: str = "1", **given: Any) -> None:
        nonlocal number
        fields: dict[str, Any] = {"engine": "mas", "composition": "manager", "paper": f"p{number}", "composite": value}
        record = RunRecord(
            id=f"r{number}",
            directory="runs/x",
            status="complete",
            created_at=BEGUN + timedelta(minutes=number),
            **(fields | given),
        )
        scores = (Score(name="task_success", value=value, evaluator="e", version=version, tier=1),) if value else ()
        card = Scorecard(
            run_id=record.id,
            scores=scores,
            composite=value,
            coverage=1,
            bounds=None,
            verdict=None,
            verdict_range=None,
        )
        store.finish(record, None, card)
        number += 1

    return keep


def ids(store: SqliteStore, wanted: RunFilter | None = None, **order: Any) -> list[str]:
    return [record.id for record in store.page(wanted or RunFilter(), RunOrder(**order)).records]


def test_the_newest_come_first_a_part_at_a_time_with_how_many_there_are(store: SqliteStore, put: Put) -> None:
    for _ in range(5):
        put()
    page = store.page(RunFilter(), RunOrder(size=2, offset=2))
    assert [record.id for record in page.records] == ["r2", "r1"]
    assert page.total == 5


def test_what_has_no_value_comes_last_in_both_orders(store: SqliteStore, put: Put) -> None:
    for value in (0.5, None, 0.9):
        put(value)
    assert ids(store, by="composite") == ["r2", "r0", "r1"]
    assert ids(store, by="composite", descending=False) == ["r0", "r2", "r1"]


def test_every_value_and_every_word_must_be_there(store: SqliteStore, put: Put) -> None:
    put(paper="On Noise", model="small")
    put(paper="On Noise", model="large")
    put(paper="Silence", model="large", sweep="night")
    assert ids(store, RunFilter(having={"model": "large"})) == ["r2", "r1"]
    assert ids(store, RunFilter(having={"model": "large"}, words="noise")) == ["r1"]
    assert ids(store, RunFilter(words="LARGE night")) == ["r2"]
    assert ids(store, RunFilter(words="nobody")) == []


def test_words_are_looked_for_as_they_are(store: SqliteStore, put: Put) -> None:
    put(paper="100%_'; drop table runs; --")
    put(paper="100 of them")
    assert ids(store, RunFilter(words="100%_")) == ["r0"]
    assert ids(store, RunFilter(words="'; drop")) == ["r0"]


def test_the_values_of_a_field_are_offered_once_each(store: SqliteStore, put: Put) -> None:
    for model in ("b", "a", "b", None):
        put(model=model)
    assert store.choices("model") == ("a", "b")
    assert store.choices("sweep") == ()
    with pytest.raises(StorageError, match="not listed by"):
        store.choices("id from runs; --")  # type: ignore[arg-type]


def test_a_metric_over_time_is_that_of_the_newest_wanted_runs_oldest_first(store: SqliteStore, put: Put) -> None:
    for value, version in ((0.1, "1"), (0.2, "1"), (None, "1"), (0.4, "2")):
        put(value, version=version)
    found = store.scores_over_time("task_success", RunFilter(), 3)
    assert [(point.run, point.value, point.version) for point in found] == [("r1", 0.2, "1"), ("r3", 0.4, "2")]
    assert [point.paper for point in found] == ["p1", "p3"]
    assert [point.value for point in store.scores_over_time("composite", RunFilter(), 9)] == [0.1, 0.2, 0.4]
    assert store.metric_names(RunFilter(), 3) == ("task_success",)
