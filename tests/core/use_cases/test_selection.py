from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from agents_eval_core import registry
from agents_eval_core.case import Case
from agents_eval_core.data_root import DataRoot
from agents_eval_core.errors import UnknownNameError, UnreadableError, UsageError
from agents_eval_core.paper import Paper
from agents_eval_core.run import Run, RunRecord, System
from agents_eval_core.store.run_directory import RunDirectory
from agents_eval_core.use_cases.selection import compositions_of, record_of, select_runs

FULL = "manager+researcher+analyst+synthesizer"
BEGUN = datetime(2026, 1, 2, tzinfo=UTC)


@pytest.fixture
def root(tmp_path: Path) -> DataRoot:
    """Return a data root that is not there yet."""
    return DataRoot(path=tmp_path / "kept")


@pytest.fixture
def keep(root: DataRoot) -> Callable[..., RunRecord]:
    """Return what keeps a record in the store."""

    def keep_record(run_id: str, composition: str = "manager", **changes: Any) -> RunRecord:
        given: dict[str, Any] = {
            "directory": f"runs/{run_id}",
            "status": "complete",
            "engine": "mas",
            "created_at": BEGUN,
        }
        record = RunRecord(id=run_id, composition=composition, **(given | changes))
        store = registry.store("sqlite", root.database)
        store.finish(record, None, None)
        store.close()
        return record

    return keep_record


def _a_run(**changes: Any) -> Run:
    given: dict[str, Any] = {
        "id": "20260102-0a1b2c3d",
        "status": "complete",
        "case": Case(id="c1", paper=Paper(id="p1", dataset="sample", title="T")),
        "system": System(engine="mas", composition=FULL, provider="offline", model="offline-baseline"),
        "created_at": BEGUN,
    }
    return Run(**(given | changes))


def test_a_run_is_named_by_its_id_or_the_beginning_of_it(root: DataRoot, keep: Callable[..., RunRecord]) -> None:
    first, second = keep("2026-aa"), keep("2026-ab")
    assert select_runs("2026-aa", root) == (first,)
    assert select_runs("2026-ab", root) == select_runs(" 2026-ab".strip(), root) == (second,)
    longer = keep("2026-aa1")
    assert select_runs("2026-aa", root) == (first,)  # a whole id wins
    assert select_runs("2026-aa1", root) == (longer,)


def test_a_beginning_of_several_ids_is_refused_with_those_ids(root: DataRoot, keep: Callable[..., RunRecord]) -> None:
    for number in range(7):
        keep(f"2026-{number}", created_at=BEGUN + timedelta(days=number))
    with pytest.raises(UsageError, match=r"'2026' is the beginning of 7 run ids \(2026-6, .*2026-2, …\); give more"):
        select_runs("2026", root)


def test_a_query_takes_all_that_match_every_part_newest_first(root: DataRoot, keep: Callable[..., RunRecord]) -> None:
    old = keep("a", FULL, paper="p", created_at=BEGUN)
    new = keep("b", FULL, paper="p", created_at=BEGUN + timedelta(days=1))
    other = keep("c", "manager", paper="p", model="m")
    assert select_runs("engine=mas,composition=full", root) == (new, old)
    assert select_runs("composition = synthesizer+analyst+researcher+manager, paper=p", root) == (new, old)
    assert select_runs("model=m", root) == (other,)
    assert select_runs("composition=manager", root) == (other,)


def test_a_team_with_a_critic_is_not_the_full_team(root: DataRoot, keep: Callable[..., RunRecord]) -> None:
    keep("a", FULL)
    critic = keep("b", f"{FULL}+critic")
    assert select_runs("composition=full+critic", root) == (critic,)
    assert [record.id for record in select_runs("composition=full", root)] == ["a"]


def test_a_cell_of_a_sweep_is_named_by_sweep_and_composition(root: DataRoot, keep: Callable[..., RunRecord]) -> None:
    cell = keep("a", FULL, sweep="night:1")
    keep("b", FULL, sweep="day")
    keep("c", "manager", sweep="night:1")
    assert select_runs("night:1:full", root) == (cell,)
    with pytest.raises(UsageError, match="no run matches 'night:1:analyst'"):
        select_runs("night:1:analyst", root)


@pytest.mark.parametrize(
    ("selector", "said"),
    [
        ("compositon=full", "no field of runs named 'compositon'; did you mean 'composition'?"),
        ("status=complet", "no status of runs named 'complet'; did you mean 'complete'?"),
        ("engine=", "'engine=' is no condition"),
        ("engine=mas,full", "'full' is no condition"),
        (",=,", "'=' is no condition"),
        ("engine=nobody", "no run matches 'engine=nobody'; 'agents-eval runs' lists all"),
        ("nothing", "no run answers to 'nothing'; 'agents-eval runs' lists all"),
        ("  ", "an empty selector names no run"),
        ("a\x00b", "holds a NUL character"),
        ("x" * 5000, "no run answers to"),
    ],
)
def test_a_selector_that_names_nothing_says_what_to_do(
    selector: str, said: str, root: DataRoot, keep: Callable[..., RunRecord]
) -> None:
    keep("a")
    with pytest.raises(UsageError) as refused:
        select_runs(selector, root)
    assert said in str(refused.value)


def test_an_unknown_field_is_an_unknown_name(root: DataRoot, keep: Callable[..., RunRecord]) -> None:
    keep("a")
    with pytest.raises(UnknownNameError):
        select_runs("colour=red", root)


def test_where_nothing_is_kept_nothing_is_made(root: DataRoot) -> None:
    with pytest.raises(UsageError, match=r"nothing is kept under .*kept yet; 'agents-eval quickstart'"):
        select_runs("composition=full", root)
    assert not root.path.exists()


def test_a_run_directory_needs_no_store(root: DataRoot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    directory = RunDirectory.create(tmp_path / "elsewhere", _a_run())
    directory.finish(_a_run(), {})
    expected = record_of(_a_run(), directory.path, root, None)
    assert expected.directory == str(directory.path.resolve())
    name = directory.path.name
    assert select_runs(str(directory.path), root) == (expected,)
    assert select_runs(str(directory.path / "run.json"), root) == (expected,)
    assert select_runs(f"elsewhere/{name}", root) == (expected,)
    assert select_runs(name, root, relative_to=tmp_path / "elsewhere") == (expected,)
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match=r"is not a run directory: it has no run\.json"):
        select_runs("./empty", root)
    (directory.path / "run.json").write_text("{")
    with pytest.raises(UnreadableError, match="is not valid JSON"):
        select_runs(str(directory.path), root)


def test_a_sweep_is_named_by_its_name_and_its_compositions_by_a_star(
    root: DataRoot, keep: Callable[..., RunRecord]
) -> None:
    kept = [keep("a", FULL, sweep="night:1"), keep("b", "manager", sweep="night:1")]
    keep("c", "manager", sweep="day")
    assert set(select_runs("night:1", root)) == set(kept)
    assert compositions_of("night:1:*", root) == ("night:1:manager", f"night:1:{FULL}")
    assert compositions_of("composition=full", root) == ("composition=full",)
    with pytest.raises(UsageError, match="'evening'"):
        compositions_of("evening:*", root)


def test_a_folder_of_run_directories_names_all_of_them_newest_first(root: DataRoot, tmp_path: Path) -> None:
    runs = [
        _a_run().changed(id=name, created_at=_a_run().created_at + timedelta(days=day)) for day, name in enumerate("ab")
    ]
    for run in runs:
        RunDirectory.create(tmp_path / "other" / "runs", run).finish(run, {})
    for folder in ("./other", "./other/runs"):
        assert [record.id for record in select_runs(folder, root)] == ["b", "a"]


def test_a_folder_that_is_called_like_a_run_hides_no_run(
    root: DataRoot, keep: Callable[..., RunRecord], tmp_path: Path
) -> None:
    record = keep("2026-aa")
    (tmp_path / "2026").mkdir()
    assert select_runs("2026", root) == (record,)


def test_a_record_says_where_its_directory_lies_from_the_data_root(root: DataRoot) -> None:
    record = record_of(_a_run(sweep="s", repetition=2), root.runs / "x", root, None)
    assert record == RunRecord(
        id="20260102-0a1b2c3d",
        directory="runs/x",
        status="complete",
        engine="mas",
        composition=FULL,
        provider="offline",
        model="offline-baseline",
        dataset="sample",
        paper="p1",
        sweep="s",
        repetition=2,
        created_at=BEGUN,
    )
    foreign = record_of(_a_run(case=Case(id="c9", dataset="d")), root.runs / "x", root, None)
    assert (foreign.dataset, foreign.paper) == ("d", "c9")
