"""Publishing: the trace of a run that ended is sent to the viewers that are switched on, once."""

import asyncio
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Final

from httpx2 import AsyncClient, ConnectError, HTTPError

from agents_eval_agents.providers.access import is_local
from agents_eval_agents.recorder import SERVICE
from agents_eval_agents.viewer_copy import viewer_copy
from agents_eval_core.ports.engine import Viewers

SECONDS: Final = 2.0
TRACES: Final = "/v1/traces"
HEADERS: Final = {"content-type": "application/x-protobuf", "content-encoding": "gzip"}
LOGFIRE: Final = "Logfire"


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewer:
    """Something that takes spans over OTLP/HTTP.

    Attributes:
        base_url: Where it is; `/v1/traces` is added.
        headers: What it needs to know of the sender, such as a project or a key.
    """

    base_url: str
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


async def publish(lines: bytes, viewers: Viewers, *, seconds: float = SECONDS) -> tuple[str, ...]:
    """Send the spans of a run that ended to the viewers that are switched on.

    Nothing of a viewer can harm a run: a viewer that refuses, is silent, or is cut off by a cancellation is a note.

    Args:
        lines: The spans as they are kept, see `otlp_lines`; they are sent with what is added by `viewer_copy`.
        viewers: Who is shown them.
        seconds: How long to wait, for all viewers together.

    Returns:
        One sentence for each viewer that did not take them.

    >>> asyncio.run(publish(b"", Viewers()))
    ()
    """
    attempts: dict[str, Coroutine[Any, Any, tuple[str, ...]]] = {}
    if viewers.phoenix_endpoint is not None:
        attempts[viewers.phoenix_endpoint] = _to_phoenix(viewers.phoenix_endpoint, lines, seconds)
    if viewers.logfire:
        attempts[LOGFIRE] = _to_logfire(lines, seconds)
    try:
        outcomes = await asyncio.gather(*attempts.values(), return_exceptions=True)
    except asyncio.CancelledError:
        return tuple(_note(where, "it was interrupted") for where in attempts)
    return tuple(note for where, outcome in zip(attempts, outcomes, strict=True) for note in _notes(where, outcome))


async def _to_phoenix(base_url: str, lines: bytes, seconds: float) -> tuple[str, ...]:
    return await _send(viewer_copy(lines), Viewer(base_url=base_url, headers={"x-project-name": SERVICE}), seconds)


async def _to_logfire(lines: bytes, seconds: float) -> tuple[str, ...]:
    from agents_eval_agents.logfire_projects import logfire_projects  # noqa: PLC0415  loaded only where it is wanted

    projects = await asyncio.to_thread(logfire_projects)
    if not projects:
        return (_note(LOGFIRE, "there is no token; set LOGFIRE_TOKEN or run 'logfire projects use'"),)
    body = viewer_copy(lines)
    viewers = (Viewer(base_url=one.base_url, headers={"authorization": one.token}) for one in projects)
    return tuple(chain.from_iterable(await asyncio.gather(*(_send(body, viewer, seconds) for viewer in viewers))))


async def _send(body: bytes, viewer: Viewer, seconds: float) -> tuple[str, ...]:
    why = await _refusal(viewer, body, seconds)
    return () if why is None else (_note(viewer.base_url, why),)


async def _refusal(viewer: Viewer, body: bytes, seconds: float) -> str | None:
    """Send a request; return why it was not taken, or None."""
    headers = {**HEADERS, **viewer.headers}
    try:
        async with (
            asyncio.timeout(seconds),
            AsyncClient(trust_env=not is_local(viewer.base_url), timeout=None) as client,  # no proxy leads to loopback
        ):
            answer = await client.post(viewer.base_url + TRACES, content=body, headers=headers)
    except TimeoutError:
        return f"no answer within {seconds:g} s"
    except ConnectError as problem:
        return f"no connection ({problem})"
    except HTTPError as problem:
        return f"no HTTP answer ({str(problem) or type(problem).__name__})"
    return None if answer.is_success else f"it answered {answer.status_code} {answer.reason_phrase}"


def _notes(where: str, outcome: tuple[str, ...] | BaseException) -> tuple[str, ...]:
    if isinstance(outcome, BaseException):
        return (_note(where, f"{type(outcome).__name__}: {outcome}"),)
    return outcome


def _note(where: str, why: str) -> str:
    return f"the trace could not be published to {where}: {why}; it is kept in the run directory"
