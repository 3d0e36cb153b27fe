"""Comparing over MCP: two sides or more, paired or not, sweeps, what is worse first and what is missing."""

import json
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.types import CallToolResult

from agents_eval_core.comparison import Comparison, Contrast, MetricComparison, Missing, Side
from agents_eval_core.score import Range
from agents_eval_mcp_server.comparison_reply import comparison_reply

Connect = Callable[..., AbstractAsyncContextManager[Client]]
Content = Callable[[CallToolResult], dict[str, Any]]
Error = Callable[[CallToolResult], str]
LARGEST = 8000
RUBRIC = """
name = "polite"
version = "1"
task = "Say how polite the review is."

[[criteria]]
id = "tone"
question = "Is the tone polite?"
[criteria.anchors]
1 = "Rude"
5 = "Polite"
"""


async def reviewed(client: Client, content: Content, **asked: str) -> str:
    reply = content(await client.call_tool("run_review", {"paper": "sparse-gates", **asked}))
    return reply["evaluation"]["run"]["id"]


async def test_three_sides_are_compared_two_by_two_and_unpaired_ones_at_all(
    connect: Connect, content: Content, error: Error
) -> None:
    async with connect() as client:
        runs = [await reviewed(client, content, composition=team) for team in ("manager", "manager+analyst", "full")]
        sides: dict[str, Any] = {"baseline": runs[0], "candidate": runs[1], "more": runs[2:]}
        reply = content(await client.call_tool("compare_runs", sides))
        unpaired = content(await client.call_tool("compare_runs", sides | {"unpaired": True}))
        twice = error(await client.call_tool("compare_runs", sides | {"more": [runs[0]]}))
    assert len(reply["contrasts"]) == len(unpaired["contrasts"]) == 3
    assert "runs in common" in twice
    assert len(json.dumps(reply, ensure_ascii=False)) <= LARGEST


async def test_the_cells_of_a_sweep_are_named_by_its_compositions(
    connect: Connect, content: Content, clean_place: Path
) -> None:
    from agents_eval_core.settings import Settings
    from agents_eval_core.sweep import SweepPlan
    from agents_eval_core.use_cases.sweep import begin_sweep

    plan = SweepPlan(name="mine", dataset="sample", compositions=("manager", "full"), papers=1)
    await begin_sweep(plan, settings=Settings().changed(home=clean_place / "_Agents-eval"))
    async with connect() as client:
        listed = content(await client.call_tool("list_runs", {"query": "sweep=mine"}))["runs"]
        assert {run["sweep"] for run in listed} == {"mine"}
        compared = content(
            await client.call_tool("compare_runs", {"baseline": "mine:manager", "candidate": "mine:full"})
        )
        assert compared["contrasts"][0]["candidate"] == "full"
        for run in listed:
            content(await client.call_tool("evaluate_trace", {"source": run["id"]}))
            content(await client.call_tool("get_trace_steps", {"source": run["id"]}))


def a_metric(name: str, conclusion: Any, *, claimed: bool = False) -> MetricComparison:
    return MetricComparison(
        metric=name, claimed=claimed, pairs=9, papers=9, baseline_mean=0.5, candidate_mean=0.4, difference=-0.1,
        interval=Range(low=-0.2, high=-0.05), conclusion=conclusion, reason="so",
        missing=Missing(baseline={"failed": 2}),
    )  # fmt: skip


def a_contrast(baseline: str, candidate: str, conclusion: Any) -> Contrast:
    kinds = ("better", "equivalent", "worse") * 20
    return Contrast(
        baseline=Side(selector=baseline, label=baseline, runs=("a",), excluded={"x": "failed"}),
        candidate=Side(selector=candidate, label=candidate, runs=("b",)),
        unmatched_candidate=("y",),
        unmatched_reasons={"y": "no run of that paper"},
        metrics=(a_metric("composite", conclusion, claimed=True), *(a_metric(f"m{n}", k) for n, k in enumerate(kinds))),
        conclusion=conclusion,
        sentence=f"{candidate} is {conclusion} than {baseline} " + "by so much " * 30,
    )


def test_what_is_worse_stands_first_and_what_is_missing_is_told() -> None:
    reply = comparison_reply(
        Comparison(confidence=0.95, contrasts=(a_contrast("a", "b", "better"), a_contrast("a", "c", "worse")))
    )
    assert [contrast.conclusion for contrast in reply.contrasts] == ["worse", "better"]
    metrics = reply.contrasts[0].metrics
    assert metrics[0].metric == "composite"
    assert {line.conclusion for line in metrics[1:]} == {"worse"}
    missing = " ".join(reply.contrasts[0].missing)
    assert "1 runs did not complete (failed)" in missing
    assert "no run of that paper" in missing
    assert reply.truncated


@pytest.mark.parametrize("sides", [2, 5, 9])
def test_a_comparison_of_many_sides_still_fits(sides: int) -> None:
    names = [f"side-{place}" for place in range(sides)]
    pairs = [(one, other) for place, one in enumerate(names) for other in names[place + 1 :]]
    reply = comparison_reply(Comparison(confidence=0.95, contrasts=tuple(a_contrast(*pair, "worse") for pair in pairs)))
    assert len(reply.model_dump_json()) <= LARGEST
    assert reply.truncated


async def test_a_rubric_of_the_users_own_is_asked_and_answered_by(
    connect: Connect, content: Content, error: Error, clean_place: Path
) -> None:
    (clean_place / "polite.toml").write_text(RUBRIC)
    async with connect() as client:
        run = await reviewed(client, content)
        asked = content(
            await client.call_tool("evaluate_trace", {"source": run, "judge": "caller", "rubric": "polite.toml"})
        )
        rubrics = {question["rubric"] for question in asked["judging"]["questions"]}
        missing = error(await client.call_tool("evaluate_trace", {"source": run, "rubric": "none.toml"}))
    assert any("polite" in rubric for rubric in rubrics), rubrics
    assert "none.toml" in missing
