"""Batches: traces and runs in bulk, into the store."""

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from agents_eval_core import registry
from agents_eval_core.data_root import DataRoot
from agents_eval_core.errors import UnreadableError, UsageError
from agents_eval_core.run import RunRecord
from agents_eval_core.settings import Settings, load_settings
from agents_eval_core.store.run_directory import RunDirectory
from agents_eval_core.sweep import SweepPlan
from agents_eval_core.use_cases.batch import begin_batch, resume_batch
from agents_eval_core.use_cases.batch_folder import BatchFolder
from agents_eval_core.use_cases.evaluate_trace import evaluate_trace
from agents_eval_core.use_cases.sweep import begin_sweep
from agents_eval_core.work import WorkProgress


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(None, environment={}, options={"AGENTS_EVAL_HOME": tmp_path / "home"})


@pytest.fixture
def root(settings: Settings) -> DataRoot:
    return DataRoot(path=settings.home)


@pytest.fixture
def traces(tmp_path: Path) -> Path:
    """Return a file with seven conversations, one a line."""
    file = tmp_path / "traces" / "conversations.jsonl"
    file.parent.mkdir()
    lines = [json.dumps({"messages": _messages(number)}) for number in range(7)]
    file.write_text("\n".join(lines) + "\n")
    (file.parent / "notes.txt").write_text("nothing to see\n")
    return file


def _messages(number: int) -> list[dict[str, Any]]:
    call = {"id": "c", "type": "function", "function": {"name": f"tool_{number}", "arguments": "{}"}}
    return [
        {"role": "user", "content": f"Question {number}?"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "42"},
        {"role": "assistant", "content": f"Answer {number}."},
    ]


def records(root: DataRoot) -> list[RunRecord]:
    store = registry.store("sqlite", root.database)
    try:
        return list(store.records())
    finally:
        store.close()


async def test_each_trace_of_a_folder_becomes_a_run_whose_trace_stays_where_it_is(
    settings: Settings, root: DataRoot, traces: Path
) -> None:
    done = await begin_batch([str(traces.parent)], settings=settings, name="b", scheduler="asyncio")
    assert (done.counts["done"], done.counts["failed"]) == (7, 0)
    found = records(root)
    assert {record.sweep for record in found} == {"b"}
    runs = [RunDirectory.open(root.path / record.directory) for record in found]
    assert Counter(run.read_run().text for run in runs) == Counter(f"Answer {number}." for number in range(7))
    assert all(run.read_scorecard() is not None for run in runs)
    assert not list(root.runs.rglob("trace.otlp.jsonl"))
    assert BatchFolder.named("b", root).order().unread[0].startswith(f"{traces.parent / 'notes.txt'}: ")


async def test_the_scores_are_those_of_one_trace_at_a_time(settings: Settings, root: DataRoot, traces: Path) -> None:
    await begin_batch([str(traces)], settings=settings, name="b", scheduler="asyncio")
    for record in records(root):
        kept = RunDirectory.open(root.path / record.directory)
        run = kept.read_run()
        assert run.trace is not None
        alone = await evaluate_trace(traces, settings=settings, trace_id=run.trace.id)
        card = kept.read_scorecard()
        assert card is not None
        assert alone.scorecard is not None
        assert card.scores == alone.scorecard.scores


def test_a_run_whose_trace_changed_or_went_is_not_scored_from_something_else(
    settings: Settings, root: DataRoot, traces: Path
) -> None:
    asyncio.run(begin_batch([str(traces)], settings=settings, name="b", scheduler="asyncio"))
    directory = RunDirectory.open(root.path / records(root)[0].directory)
    traces.write_text(json.dumps({"messages": _messages(99)}) + "\n")
    with pytest.raises(UnreadableError, match="is no longer what it was"):
        directory.read_run()
    traces.unlink()
    with pytest.raises(UnreadableError, match="where it is no longer; put it back"):
        directory.read_run()


async def test_runs_of_ours_are_scored_in_their_place_and_keep_their_spans_and_reports(
    settings: Settings, root: DataRoot
) -> None:
    plan = SweepPlan(name="night", dataset="sample", papers=1, compositions=("manager",), scheduler="asyncio")
    await begin_sweep(plan, settings=settings)
    (record,) = records(root)
    directory = root.path / record.directory
    (directory / "scorecard.json").unlink()
    before = (directory / "report.md").read_text()
    strict = settings.changed(accept_threshold=1.0, weak_accept_threshold=1.0, weak_reject_threshold=1.0)
    done = await begin_batch([str(root.runs)], settings=strict, name="b", scheduler="asyncio", tiers=(1,))
    assert done.counts["done"] == 1
    (after,) = records(root)
    assert (after.id, after.sweep, after.verdict) == (record.id, "night", "reject")
    assert (directory / "report.md").read_text() != before
    assert RunDirectory.open(directory).read_scorecard() is not None


async def test_a_batch_that_was_cancelled_goes_on_where_it_was(
    settings: Settings, root: DataRoot, traces: Path
) -> None:
    def stop(_: WorkProgress) -> None:
        work.cancel()

    work = asyncio.ensure_future(
        begin_batch([str(traces)], settings=settings, name="b", scheduler="asyncio", concurrency=1, on_progress=stop)
    )
    with pytest.raises(asyncio.CancelledError):
        await work
    before = {record.id: record for record in records(root)}
    assert 0 < len(before) < 7
    assert (await resume_batch("b", settings=settings)).counts["done"] == 7
    after = {record.id: record for record in records(root)}
    assert len(after) == 7
    assert {run: after[run] for run in before} == before


async def test_what_cannot_be_read_costs_nothing_else(settings: Settings, root: DataRoot, traces: Path) -> None:
    await begin_batch([str(traces)], settings=settings, name="a", scheduler="asyncio")
    broken = RunDirectory.open(root.path / records(root)[0].directory)
    (broken.path / "run.json").write_text("{")
    done = await begin_batch([str(root.runs)], settings=settings, name="b", scheduler="asyncio")
    assert (done.counts["done"], done.counts["failed"]) == (6, 1)
    with BatchFolder.named("b", root).journal() as journal:
        (entry,) = journal.entries("failed")
    assert entry.problem is not None
    assert entry.problem.error_type == "UnreadableError"
    again = await resume_batch("b", settings=settings, retry_failed=True)
    assert again.counts["failed"] == 1


def test_nothing_to_evaluate_is_said_and_leaves_nothing(settings: Settings, root: DataRoot, traces: Path) -> None:
    traces.unlink()
    with pytest.raises(UsageError, match=r"nothing in .* is a run or a trace: .*notes\.txt"):
        asyncio.run(begin_batch([str(traces.parent)], settings=settings, name="b"))
    assert not (root.batches / "b").exists()
    with pytest.raises(UsageError, match="no run answers to 'nowhere'"):
        asyncio.run(begin_batch(["nowhere"], settings=settings))
    with pytest.raises(UsageError, match="no batch named 'b'"):
        asyncio.run(resume_batch("b", settings=settings))
