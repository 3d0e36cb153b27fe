"""The client that asks for what a policy allows, patiently and politely."""

import asyncio
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from random import SystemRandom
from types import TracebackType
from typing import Self

import httpcore2

from agents_eval_core.errors import NetworkError, RateLimitedError, RefusedError, UnreachableError
from agents_eval_core.outgoing.body import read_body
from agents_eval_core.outgoing.checked_url import CheckedUrl, checked_url, followed_url
from agents_eval_core.outgoing.pinned_backend import NoConnectionError, PinnedBackend
from agents_eval_core.outgoing.policy import Limits, Policy
from agents_eval_core.outgoing.status import REDIRECTS, TryAgainError, require_ok

MINUTE = 60


def _now() -> datetime:
    return datetime.now(UTC)


class OutgoingClient:
    """Asks hosts of an allow-list for files, over `https` only.

    There are no proxies, cookies, settings, and no credentials but a key that is handed in: httpcore2 knows none of
    them by itself.

    Args:
        policy: Where requests may go.
        limits: What they may take.
        now: The clock that dates in `Retry-After` are held against.
    """

    def __init__(self, policy: Policy, limits: Limits | None = None, *, now: Callable[[], datetime] = _now) -> None:
        self._policy = policy
        self._limits = limits or Limits()
        self._now = now
        self._places = asyncio.Semaphore(self._limits.concurrency)
        self._quiet_until = 0.0
        self._has_connected = False
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=policy.tls(),
            max_connections=self._limits.concurrency,
            keepalive_expiry=self._limits.read_seconds,
            network_backend=PinnedBackend(policy),
        )

    async def __aenter__(self) -> Self:
        await self._pool.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self._pool.__aexit__(kind, problem, traceback)

    async def get(self, url: str, *, largest_bytes: int) -> bytes:
        """Return what is at a URL.

        Trouble that may pass is waited out: 429 and 5xx, cut connections and bodies, silence. Where the very first
        connection cannot be made, there is no network, and it ends at once.

        Args:
            url: An `https` URL of an allowed host.
            largest_bytes: How large the body may be, unpacked.

        Raises:
            RefusedError: The URL, a redirect, an address of the host or the size is not allowed.
            UnreachableError: The host cannot be reached.
            RateLimitedError: The host wants to be left alone for longer than the limits allow to wait.
            NetworkError: It did not come for another reason.
        """
        asked = Asked(target=checked_url(url, self._policy.hosts))
        async with self._places:
            return await self._patiently(asked, largest_bytes)

    async def post(self, url: str, content: bytes, *, largest_bytes: int, bearer: str) -> bytes:
        """Return what a host answers to JSON that it is sent with a key.

        Nothing is sent on where the host leads elsewhere: a key goes where it was meant for.

        Args:
            url: An `https` URL of an allowed host.
            content: The JSON.
            largest_bytes: How large the answer may be, unpacked.
            bearer: The key.

        Raises:
            NetworkError: As for `get`; a redirect is a RefusedError.
        """
        asked = Asked(target=checked_url(url, self._policy.hosts), content=content, bearer=bearer)
        async with self._places:
            return await self._patiently(asked, largest_bytes)

    async def _patiently(self, asked: "Asked", largest_bytes: int) -> bytes:
        target = asked.target
        attempts = self._limits.attempts
        for attempt in range(1, attempts + 1):
            await self._stay_quiet()
            try:
                return await self._attempt(asked, largest_bytes)
            except TryAgainError as problem:
                if attempt == attempts:
                    raise problem.outcome(
                        f"{target} did not come in {attempts} attempts, the last time because {problem}; "
                        "try again later"
                    ) from problem
                await self._wait(target, problem, attempt)
        raise AssertionError(attempts)  # at least one attempt is made

    async def _attempt(self, asked: "Asked", largest_bytes: int) -> bytes:
        target = asked.target
        limit = self._limits.total_seconds
        try:
            async with asyncio.timeout(limit):
                return await self._followed(asked, largest_bytes)
        except TimeoutError as problem:
            raise TryAgainError(f"it was not there whole within {limit:g} s") from problem
        except NoConnectionError as problem:
            raise self._no_connection(target, problem) from problem
        except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.TimeoutException) as problem:
            if _is_about_trust(problem):
                raise NetworkError(
                    f"{target.host} shows a certificate that is not trusted here: {problem}; where a proxy opens "
                    "connections, its certificate must be in the trust store of the system"
                ) from problem
            raise TryAgainError(_described(problem)) from problem
        except NetworkError as problem:
            raise problem if str(target) in str(problem) else type(problem)(f"{target}: {problem}") from problem

    async def _followed(self, asked: "Asked", largest_bytes: int) -> bytes:
        for _ in range(self._limits.redirects + 1):
            found = await self._asked(asked, largest_bytes)
            if isinstance(found, bytes):
                return found
            if asked.content is not None:
                raise RefusedError(f"it leads on to {found}, and what was sent is not sent on")
            asked = Asked(target=found)
        raise RefusedError(f"it leads on more than {self._limits.redirects} times")

    async def _asked(self, asked: "Asked", largest_bytes: int) -> bytes | CheckedUrl:
        """Return the body, or where it leads."""
        limits, target = self._limits, asked.target
        url = httpcore2.URL(scheme=b"https", host=target.host.encode(), target=target.target.encode())
        patience = {"connect": limits.connect_seconds, "read": limits.read_seconds, "write": limits.read_seconds}
        method = "GET" if asked.content is None else "POST"
        async with self._pool.stream(
            method, url, headers=_headers(asked), content=asked.content, extensions={"timeout": patience}
        ) as answer:
            self._has_connected = True
            headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in answer.headers}
            if answer.status in REDIRECTS:
                return followed_url(target, headers.get("location", ""), self._policy.hosts)
            require_ok(answer.status, headers, self._now())
            encoding = headers.get("content-encoding", "")
            return await read_body(answer.aiter_stream(), encoding, largest_bytes=largest_bytes)

    def _no_connection(self, target: CheckedUrl, problem: NoConnectionError) -> Exception:
        if self._has_connected:
            return TryAgainError(f"there was no connection ({problem})", outcome=UnreachableError)
        return UnreachableError(
            f"{target.host} cannot be reached: {problem}; this needs the network, and uses no proxy: "
            "check the connection and try again"
        )

    async def _wait(self, target: CheckedUrl, problem: TryAgainError, attempt: int) -> None:
        longest = self._limits.longest_wait_seconds
        if problem.seconds is None:
            most = min(longest, self._limits.first_wait_seconds * 2 ** (attempt - 1))
            await asyncio.sleep(SystemRandom().uniform(most / 2, most))
        elif problem.seconds <= longest:
            self._quiet_until = max(self._quiet_until, asyncio.get_running_loop().time() + problem.seconds)
        else:
            minutes = -(-problem.seconds // MINUTE)
            raise RateLimitedError(
                f"{target.host} wants no more requests for {minutes:g} min (for {target} {problem}); "
                "run the same again after that, what is there already is kept"
            ) from problem

    async def _stay_quiet(self) -> None:
        """Wait until the end of the time for which a host wanted no requests, whichever request it said that to."""
        clock = asyncio.get_running_loop().time
        while (rest := self._quiet_until - clock()) > 0:  # noqa: ASYNC110  another answer may prolong it
            await asyncio.sleep(rest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request: where to, and what is sent, if anything."""

    target: CheckedUrl
    content: bytes | None = None
    bearer: str = field(default="", repr=False)


def _headers(asked: Asked) -> list[tuple[bytes, bytes]]:
    sent = (
        []
        if asked.content is None
        else [
            (b"Content-Type", b"application/json"),
            (b"Content-Length", str(len(asked.content)).encode()),
            (b"Authorization", f"Bearer {asked.bearer}".encode()),
        ]
    )
    return [
        (b"Host", asked.target.host.encode()),
        *sent,
        (b"User-Agent", f"agents-eval/{version('agents-eval-core')}".encode()),
        (b"Accept", b"*/*"),
        (b"Accept-Encoding", b"gzip"),
    ]


def _is_about_trust(problem: BaseException | None) -> bool:
    while problem is not None and not isinstance(problem, ssl.SSLCertVerificationError):
        problem = problem.__cause__ or problem.__context__
    return problem is not None


def _described(problem: Exception) -> str:
    if isinstance(problem, httpcore2.ReadTimeout):
        return "it fell silent"
    return f"the connection failed ({str(problem) or type(problem).__name__})"
