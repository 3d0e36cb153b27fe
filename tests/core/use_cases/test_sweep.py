"""Sweeps, from the plan to the store, with the offline baseline on the sample papers."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from agents_eval_core import registry
from agents_eval_core.data_root import DataRoot
from agents_eval_core.errors import UsageError
from agents_eval_core.judging import Exchange, Outcome
from agents_eval_core.run import RunRecord
from agents_eval_core.settings import Settings, load_settings
from agents_eval_core.store.run_directory import RunDirectory
from agents_eval_core.sweep import SweepPlan
from agents_eval_core.use_cases.evaluate_trace import evaluate_trace
from agents_eval_core.use_cases.run_review import run_review
from agents_eval_core.use_cases.spending import Budget, spent_judging
from agents_eval_core.use_cases.sweep import begin_sweep, resume_sweep, sweep_progress
from agents_eval_core.use_cases.sweep_folder import SweepFolder
from agents_eval_core.use_cases.sweep_order import sweep_order, sweep_plan
from agents_eval_core.work import Spent, WorkProgress

DRIVER = Path(__file__).with_name("sweep_driver.py")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(None, environment={}, options={"AGENTS_EVAL_HOME": tmp_path / "home"})


@pytest.fixture
def root(settings: Settings) -> DataRoot:
    return DataRoot(path=settings.home)


def a_plan(**changes: Any) -> SweepPlan:
    given: dict[str, Any] = {
        "name": "night",
        "dataset": "sample",
        "papers": 1,
        "compositions": ("manager", "manager+analyst"),
        "scheduler": "asyncio",
    }
    return SweepPlan(**(given | changes))


def records(root: DataRoot, sweep: str = "night") -> list[RunRecord]:
    store = registry.store("sqlite", root.database)
    try:
        return list(store.of_sweep(sweep))
    finally:
        store.close()


# --- the plan ----------------------------------------------------------------------------------------------------


def test_a_file_gives_the_plan_and_options_win(tmp_path: Path) -> None:
    file = tmp_path / "sweep.toml"
    file.write_text('name = "f"\npapers = ["a", "b"]\ncompositions = "all"\nbudget-usd = 2.5\nrepetitions = 3\n')
    plan = sweep_plan(file, {"repetitions": 5, "model": None})
    assert (plan.name, plan.papers, plan.compositions) == ("f", ("a", "b"), ("all",))
    assert (plan.budget_usd, plan.repetitions, plan.model) == (2.5, 5, None)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("paper = 3", r"no field of a sweep .*named 'paper'; did you mean 'papers'"),
        ("papers = 0", r"papers \(in .*sweep.toml\) is 0"),
        ("name = '../away'", r"name \(in .*sweep.toml\) is '../away'"),
        ("budget_usd = -1", "budget_usd"),
        ("papers = ", "cannot be read as TOML"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_with_the_field_and_its_place(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "sweep.toml"
    file.write_text(text)
    with pytest.raises(UsageError, match=said):
        sweep_plan(file, {})


def test_all_is_settled_before_anything_is_begun(settings: Settings, root: DataRoot) -> None:
    refused = {"no composition named": {"compositions": ("manger",)}, "no sample paper named": {"papers": ("nowhere",)}}
    refused |= {"no provider named": {"provider": "nobody"}, "sample has 9 with a text": {"papers": 99}}
    for said, changes in refused.items():
        with pytest.raises(UsageError, match=said):
            sweep_order(a_plan(**changes), settings)
    assert not root.path.exists()


async def test_a_name_is_taken_once(settings: Settings) -> None:
    await begin_sweep(a_plan(compositions=("manager",)), settings=settings)
    with pytest.raises(UsageError, match="there is a sweep 'night' already; 'agents-eval sweep resume night'"):
        await begin_sweep(a_plan(), settings=settings)
    with pytest.raises(UsageError, match="no sweep named 'nihgt'; did you mean 'night'"):
        await resume_sweep("nihgt", settings=settings)


# --- the work ----------------------------------------------------------------------------------------------------


async def test_every_cell_becomes_a_run_that_knows_its_sweep(settings: Settings, root: DataRoot) -> None:
    seen: list[WorkProgress] = []
    done = await begin_sweep(a_plan(repetitions=2), settings=settings, on_progress=seen.append)
    assert (done.counts["done"], done.left, done.total) == (4, 0, 4)
    ended = [each.ended for each in seen]
    assert ended == sorted(set(ended))  # two that end at once are told at once
    assert ended[-1] == 4
    assert seen[-1].remaining_seconds == 0.0
    found = records(root)
    assert sorted((record.composition, record.repetition) for record in found) == [
        ("manager", 0),
        ("manager", 1),
        ("manager+analyst", 0),
        ("manager+analyst", 1),
    ]
    assert {record.status for record in found} == {"complete"}
    assert all(record.composite is not None for record in found)
    assert not (root.sweeps / "night" / "workshop").exists()


async def test_evaluating_a_run_of_a_sweep_again_leaves_it_in_the_sweep(settings: Settings, root: DataRoot) -> None:
    await begin_sweep(a_plan(compositions=("manager",), repetitions=2), settings=settings)
    before = records(root)
    await evaluate_trace(before[1].id, settings=settings, tiers=(1,))
    after = records(root)
    assert [(each.id, each.repetition) for each in after] == [(each.id, each.repetition) for each in before]


async def test_a_system_of_processes_does_what_one_process_does(settings: Settings, root: DataRoot) -> None:
    await begin_sweep(a_plan(), settings=settings)
    await begin_sweep(a_plan(name="apart", scheduler="processes", concurrency=1), settings=settings)
    here, apart = records(root), records(root, "apart")
    assert [(each.composition, each.composite, each.coverage) for each in here] == [
        (each.composition, each.composite, each.coverage) for each in apart
    ]


async def test_a_sweep_that_was_cancelled_goes_on_where_it_was(settings: Settings, root: DataRoot) -> None:
    def stop(_: WorkProgress) -> None:
        work.cancel()

    work = asyncio.ensure_future(begin_sweep(a_plan(repetitions=3), settings=settings, on_progress=stop))
    with pytest.raises(asyncio.CancelledError):
        await work
    stopped = sweep_progress("night", root)
    assert 0 < stopped.ended < 6
    assert stopped.counts["running"] == 0
    before = {record.id: record for record in records(root)}
    assert (await resume_sweep("night", settings=settings)).counts["done"] == 6
    after = {record.id: record for record in records(root)}
    assert {run: after[run] for run in before} == before  # not made again: even the times are the same


async def test_what_is_done_is_not_done_again(settings: Settings, root: DataRoot) -> None:
    await begin_sweep(a_plan(), settings=settings)
    before = records(root)
    assert (await resume_sweep("night", settings=settings)).left == 0
    assert records(root) == before


async def test_a_cell_that_fails_is_a_line_with_its_error_and_is_done_again_only_when_asked(
    settings: Settings, root: DataRoot, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = type(registry.engine("mas"))
    run = engine.run

    async def failing(self: Any, case: Any, options: Any) -> Any:
        if options.composition == "manager":
            raise RuntimeError("the line is dead")
        return await run(self, case, options)

    with monkeypatch.context() as broken:
        broken.setattr(engine, "run", failing)
        done = await begin_sweep(a_plan(), settings=settings)
        assert (done.counts["done"], done.counts["failed"]) == (1, 1)
    with SweepFolder.named("night", root).journal() as journal:
        (failed,) = journal.entries("failed")
    assert failed.problem is not None
    assert (failed.problem.error_type, failed.problem.message) == ("RuntimeError", "the line is dead")
    assert (await resume_sweep("night", settings=settings)).counts["failed"] == 1
    assert (await resume_sweep("night", settings=settings, retry_failed=True)).counts["done"] == 2
    assert len(records(root)) == 2


async def test_a_sweep_does_not_go_on_with_other_systems(
    settings: Settings, root: DataRoot, monkeypatch: pytest.MonkeyPatch
) -> None:
    await begin_sweep(a_plan(), settings=settings)
    file = root.sweeps / "night" / "sweep.json"
    text = file.read_text()
    version = json.loads(text)["systems"][0]["versions"]["agents-eval-agents"]
    file.write_text(text.replace(f'"agents-eval-agents": "{version}"', '"agents-eval-agents": "0.0.1"'))
    with pytest.raises(UsageError, match=f"agents-eval-agents 0.0.1 became {version}"):
        await resume_sweep("night", settings=settings)


async def test_a_store_that_lost_a_run_gets_it_back(settings: Settings, root: DataRoot) -> None:
    await begin_sweep(a_plan(), settings=settings)
    before = records(root)
    for file in root.path.glob("agents-eval.db*"):
        file.unlink()
    await resume_sweep("night", settings=settings)
    assert records(root) == before


async def test_a_sweep_that_is_decided_stays_so_when_the_store_is_lost(settings: Settings, root: DataRoot) -> None:
    plan = a_plan(papers=9, concurrency=1, stop_when_decided="task_success", margin=0.8)
    decided = await begin_sweep(plan, settings=settings)
    assert decided.decided
    assert 0 < decided.left < 18
    for file in root.path.glob("agents-eval.db*"):
        file.unlink()
    resumed = await resume_sweep("night", settings=settings)
    assert (resumed.decided, resumed.left) == (decided.decided, decided.left)


async def test_runs_made_earlier_take_the_place_of_new_ones(settings: Settings, root: DataRoot, tmp_path: Path) -> None:
    elsewhere = settings.changed(home=tmp_path / "elsewhere")
    order = sweep_order(a_plan(), settings)
    earlier = await run_review(order.papers[0], dataset="sample", settings=elsewhere, composition="manager")
    done = await begin_sweep(a_plan(cc_artifacts=(tmp_path / "elsewhere",), repetitions=2), settings=settings)
    assert done.counts["done"] == 4
    assert earlier.directory is not None
    review = (earlier.directory / "review.json").read_bytes()
    same = [record for record in records(root) if _trace_of(root, record) == _trace(earlier.directory)]
    assert [(record.composition, record.repetition) for record in same] == [("manager", 0)]
    assert (root.path / same[0].directory / "review.json").read_bytes() == review


def _trace_of(root: DataRoot, record: RunRecord) -> bytes:
    return _trace(root.path / record.directory)


def _trace(directory: Path) -> bytes:
    return (directory / "trace.otlp.jsonl").read_bytes()


async def test_a_stream_of_claude_code_is_a_cell_of_its_paper(
    settings: Settings, root: DataRoot, tmp_path: Path, real_data: Path
) -> None:
    stream = next((real_data / "traces" / "claude-code-stream-json").rglob("*.jsonl"))
    paper = sweep_order(a_plan(), settings).papers[0]
    place = tmp_path / "cc" / f"{paper}_1"
    place.mkdir(parents=True)
    (place / "stream.jsonl").write_bytes(stream.read_bytes())
    plan = a_plan(engines=("mas", "cc-solo", "cc-teams"), cc_artifacts=(tmp_path / "cc",))
    assert (await begin_sweep(plan, settings=settings)).total == 3
    (run,) = [record for record in records(root) if record.engine.startswith("cc-")]
    assert (run.paper, run.sweep) == (records(root)[0].paper, "night")
    kept = RunDirectory.open(root.path / run.directory).read_run()
    assert kept.trace is not None
    assert kept.trace.spans


def test_a_folder_without_such_runs_is_refused(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for folder, said in ((tmp_path / "empty", "holds no run about a paper"), (tmp_path / "none", "is no folder")):
        with pytest.raises(UsageError, match=said):
            asyncio.run(begin_sweep(a_plan(cc_artifacts=(folder,)), settings=settings))


# --- the budget --------------------------------------------------------------------------------------------------


async def test_time_that_is_over_leaves_the_rest_reserved_and_says_so(settings: Settings) -> None:
    done = await begin_sweep(a_plan(repetitions=400, budget_seconds=1.5, concurrency=1), settings=settings)
    assert 0 < done.ended < 800
    assert done.counts["reserved"] == done.left > 0
    assert "the budget allows no further run" in done.waits_for
    assert done.elapsed_seconds < 3.0


def test_a_first_run_goes_alone_and_then_as_many_as_the_dearest_leaves_room_for() -> None:
    budget = Budget(usd=1.0)
    assert (budget.room(0, 0.0), budget.room(1, 0.0)) == (1, 0)
    budget.add(Spent(seconds=1.0, tokens=10, cost_usd=0.25), 1.0)
    assert (budget.room(0, 0.0), budget.room(2, 0.0), budget.room(3, 0.0)) == (3, 1, 0)
    assert "0.2500 of 1 USD is spent, a run takes up to 0.2500" in budget.reached(3, 0.0)


def test_a_lost_attempt_counts_as_the_dearest() -> None:
    budget = Budget(tokens=100)
    budget.add(Spent(seconds=1.0, tokens=20, cost_usd=None), 1.0)
    assert budget.room(0, 0.0) == 4
    budget.lost = 3
    assert budget.room(0, 0.0) == 1


def test_a_limit_that_cannot_be_kept_stops_and_says_why() -> None:
    budget = Budget(usd=1.0)
    budget.add(Spent(seconds=1.0, tokens=20, cost_usd=None), 1.0)
    assert budget.room(0, 0.0) == 0
    assert "the price of the model or judge is not known" in budget.reached(0, 0.0)
    tokens = Budget(tokens=5)
    tokens.add(Spent(seconds=1.0), 1.0)
    assert "does not say how many tokens" in tokens.reached(0, 0.0)


def test_what_judges_took_counts_and_an_answer_that_does_not_say_makes_it_unknown() -> None:
    run = Spent(seconds=1.0, tokens=10, cost_usd=0.1)
    paid = [an_exchange("answered", 30, 0.2), an_exchange("failed", None, None), an_exchange("from_cache", None, None)]
    judged = spent_judging(run, paid)
    assert (judged.all_tokens, judged.all_usd) == (40, pytest.approx(0.3))
    budget = Budget(usd=0.25)
    budget.add(judged, 1.0)
    assert budget.exceeded == "0.3000 USD were spent, 0.25 were allowed"
    assert budget.room(0, 0.0) == 0
    silent = spent_judging(run, [*paid, an_exchange("repaired", 5, None)])
    assert (silent.all_tokens, silent.all_usd) == (45, None)


def an_exchange(outcome: Outcome, tokens: int | None, usd: float | None) -> Exchange:
    return Exchange(
        key="k",
        rubric="r 1",
        judge="j",
        provider="p",
        messages=(),
        outcome=outcome,
        input_tokens=tokens,
        output_tokens=tokens and 0,
        cost_usd=usd,
        at=datetime(2026, 11, 20, tzinfo=UTC),
    )


def test_without_a_limit_there_is_no_end() -> None:
    budget = Budget()
    budget.add(Spent(seconds=1.0), 1.0)
    assert budget.room(5, 1e9) is None
    assert budget.reached(5, 1e9) == ""


# --- kill -9 -----------------------------------------------------------------------------------------------------


@pytest.fixture
def killed(tmp_path: Path) -> Callable[[int, int], list[dict[str, Any]]]:
    """Return a function that kills a sweep at some of its writes, and tells what is kept after each was resumed."""

    def run(first: int, step: int) -> list[dict[str, Any]]:
        line = [sys.executable, str(DRIVER), str(tmp_path), str(first), str(step)]
        done = subprocess.run(line, capture_output=True, encoding="utf-8", check=False, timeout=900)
        assert done.returncode == 0, done.stderr
        return [json.loads(each) for each in done.stdout.splitlines()]

    return run


def _assert_nothing_is_lost(told: list[dict[str, Any]]) -> None:
    undisturbed = told[-1]
    assert undisturbed["died_at"] is None
    assert (len(undisturbed["runs"]), undisturbed["directories"], undisturbed["left"]) == (4, 4, [])
    for each in told:
        assert each["made_again"] == []
        assert each == undisturbed | {"died_at": each["died_at"]}


def test_killed_at_any_write_a_sweep_ends_as_if_it_had_not_been(
    killed: Callable[[int, int], list[dict[str, Any]]],
) -> None:
    told = killed(17, 50)
    assert len(told) > 4
    _assert_nothing_is_lost(told)


@pytest.mark.proof
def test_killed_at_every_fifth_write_a_sweep_ends_as_if_it_had_not_been(
    killed: Callable[[int, int], list[dict[str, Any]]],
) -> None:
    told = killed(0, 5)
    assert len(told) > 45
    _assert_nothing_is_lost(told)
