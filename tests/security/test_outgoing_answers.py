"""Answers that try to lead off the list, to fill the memory, or never to end (defect D27)."""

import gzip
import time
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from agents_eval_core.errors import NetworkError, RefusedError
from agents_eval_core.outgoing.client import OutgoingClient
from agents_eval_core.outgoing.policy import Limits, Policy

Answer = Callable[[str, str], bytes | Iterator[bytes]]
Serve = Callable[[Answer], Policy]
Reply = Callable[..., bytes]
PATIENT = Limits(
    connect_seconds=5.0, read_seconds=5.0, total_seconds=10.0, attempts=2, first_wait_seconds=0.01, redirects=3
)
SHORT = replace(PATIENT, read_seconds=0.3, total_seconds=0.6)
MEGABYTE = 1024 * 1024


async def _get(policy: Policy, limits: Limits = PATIENT) -> bytes:
    async with OutgoingClient(policy, limits) as client:
        return await client.get("https://files.test/a", largest_bytes=1000)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize(
    "location",
    [
        "https://evil.test/a",
        "//evil.test/a",
        "http://files.test/a",
        "https://files.test:8443/a",
        "https://user:secret@files.test/a",
        "https://127.0.0.1/a",
        "https://2130706433/",
        "/\\evil.test",
        "https://files.test\\@evil.test/",
    ],
)
async def test_a_redirect_off_the_list_is_refused_before_anything_is_sent(
    location: str, status: int, serve: Serve, reply: Reply
) -> None:
    asked: list[str] = []

    def leads_away(host: str, target: str) -> bytes:
        asked.append(f"{host}{target}")
        return reply(status=status, location=location)

    with pytest.raises(RefusedError, match="is not asked for") as refused:
        await _get(serve(leads_away))
    assert "secret" not in str(refused.value)
    assert asked == ["files.test/a"]


async def test_each_hop_is_checked_anew(serve: Serve, reply: Reply) -> None:
    asked: list[str] = []

    def hops(host: str, target: str) -> bytes:
        asked.append(host)
        if host == "files.test":
            return reply(status=302, location="https://raw.githubusercontent.com/b")
        return reply(status=302, location="https://evil.test/c")

    with pytest.raises(RefusedError, match=r"https://evil\.test/c"):
        await _get(serve(hops))
    assert asked == ["files.test", "raw.githubusercontent.com"]


async def test_a_circle_of_redirects_ends(serve: Serve, reply: Reply) -> None:
    with pytest.raises(RefusedError, match="leads on more than 3 times"):
        await _get(serve(lambda _host, _target: reply(status=302, location="/a")))


async def test_a_body_that_is_announced_or_is_too_large_is_not_read(serve: Serve, reply: Reply) -> None:
    with pytest.raises(RefusedError, match="larger than the 1,000 bytes"):
        await _get(serve(lambda _host, _target: reply(b"x" * MEGABYTE)))
    assert await _get(serve(lambda _host, _target: reply(b"x" * 1000))) == b"x" * 1000


async def test_chunks_without_end_are_not_read_for_ever(serve: Serve) -> None:
    endless = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n" + b"3e8\r\n" + b"x" * 1000 + b"\r\n"
    with pytest.raises(RefusedError, match="larger than"):
        await _get(serve(lambda _host, _target: endless + b"3e8\r\n" + b"x" * 1000 + b"\r\n"))


@pytest.mark.parametrize("layers", [1, 2])
async def test_a_gzip_bomb_is_not_unpacked(layers: int, serve: Serve, reply: Reply) -> None:
    bomb = b"\0" * (64 * MEGABYTE)
    for _ in range(layers):
        bomb = gzip.compress(bomb)
    policy = serve(lambda _host, _target: reply(bomb, content_encoding="gzip" if layers == 1 else "gzip, gzip"))
    tracemalloc.start()
    try:
        with pytest.raises(NetworkError, match=r"larger than|not asked for"):
            await _get(policy)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 8 * MEGABYTE


async def test_a_packed_body_that_unpacks_to_nothing_is_not_read_for_ever(serve: Serve, reply: Reply) -> None:
    packer = zlib.compressobj(wbits=31)
    empty_blocks = packer.compress(b"") + b"".join(packer.flush(zlib.Z_FULL_FLUSH) for _ in range(10))
    endless = empty_blocks[:10] + b"\x00\x00\x00\xff\xff" * 100_000
    with pytest.raises(RefusedError, match="larger than"):
        await _get(serve(lambda _host, _target: reply(endless, content_encoding="gzip")))


async def test_an_honest_packed_body_is_unpacked(serve: Serve, reply: Reply) -> None:
    body = b"a" * 1000
    assert await _get(serve(lambda _host, _target: reply(gzip.compress(body), content_encoding="gzip"))) == body


@pytest.mark.parametrize("encoding", ["br", "zstd", "deflate", "compress", "x" * 1000])
async def test_packing_that_was_not_asked_for_is_refused(encoding: str, serve: Serve, reply: Reply) -> None:
    with pytest.raises(NetworkError, match="which was not asked for"):
        await _get(serve(lambda _host, _target: reply(b"x", content_encoding=encoding)))


async def test_a_host_that_says_nothing_is_not_waited_for(serve: Serve) -> None:
    def silent(_host: str, _target: str) -> bytes:
        time.sleep(0.5)
        return b""

    begun = time.monotonic()
    with pytest.raises(NetworkError, match="did not come in 2 attempts, the last time because it fell silent"):
        await _get(serve(silent), SHORT)
    assert time.monotonic() - begun < 5


async def test_a_host_that_gives_a_byte_now_and_then_is_not_waited_for(serve: Serve) -> None:
    """Each byte comes in time, but the whole does not: the total counts."""

    def drips(_host: str, _target: str) -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n"
        for _ in range(900):
            time.sleep(0.05)
            yield b"x"

    with pytest.raises(NetworkError, match=r"the last time because it was not there whole within 0\.6 s"):
        await _get(serve(drips), SHORT)


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"nonsense\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"x: y\r\n" * 100_000 + b"\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab",
        b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nshort",
        b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\nnone",
    ],
)
async def test_an_answer_that_is_none_is_an_error_of_the_network(answer: bytes, serve: Serve) -> None:
    with pytest.raises(NetworkError, match="did not come in 2 attempts"):
        await _get(serve(lambda _host, _target: answer))
