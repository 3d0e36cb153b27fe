"""The outgoing client: patient with what may pass, quick with what will not."""

import asyncio
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from agents_eval_core.errors import NetworkError, RateLimitedError, UnreachableError
from agents_eval_core.outgoing.client import OutgoingClient
from agents_eval_core.outgoing.policy import Limits, Policy

Answer = Callable[[str, str], bytes | Iterator[bytes]]
Serve = Callable[[Answer], Policy]
Reply = Callable[..., bytes]
LIMITS = Limits(
    connect_seconds=5.0,
    read_seconds=5.0,
    total_seconds=10.0,
    attempts=4,
    first_wait_seconds=0.01,
    longest_wait_seconds=1.0,
    concurrency=2,
)
URL = "https://files.test/a"


class Answers:
    """Gives one answer after the other, the last one for ever, and remembers when it was asked."""

    def __init__(self, *answers: bytes) -> None:
        self._answers = list(answers)
        self.asked: list[float] = []

    def __call__(self, _host: str, _target: str) -> bytes:
        self.asked.append(time.monotonic())
        return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]


async def _get(policy: Policy, limits: Limits = LIMITS) -> bytes:
    async with OutgoingClient(policy, limits) as client:
        return await client.get(URL, largest_bytes=1000)


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
async def test_trouble_that_passes_is_waited_out(status: int, serve: Serve, reply: Reply) -> None:
    answers = Answers(reply(status=status), reply(status=status), reply(b"here"))
    assert await _get(serve(answers)) == b"here"
    assert len(answers.asked) == 3


@pytest.mark.parametrize(
    "broken",
    [
        b"",
        b"HTTP/1.1 200 OK\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\nonly a part",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhe",
    ],
)
async def test_a_connection_that_breaks_off_is_tried_again(broken: bytes, serve: Serve, reply: Reply) -> None:
    assert await _get(serve(Answers(broken, reply(b"here")))) == b"here"


async def test_it_gives_up_after_so_many_attempts_and_says_why(serve: Serve, reply: Reply) -> None:
    answers = Answers(reply(status=503))
    with pytest.raises(NetworkError, match=r"files\.test/a did not come in 4 attempts, .* answered 503 Service Unavai"):
        await _get(serve(answers))
    assert len(answers.asked) == 4


@pytest.mark.parametrize(
    ("status", "phrase"), [(404, "404 Not Found"), (401, "401"), (403, "403"), (204, "204"), (799, "799")]
)
async def test_an_answer_that_will_not_change_is_not_asked_for_again(
    status: int, phrase: str, serve: Serve, reply: Reply
) -> None:
    answers = Answers(reply(status=status))
    with pytest.raises(NetworkError, match=f"https://files.test/a: it answered {phrase}"):
        await _get(serve(answers))
    assert len(answers.asked) == 1


async def test_retry_after_in_seconds_is_kept_to(serve: Serve, reply: Reply) -> None:
    answers = Answers(reply(status=429, retry_after=1), reply(b"here"))
    assert await _get(serve(answers)) == b"here"
    assert 1.0 <= answers.asked[1] - answers.asked[0] < 3


async def test_retry_after_as_a_date_is_kept_to(serve: Serve, reply: Reply) -> None:
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    later = format_datetime(noon + timedelta(seconds=1), usegmt=True)
    answers = Answers(reply(status=503, retry_after=later), reply(b"here"))
    async with OutgoingClient(serve(answers), LIMITS, now=lambda: noon) as client:
        assert await client.get(URL, largest_bytes=10) == b"here"
    assert 1.0 <= answers.asked[1] - answers.asked[0] < 3


async def test_retry_after_that_is_too_long_ends_it_at_once_and_is_told(serve: Serve, reply: Reply) -> None:
    answers = Answers(reply(status=429, retry_after=3600))
    with pytest.raises(RateLimitedError, match=r"files\.test wants no more requests for 60 min"):
        await _get(serve(answers))
    assert len(answers.asked) == 1


async def test_the_rate_limit_of_github_is_told_in_minutes(serve: Serve, reply: Reply) -> None:
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    reset = int((noon + timedelta(minutes=37)).timestamp())
    answers = Answers(reply(status=403, x_ratelimit_remaining=0, x_ratelimit_reset=reset))
    async with OutgoingClient(serve(answers), LIMITS, now=lambda: noon) as client:
        with pytest.raises(
            RateLimitedError, match=r"no more requests for 37 min .*403 Forbidden.*what is there already"
        ):
            await client.get(URL, largest_bytes=10)


async def test_when_a_host_asks_one_request_to_wait_all_wait(serve: Serve, reply: Reply) -> None:
    asked: list[tuple[float, str]] = []

    def limited(_host: str, target: str) -> bytes:
        asked.append((time.monotonic(), target))
        return reply(status=429, retry_after=1) if len(asked) == 1 else reply(b"here")

    async with OutgoingClient(serve(limited), replace(LIMITS, concurrency=1)) as client:
        urls = [f"https://files.test/{number}" for number in range(4)]
        assert await asyncio.gather(*(client.get(url, largest_bytes=10) for url in urls)) == [b"here"] * 4
    assert asked[1][0] - asked[0][0] >= 1.0


async def test_waits_grow_and_differ(serve: Serve, reply: Reply) -> None:
    answers = Answers(reply(status=500))
    with pytest.raises(NetworkError):
        await _get(serve(answers), replace(LIMITS, first_wait_seconds=0.1))
    waits = [later - sooner for sooner, later in zip(answers.asked, answers.asked[1:], strict=False)]
    assert waits[0] >= 0.05
    assert waits[1] >= 0.1
    assert waits[2] >= 0.2


async def test_no_more_requests_are_under_way_than_are_polite(serve: Serve, reply: Reply) -> None:
    under_way: list[int] = [0]
    most: list[int] = []

    def counted(_host: str, _target: str) -> bytes:
        under_way[0] += 1
        most.append(under_way[0])
        time.sleep(0.02)
        under_way[0] -= 1
        return reply(b"here")

    async with OutgoingClient(serve(counted), LIMITS) as client:
        await asyncio.gather(*(client.get(URL, largest_bytes=10) for _ in range(12)))
    assert max(most) == 2


async def test_without_network_it_ends_at_once_and_says_so(serve: Serve) -> None:
    async def offline(_host: str, _port: int) -> list[tuple[str, int]]:
        raise socket.gaierror(-3, "Temporary failure in name resolution")

    begun = time.monotonic()
    policy = Policy(hosts=frozenset({"files.test"}), resolve=offline)
    with pytest.raises(UnreachableError, match=r"files.test cannot be reached: Temporary failure .* needs the network"):
        await _get(policy, replace(LIMITS, first_wait_seconds=60))
    assert time.monotonic() - begun < 2


async def test_a_name_server_that_is_silent_is_not_waited_for() -> None:
    async def silent(_host: str, _port: int) -> list[tuple[str, int]]:
        await asyncio.sleep(60)
        return []

    with pytest.raises(UnreachableError, match=r"files.test cannot be reached: no answer within 0\.5 s"):
        await _get(Policy(hosts=frozenset({"files.test"}), resolve=silent), replace(LIMITS, connect_seconds=0.5))


async def test_the_second_address_serves_where_the_first_is_closed(serve: Serve, reply: Reply) -> None:
    policy = serve(Answers(reply(b"here")))
    [(address, port)] = await policy.resolve("files.test", 443)
    with socket.create_server(("127.0.0.1", 0)) as unused:
        closed = int(unused.getsockname()[1])

    async def two(_host: str, _port: int) -> list[tuple[str, int]]:
        return [(address, closed), (address, port)]

    assert await _get(replace(policy, resolve=two)) == b"here"


async def test_a_network_that_goes_away_in_between_is_waited_for(serve: Serve, reply: Reply) -> None:
    policy = serve(Answers(reply(b"here")))
    fails = [False, True, True]

    async def shaky(host: str, port: int) -> list[tuple[str, int]]:
        if fails and fails.pop(0):
            raise OSError("Network is unreachable")
        return list(await policy.resolve(host, port))

    async with OutgoingClient(replace(policy, resolve=shaky), LIMITS) as client:
        assert await client.get(URL, largest_bytes=10) == b"here"
        assert await client.get(URL, largest_bytes=10) == b"here"
    assert fails == []


async def test_a_connection_is_used_again(serve: Serve, reply: Reply) -> None:
    policy = serve(Answers(reply(b"here", connection="keep-alive")))
    looked_up: list[str] = []

    async def counted(host: str, port: int) -> list[tuple[str, int]]:
        looked_up.append(host)
        return list(await policy.resolve(host, port))

    async with OutgoingClient(replace(policy, resolve=counted), LIMITS) as client:
        for _ in range(5):
            assert await client.get(URL, largest_bytes=10) == b"here"
    assert looked_up == ["files.test"]


async def test_a_request_can_be_broken_off(serve: Serve) -> None:
    def silent(_host: str, _target: str) -> bytes:
        time.sleep(0.2)
        return b""

    async with OutgoingClient(serve(silent), replace(LIMITS, read_seconds=30)) as client:
        task = asyncio.create_task(client.get(URL, largest_bytes=10))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
