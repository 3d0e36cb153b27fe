"""A review that takes longer than its caller waits: found again by its handle, cancelled, forgotten."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from mcp import Client
from mcp.types import CallToolResult

from agents_eval_core.errors import UsageError
from agents_eval_core.use_cases.evaluate_trace import EvaluatedRun
from agents_eval_mcp_server.reviews import KEPT_SECONDS, MOST_KEPT, Reviews

Connect = Callable[..., AbstractAsyncContextManager[Client]]
Content = Callable[[CallToolResult], dict[str, Any]]
Error = Callable[[CallToolResult], str]


async def endless(say: Callable[[str], None]) -> EvaluatedRun:
    say("begins")
    await asyncio.sleep(3600)
    raise AssertionError


async def broken(_: Callable[[str], None]) -> EvaluatedRun:
    raise RuntimeError("secret detail")


async def test_a_review_goes_on_when_its_caller_stops_waiting(connect: Connect, content: Content) -> None:
    async with connect() as client:
        begun = content(await client.call_tool("run_review", {"paper": "sparse-gates", "wait_s": 0}))
        assert begun["status"] == "working"
        assert begun["review_id"] in begun["next_step"]
        ended = content(await client.call_tool("get_review", {"review_id": begun["review_id"], "wait_s": 60}))
        assert ended["status"] == "complete"
        listed = content(await client.call_tool("list_runs", {}))
        assert [run["id"] for run in listed["runs"]] == [ended["evaluation"]["run"]["id"]]


async def test_a_cancelled_review_is_an_interrupted_run(connect: Connect, content: Content, error: Error) -> None:
    async with connect() as client:
        begun = content(await client.call_tool("run_review", {"paper": "sparse-gates", "wait_s": 0}))
        ended = content(await client.call_tool("cancel_review", {"review_id": begun["review_id"]}))
        assert ended["status"] == "cancelled"
        assert "no review 'made up'" in error(await client.call_tool("get_review", {"review_id": "made up"}))


async def test_a_handle_belongs_to_whoever_began_the_review() -> None:
    reviews = Reviews()
    review = reviews.begin(endless, principal="one")
    assert reviews.of(review.id, principal="one") is review
    with pytest.raises(UsageError, match="there is no review"):
        reviews.of(review.id, principal="another")
    await reviews.close()
    assert review.status == "cancelled"


async def test_what_broke_by_our_mistake_is_told_without_its_details(caplog: pytest.LogCaptureFixture) -> None:
    reviews = Reviews()
    review = reviews.begin(broken, principal="one")
    await reviews.wait(review, 5)
    assert review.status == "failed"
    assert "secret" not in review.problem
    assert "secret detail" in caplog.text


async def test_no_more_than_so_many_are_under_way_and_old_ones_are_forgotten() -> None:
    now = [0.0]
    reviews = Reviews(lambda: now[0])
    begun = [reviews.begin(endless, principal="one") for _ in range(MOST_KEPT)]
    with pytest.raises(UsageError, match="under way"):
        reviews.begin(endless, principal="one")
    await reviews.close()
    now[0] = KEPT_SECONDS + 1
    with pytest.raises(UsageError, match="there is no review"):
        reviews.of(begun[0].id, principal="one")
