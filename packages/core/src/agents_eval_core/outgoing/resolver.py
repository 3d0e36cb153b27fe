"""Host names to addresses, without a wait that cannot be broken off."""

import asyncio
import socket
import threading
from contextlib import suppress

Endpoint = tuple[str, int]


async def resolve(host: str, port: int) -> tuple[Endpoint, ...]:
    """Return the addresses of a host, each with the port, in the order in which to try them.

    The look-up runs in a daemon thread: a resolver that does not answer can hold up neither the caller, who sets the
    time limit, nor the end of the process, which waits for the threads of asyncio.

    Raises:
        OSError: The host has no address, or there is no network (`socket.gaierror`).

    >>> asyncio.run(resolve("127.0.0.1", 443))
    (('127.0.0.1', 443),)
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[tuple[Endpoint, ...]] = loop.create_future()

    def settle(found: tuple[Endpoint, ...], problem: OSError | None) -> None:
        if answer.done():
            return
        if problem is None:
            answer.set_result(found)
        else:
            answer.set_exception(problem)

    def look_up() -> None:
        found: tuple[Endpoint, ...] = ()
        failed: OSError | None = None
        try:
            found = _addresses(host, port)
        except OSError as problem:
            failed = problem
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(settle, found, failed)

    threading.Thread(target=look_up, name="resolve", daemon=True).start()
    return await answer


def _addresses(host: str, port: int) -> tuple[Endpoint, ...]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys((str(entry[4][0]), int(entry[4][1])) for entry in found))
