"""Lists of runs and trends, asked for through the use cases."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from agents_eval_core.data_root import DataRoot
from agents_eval_core.run import RunRecord
from agents_eval_core.score import Score, Scorecard
from agents_eval_core.store.sqlite import SqliteStore
from agents_eval_core.use_cases.run_list import list_runs, metric_trend, run_choices, scored_metrics

BEGUN = datetime(2026, 1, 2, tzinfo=UTC)


def keep(root: DataRoot, values: list[float], versions: list[str]) -> None:
    store = SqliteStore(root.database)
    for number, (value, version) in enumerate(zip(values, versions, strict=True)):
        record = RunRecord(
            id=f"r{number:02}",
            directory="d",
            status="complete",
            engine="mas",
            composition="manager",
            created_at=BEGUN + timedelta(hours=number),
        )
        score = Score(name="task_success", value=value, evaluator="e", version=version, tier=1)
        none = {"composite": value, "coverage": 1, "bounds": None, "verdict": None, "verdict_range": None}
        store.finish(record, None, Scorecard.model_validate({"run_id": record.id, "scores": (score,), **none}))
    store.close()


def test_where_nothing_was_kept_nothing_is_made(tmp_path: Path) -> None:
    root = DataRoot(path=tmp_path / "root")
    assert list_runs(root).total == 0
    assert run_choices(root)["engine"] == ()
    assert scored_metrics(root) == ()
    assert metric_trend("composite", root).mean is None
    assert not root.path.exists()


def test_a_shift_of_level_is_marked_at_its_first_run(tmp_path: Path) -> None:
    root = DataRoot(path=tmp_path)
    values = [0.30, 0.32, 0.29, 0.31, 0.33, 0.30, 0.28, 0.31, 0.70, 0.72, 0.69, 0.71, 0.68, 0.70, 0.73, 0.71]
    keep(root, values, ["1"] * len(values))
    trend = metric_trend("task_success", root)
    assert [(change.kind, change.run) for change in trend.changes] == [("level", "r08")]
    assert trend.changes[0].sentence.startswith("from 0.30 to 0.70 on average")
    assert trend.runs == 16
    assert trend.differ_in == ()


def test_another_version_of_the_evaluator_is_marked_as_another_measure(tmp_path: Path) -> None:
    root = DataRoot(path=tmp_path)
    keep(root, [0.5, 0.5, 0.5], ["1", "1", "2"])
    (change,) = metric_trend("task_success", root).changes
    assert (change.kind, change.run, change.p) == ("version", "r02", None)
    assert "version 2" in change.sentence


def test_the_composite_comes_first_of_what_can_be_looked_at(tmp_path: Path) -> None:
    root = DataRoot(path=tmp_path)
    keep(root, [0.5], ["1"])
    assert scored_metrics(root) == ("composite", "task_success")
