"""The caller as the judge: asked by evaluate_trace, answered through submit_judgement, never about itself."""

import re
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from mcp import Client
from mcp.types import CallToolResult

from agents_eval_mcp_server.session import Options

Connect = Callable[..., AbstractAsyncContextManager[Client]]
Content = Callable[[CallToolResult], dict[str, Any]]
Error = Callable[[CallToolResult], str]
CRITERION = re.compile(r"^- (\w+) \((\d+) to (\d+)\)", re.MULTILINE)


def best_answer(question: dict[str, Any], quote: str) -> dict[str, Any]:
    criteria = CRITERION.findall(question["instructions"])
    assert criteria
    answers = [
        {"criterion": name, "evidence": [quote], "reason": "it is so", "level": int(highest)}
        for name, _, highest in criteria
    ]
    return {"answers": answers, "instructions_found": []}


async def test_the_caller_judges_and_is_marked_as_such(connect: Connect, content: Content, error: Error) -> None:
    async with connect() as client:
        review = content(await client.call_tool("run_review", {"paper": "sparse-gates"}))
        run_id = review["evaluation"]["run"]["id"]
        asked = content(await client.call_tool("evaluate_trace", {"source": run_id, "judge": "caller"}))
        questions = asked["judging"]["questions"]
        assert questions
        assert "submit_judgement" in asked["next_step"]
        verdict = {one["key"]: best_answer(one, "gates") for one in questions}
        handed = {"source": run_id, "verdict": verdict, "declared": "a test"}
        judged = content(await client.call_tool("submit_judgement", handed))
        strange = error(await client.call_tool("submit_judgement", {"source": run_id, "verdict": {"nothing": {}}}))
        kept = await client.read_resource(f"agents-eval://runs/{run_id}")
    scores = {score["name"]: score for score in judged["scores"]}
    assert scores["planning_rationality"]["value"] is not None, scores["planning_rationality"]
    assert judged["coverage"] > asked["coverage"]
    assert "no question" in strange
    assert "caller" in str(kept)


async def test_an_own_session_is_not_judged_by_itself(connect: Connect, error: Error) -> None:
    async with connect(options=Options(claude_code_sessions=True)) as client:
        own: dict[str, Any] = {"source": "claude-code:latest"}
        assert "--self-judgement" in error(await client.call_tool("evaluate_trace", {**own, "judge": "caller"}))
        assert "--self-judgement" in error(await client.call_tool("submit_judgement", {**own, "verdict": {}}))
        inline = {"trace_json": "[]", "judge": "caller"}
        assert "source" in error(await client.call_tool("evaluate_trace", inline))
