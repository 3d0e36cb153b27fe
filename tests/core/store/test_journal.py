"""The journal: what a cell goes through, and what is left of it whenever a process ends."""

import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from agents_eval_core.errors import StorageError
from agents_eval_core.run import Problem
from agents_eval_core.store.journal import Entry, Journal
from agents_eval_core.work import Spent

BEGUN = datetime(2026, 1, 2, tzinfo=UTC)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "j" / "journal.sqlite") as made:
        made.reserve([("a", "first"), ("b", "second"), ("c", "third")])
        yield made


def test_cells_are_begun_in_their_order_and_end_as_done_or_failed(journal: Journal) -> None:
    first, second = journal.begin(2)
    assert (first.content, second.content, first.attempts) == ("first", "second", 1)
    problem = Problem(error_type="ModelError", message="no answer; key ghp_0123456789abcdefABCD")
    spent = Spent(seconds=2.0, tokens=7, cost_usd=0.5)
    journal.end([first.changed(state="done", run_id="r", spent=spent), second.changed(state="failed", problem=problem)])
    assert journal.counts() == {"reserved": 1, "running": 0, "done": 1, "failed": 1}
    kept = {entry.key: entry for entry in journal.entries()}
    assert (kept["a"].run_id, kept["a"].spent) == ("r", spent)
    assert kept["b"].problem == Problem(error_type="ModelError", message="no answer; key [REDACTED]")


def test_planning_the_same_cells_again_changes_nothing(journal: Journal) -> None:
    (first,) = journal.begin(1)
    journal.end([first.changed(state="done")])
    journal.reserve([("a", "first"), ("b", "second"), ("c", "third"), ("d", "fourth")])
    assert [(entry.key, entry.state) for entry in journal.entries()] == [
        ("a", "done"),
        ("b", "reserved"),
        ("c", "reserved"),
        ("d", "reserved"),
    ]


def test_what_was_running_is_given_back_and_what_was_lost_is_counted(journal: Journal) -> None:
    journal.begin(2)
    journal.begin_again(["a"])
    assert journal.give_back() == 2
    assert journal.lost() == 3
    assert [entry.attempts for entry in journal.begin(3)] == [3, 2, 1]


def test_failed_cells_stay_failed_until_they_are_asked_for(journal: Journal) -> None:
    (first,) = journal.begin(1)
    journal.end([first.changed(state="failed", problem=Problem(error_type="E", message="m"))])
    assert journal.give_back() == 0
    assert journal.counts()["failed"] == 1
    assert journal.give_back(failed=True) == 1
    assert next(journal.entries("reserved")).problem is None


def test_what_judges_took_is_kept_apart_also_in_a_journal_of_before(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.sqlite") as journal:
        journal.reserve([("a", "x")])
    old = sqlite3.connect(tmp_path / "journal.sqlite")
    for column in ("judge_tokens", "judge_usd"):
        old.execute(f"alter table cells drop column {column}")
    old.close()
    spent = Spent(seconds=1.0, tokens=5, cost_usd=None, judge_tokens=7, judge_usd=None)
    with Journal(tmp_path / "journal.sqlite") as journal:
        journal.end([entry.changed(state="done", spent=spent) for entry in journal.begin(1)])
        assert [entry.spent for entry in journal.entries("done")] == [spent]


def test_sessions_add_up_and_the_last_word_of_each_counts(journal: Journal) -> None:
    journal.worked(BEGUN, 2.0)
    journal.worked(BEGUN, 3.0)
    journal.worked(BEGUN.replace(hour=1), 4.0)
    assert journal.seconds_worked() == 7.0


def test_everything_is_there_for_the_next_process_and_more_than_a_page_is_read(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.sqlite") as journal:
        journal.reserve((f"{number:05}", "x") for number in range(2500))
    with Journal(tmp_path / "journal.sqlite") as journal:
        assert [entry.key for entry in journal.entries("reserved")] == [f"{number:05}" for number in range(2500)]


def test_each_commit_is_on_the_disk_before_it_returns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    class Watched(sqlite3.Connection):
        def execute(self, sql: str, *rest: Any) -> sqlite3.Cursor:
            asked.append(sql)
            return super().execute(sql, *rest)

    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=Watched))
    with Journal(tmp_path / "journal.sqlite") as journal:
        journal.reserve([("a", "first")])
    assert asked.index("pragma synchronous = full") < asked.index("begin immediate")


def test_a_file_that_is_no_journal_is_refused_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite").write_bytes(b"not a database at all" * 100)
    with pytest.raises(StorageError, match=r"the journal .*journal\.sqlite cannot be used"):
        Journal(tmp_path / "journal.sqlite")


def test_no_state_but_the_four_can_be_kept(journal: Journal) -> None:
    with pytest.raises(StorageError, match="CHECK constraint"):
        journal.end(
            [Entry.model_construct(key="a", content="first", state="odd", problem=None, run_id=None, spent=None)]
        )
    with sqlite3.connect(journal.path) as connection:
        assert connection.execute("select count(*) from cells where state = 'odd'").fetchone() == (0,)
    connection.close()
