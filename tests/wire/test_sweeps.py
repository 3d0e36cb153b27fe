"""Sweeps with a provider that has trouble: cells finish, calls stay within their bound, budgets hold."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from agents_eval_agents.providers.traffic import traffic_with
from agents_eval_core import registry
from agents_eval_core.data_root import DataRoot
from agents_eval_core.report.sweep_markdown import sweep_markdown
from agents_eval_core.settings import Settings, load_settings
from agents_eval_core.sweep import SweepPlan
from agents_eval_core.use_cases.sweep import begin_sweep, resume_sweep
from agents_eval_core.use_cases.sweep_cells import sweep_cells
from agents_eval_core.use_cases.sweep_folder import SweepFolder
from agents_eval_core.use_cases.sweep_report import sweep_report
from scripted_server.exchange import Ask, Call, Fault, Say
from scripted_server.judge import judging
from scripted_server.script import always, capable
from scripted_server.server import ScriptedServer

Reached = Callable[[str], str]
MOST_TRIES = 5


def settings_in(place: Path) -> Settings:
    return load_settings(None, environment={}, options={"AGENTS_EVAL_HOME": place / "home"})


def a_plan(provider: str, **changes: Any) -> SweepPlan:
    given: dict[str, Any] = {
        "name": "live",
        "dataset": "sample",
        "papers": 2,
        "compositions": ("manager", "manager+analyst"),
        "provider": provider,
        "model": "house/scripted-1",
        "concurrency": 4,
    }
    return SweepPlan(**(given | changes))


async def test_rate_limits_and_server_errors_end_no_cell_and_no_request_is_made_more_often_than_allowed(
    scripted_server: ScriptedServer, reached: Reached, clean_place: Path, no_pauses: None
) -> None:
    tries: Counter[str] = Counter()

    def troubled(ask: Ask) -> Say | Fault:
        request = repr(ask.body)  # each paper's own: no two cells ask the same
        tries[request] += 1
        if tries[request] == MOST_TRIES:
            return capable(ask)
        return Fault(status=429, headers={"retry-after-ms": "5"}) if tries[request] % 2 else Fault(status=500)

    scripted_server.script = troubled
    plan = a_plan(reached("openai"), papers=3, compositions=("manager",), concurrency=2)
    done = await begin_sweep(plan, settings=settings_in(clean_place))
    assert (done.counts["done"], done.counts["failed"]) == (3, 0)
    assert set(tries.values()) == {MOST_TRIES}  # the last that is allowed brings the answer, and none comes after it
    assert len(tries) >= 3 * 2  # each cell reads before it answers
    asked = len(scripted_server.asked)
    assert asked == tries.total()
    assert (await resume_sweep("live", settings=settings_in(clean_place))).counts["done"] == 3
    assert len(scripted_server.asked) == asked  # nothing is paid for twice


async def test_a_provider_that_is_down_fails_the_cells_with_its_sentence_and_they_finish_when_it_is_back(
    scripted_server: ScriptedServer, reached: Reached, clean_place: Path, no_pauses: None
) -> None:
    scripted_server.script = always(Fault(status=503))
    settings = settings_in(clean_place)
    down = await begin_sweep(a_plan(reached("openai"), papers=1), settings=settings)
    assert (down.counts["done"], down.counts["failed"]) == (0, 2)
    assert len(scripted_server.asked) <= 2 * MOST_TRIES
    scripted_server.script = capable
    traffic_with.cache_clear()  # its breaker would leave the provider alone for half a minute
    assert (await resume_sweep("live", settings=settings, retry_failed=True)).counts["done"] == 2


async def test_where_whatever_is_begun_fails_the_rest_is_left_and_it_is_said(
    scripted_server: ScriptedServer, reached: Reached, clean_place: Path
) -> None:
    scripted_server.script = always(Fault(status=401))
    plan = a_plan(reached("openai"), repetitions=50)
    done = await begin_sweep(plan, settings=settings_in(clean_place))
    assert 12 <= done.counts["failed"] < 20
    assert done.left > 180
    assert "12 cells in a row failed with ModelAuthenticationError" in done.waits_for


async def test_a_budget_in_tokens_is_not_exceeded(
    scripted_server: ScriptedServer, reached: Reached, clean_place: Path
) -> None:
    settings = settings_in(clean_place)
    one = await begin_sweep(
        a_plan(reached("openai"), name="one", papers=1, compositions=("manager",)), settings=settings
    )
    assert one.spent.tokens, [
        cell.problem for cell in sweep_cells(SweepFolder.named("one", DataRoot(path=settings.home)))
    ]
    budget = int(one.spent.tokens * 3.5)
    plan = a_plan(reached("openai"), papers=1, compositions=("manager",), repetitions=6, budget_tokens=budget)
    some = await begin_sweep(plan, settings=settings)
    assert some.counts["done"] == 3
    assert some.spent.tokens is not None
    assert some.spent.tokens <= budget
    assert some.left == 3
    assert "tokens are used, a run takes up to" in some.waits_for


async def test_what_judges_take_counts_in_the_budget_and_is_told_apart(
    scripted_server: ScriptedServer, reached: Reached, clean_place: Path
) -> None:
    scripted_server.script = judging()
    settings = settings_in(clean_place)
    judge = f"{reached('openai')}:house/scripted-1"
    alone = {
        "papers": 1,
        "compositions": ("manager",),
        "model": None,
        "judge": judge,
    }  # who asks, waits in this process
    one = await begin_sweep(a_plan("offline", name="one", **alone), settings=settings)
    assert one.spent.tokens, [
        cell.problem for cell in sweep_cells(SweepFolder.named("one", DataRoot(path=settings.home)))
    ]
    (cell,) = sweep_cells(SweepFolder.named("one", DataRoot(path=settings.home)))
    assert cell.spent is not None
    assert (cell.spent.tokens, cell.spent.judge_tokens) == (0, one.spent.tokens)
    budget = one.spent.tokens // 2
    small = a_plan("offline", name="small", repetitions=6, budget_tokens=budget, **alone)
    done = await begin_sweep(small, settings=settings.changed(judge_cache=False))
    assert (done.counts["done"], done.left) == (1, 5)
    assert done.exceeded == f"{done.spent.tokens:,} tokens were used, {budget:,} were allowed"
    report = sweep_markdown(await sweep_report("small", settings=settings))
    assert f"The budget was exceeded, as what a run takes is known only at its end: {done.exceeded}." in report


async def test_the_report_says_how_often_a_model_repeats_human_reviews_beside_the_humans(
    scripted_server: ScriptedServer, reached: Reached, clean_place: Path
) -> None:
    settings = settings_in(clean_place)
    plan = a_plan(
        reached("openai"), engines=("direct",), compositions=("all",), papers=("alloy-cracks", "sparse-gates")
    )
    case = registry.dataset("sample").case("alloy-cracks", None)

    def half_a_parrot(ask: Ask) -> Say | Fault:
        if case.paper is None or case.paper.title not in ask.prompt:
            return capable(ask)
        call = Call(tool="give_review", arguments={"summary": case.references[0].text}, id=f"call_{ask.number}")
        return Say(calls=(call,))

    scripted_server.script = half_a_parrot
    await begin_sweep(plan, settings=settings)
    report = await sweep_report("live", settings=settings)
    said = (
        "1 of 2 reviews by openai:house/scripted-1 have at least 15 % of their words from one human review of the same "
        "paper (50 % over papers, 95 % interval "
    )
    assert said in sweep_markdown(report)
    assert "; of the humans' reviews, 0 % from another's)." in sweep_markdown(report)
