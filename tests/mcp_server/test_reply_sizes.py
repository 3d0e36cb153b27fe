"""Every reply stays within 2,000 tokens of four characters, whatever trace it is about."""

import json
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.types import CallToolResult

from agents_eval_mcp_server import rates

Connect = Callable[..., AbstractAsyncContextManager[Client]]
LARGEST = 4 * 2000
FIELDS = ["arguments", "result", "text", "error", "attributes"]
OPENED = 3


def characters(result: CallToolResult) -> int:
    said = [part.model_dump_json() for part in result.content] if result.is_error else [
        json.dumps(result.structured_content, ensure_ascii=False)
    ]  # fmt: skip
    return len("".join(said))


def traces(folder: Path) -> list[Path]:
    kinds = {".json", ".jsonl", ".eval", ".txt"}
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix in kinds)


async def too_long(client: Client, sources: Sequence[str]) -> list[tuple[str, str, int]]:
    """Return the replies that are: skeleton and evaluation of each trace, and its longest steps opened."""
    found: list[tuple[str, str, int]] = []
    for source in sources:
        asked: list[tuple[str, dict[str, Any]]] = [("evaluate_trace", {"source": source})]
        skeleton = await client.call_tool("get_trace_steps", {"source": source, "limit": 60})
        listed: dict[str, Any] = skeleton.structured_content or {}
        steps: list[dict[str, Any]] = listed.get("steps", [])
        longest = sorted(steps, key=lambda step: -len(step["what"]))[:OPENED]
        asked += [("get_trace_steps", {"source": source, "span_id": step["id"], "fields": FIELDS}) for step in longest]
        results = [("skeleton", skeleton)]
        results += [(tool, await client.call_tool(tool, arguments)) for tool, arguments in asked]
        found += [(source, what, size) for what, result in results if (size := characters(result)) > LARGEST]
    return found


@pytest.fixture(autouse=True)
def no_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "CALLS_A_SECOND", 1e9)


async def test_replies_about_a_sample_of_real_traces_are_short(connect: Connect, real_data: Path) -> None:
    every = traces(real_data / "traces")
    largest_of_each = {max(_beside(every, path), key=lambda one: one.stat().st_size) for path in every[::45]}
    async with connect(real_data / "traces") as client:
        sources = sorted(str(path.relative_to(real_data / "traces")) for path in largest_of_each)
        assert len(sources) >= 8
        assert await too_long(client, sources) == []


@pytest.mark.proof
async def test_replies_about_all_real_traces_are_short(connect: Connect, real_data: Path) -> None:
    sources = [str(path.relative_to(real_data / "traces")) for path in traces(real_data / "traces")]
    async with connect(real_data / "traces") as client:
        assert await too_long(client, sources) == []


async def test_lists_and_reviews_are_short(connect: Connect) -> None:
    async with connect() as client:
        await client.call_tool("run_review", {"paper": "sparse-gates"})
        for tool, arguments in (
            ("run_review", {"paper": "sparse-gates", "critic": True}),
            ("list_runs", {"limit": 40}),
            ("list_metrics", {}),
            ("list_metrics", {"tier": 3}),
        ):
            result = await client.call_tool(tool, arguments)
            assert not result.is_error, result
            assert characters(result) <= LARGEST


def _beside(every: Sequence[Path], path: Path) -> list[Path]:
    return [one for one in every if one.parent == path.parent and one.stat().st_size < 2**21] or [path]
