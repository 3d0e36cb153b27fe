"""Too much of anything: files, lines, depth, names, packed zeros, runs at once, calls and time; all ends, soon."""

import json
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

from agents_eval_mcp_server import rates
from agents_eval_mcp_server.server import CONCURRENT_RUNS
from agents_eval_mcp_server.session import Options
from attacked_server import a_chat, answer, refusal, served, written

LARGEST_REPLY = 8000
SOON_SECONDS = 60.0
MILLION = 10**6


def lines(path: Path, count: int = MILLION) -> None:
    path.write_text('{"role": "user", "content": "hello"}\n' * count)


def nested(path: Path) -> None:
    depth = 200_000
    path.write_text('{"messages": ' + "[" * depth + "]" * depth + "}")


def one_line_of_many_megabytes(path: Path) -> None:
    path.write_text('{"role": "user", "content": "' + "x" * 40 * MILLION)


def packed_zeros(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("header.json", "w") as member:
        for _ in range(300):
            member.write(b" " * 2**20)


def many_members(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", "{}")
        for place in range(3_000):
            archive.writestr(f"samples/{place}.json", "{}")


def sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(300 * 2**20)


@pytest.mark.parametrize(
    ("name", "make"),
    [
        pytest.param("lines.jsonl", lines, marks=pytest.mark.proof),
        ("nested.json", nested),
        ("line.jsonl", one_line_of_many_megabytes),
        ("zeros.eval", packed_zeros),
        ("members.eval", many_members),
        ("sparse.json", sparse),
    ],
)
async def test_a_monstrous_file_is_answered_soon_and_shortly(
    clean_place: Path, name: str, make: Callable[[Path], None]
) -> None:
    make(clean_place / name)
    begun = time.process_time()
    async with served(clean_place) as client:
        for tool in ("evaluate_trace", "get_trace_steps"):
            result = await client.call_tool(tool, {"source": name})
            assert len(written(result)) <= 2 * LARGEST_REPLY  # as text and as data
            if result.is_error:
                refusal(result)
    assert time.process_time() - begun < SOON_SECONDS


async def test_what_is_larger_than_the_limit_is_not_opened(clean_place: Path) -> None:
    sparse(clean_place / "a.json")
    folder = clean_place / "many"
    folder.mkdir()
    for place in range(3):
        with (folder / f"{place}.jsonl").open("wb") as file:
            file.truncate(100 * 2**20)
    begun = time.process_time()
    async with served(clean_place) as client:
        for source in ("a.json", "many"):
            assert "larger than 256 MiB" in refusal(await client.call_tool("evaluate_trace", {"source": source}))
        case: dict[str, Any] = {"source": "many/0.jsonl", "case": "a.json"}
        assert "larger than 4 MiB" in refusal(await client.call_tool("evaluate_trace", case))
    assert time.process_time() - begun < 5


async def test_a_trace_in_the_call_itself_may_neither_be_huge_nor_nest_for_ever(clean_place: Path) -> None:
    deep: Any = "fine"
    for _ in range(150):
        deep = [deep]
    async with served(clean_place) as client:
        huge = await client.call_tool("evaluate_trace", {"trace_json": "x" * 2_000_001})
        assert "put it into a file" in refusal(huge)
        for trace in ({"messages": deep}, "[" * 100_000, '{"a": ' * 100_000):
            refusal(await client.call_tool("evaluate_trace", {"trace_json": trace}))


async def test_huge_identities_and_names_are_shown_shortly_and_still_lead_back(clean_place: Path) -> None:
    chat = a_chat("fine", calls=3, name="n" * MILLION, call_id="i" * MILLION)
    spans = [
        {"traceId": "1" * 32, "spanId": f"{place:016x}", "name": "a" * MILLION, "startTimeUnixNano": "1",
         "endTimeUnixNano": "2", "attributes": [
             {"key": "gen_ai.operation.name", "value": {"stringValue": "invoke_agent"}},
             {"key": "gen_ai.agent.name", "value": {"stringValue": "agent" * MILLION}},
             {"key": "gen_ai.agent.id", "value": {"stringValue": f"{place}" * MILLION}}]}
        for place in range(2)
    ]  # fmt: skip
    (clean_place / "chat.json").write_text(json.dumps(chat))
    (clean_place / "spans.jsonl").write_text(
        json.dumps({"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {}, "spans": spans}]}]}) + "\n"
    )
    async with served(clean_place) as client:
        for source in ("chat.json", "spans.jsonl"):
            for tool in ("evaluate_trace", "get_trace_steps"):
                reply = answer(await client.call_tool(tool, {"source": source}))
                assert len(json.dumps(reply)) <= LARGEST_REPLY
            steps = answer(await client.call_tool("get_trace_steps", {"source": source}))["steps"]
            assert len({step["id"] for step in steps}) == len(steps)
            for step in steps:
                opened = answer(await client.call_tool("get_trace_steps", {"source": source, "span_id": step["id"]}))
                assert opened["steps"][0]["id"] == step["id"]
                assert len(json.dumps(opened)) <= LARGEST_REPLY


async def test_no_more_reviews_run_at_once_than_allowed(clean_place: Path) -> None:
    most = 0
    async with served(clean_place) as client:
        asked = {"paper": "sparse-gates", "composition": "manager", "wait_s": 0}
        begun = [answer(await client.call_tool("run_review", asked))["review_id"] for _ in range(5)]
        waiting = set(begun)
        while waiting:
            runs = answer(await client.call_tool("list_runs", {"query": "status=unfinished"}))["runs"]
            most = max(most, len(runs))
            for review in tuple(waiting):
                if (
                    answer(await client.call_tool("get_review", {"review_id": review, "wait_s": 0}))["status"]
                    != "working"
                ):
                    waiting.discard(review)
            await anyio.sleep(0.3)
        ended = [answer(await client.call_tool("get_review", {"review_id": review}))["status"] for review in begun]
    assert ended == ["complete"] * 5
    assert most <= CONCURRENT_RUNS


async def test_a_call_that_takes_too_long_is_ended_and_the_server_goes_on(clean_place: Path) -> None:
    lines(clean_place / "lines.jsonl")
    (clean_place / "chat.json").write_text(json.dumps(a_chat()))
    async with served(clean_place, options=Options(longest_call_seconds=0.5)) as client:
        for tool in ("evaluate_trace", "get_trace_steps"):
            begun = time.monotonic()
            assert "took longer than 0.5 s" in refusal(await client.call_tool(tool, {"source": "lines.jsonl"}))
            assert time.monotonic() - begun < 20
        assert answer(await client.call_tool("get_trace_steps", {"source": "chat.json"}))["total"]


async def test_others_are_answered_while_a_large_file_is_read(clean_place: Path) -> None:
    lines(clean_place / "lines.jsonl")
    async with served(clean_place) as client, anyio.create_task_group() as tasks:
        tasks.start_soon(client.call_tool, "evaluate_trace", {"source": "lines.jsonl"})
        await anyio.sleep(0.05)
        begun = time.monotonic()
        answer(await client.call_tool("list_runs", {}))
        assert time.monotonic() - begun < 2
        tasks.cancel_scope.cancel()


async def test_a_caller_that_never_stops_is_slowed_down(clean_place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "CALLS_AT_ONCE", 5)
    monkeypatch.setattr(rates, "CALLS_A_SECOND", 2.0)
    async with served(clean_place) as client:
        results = [await client.call_tool("list_runs", {}) for _ in range(12)]
        assert "too many calls" in refusal(results[-1])
        await anyio.sleep(1.1)
        answer(await client.call_tool("list_runs", {}))
