"""The lines that Claude Code prints: what a session is doing, what it said last, and whether it failed."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, cast

from agents_eval_core.ports.engine import Progress


def events(stream: bytes) -> Iterator[Mapping[str, Any]]:
    """Yield the events of a stream; what is no event is passed over, the trace's reader counts it."""
    for line in stream.splitlines():
        event = _event(line)
        if event is not None:
            yield event


def progress_of(line: bytes) -> Progress | None:
    """Return what somebody is doing by a line, or None.

    >>> progress_of(b'{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Read"}]}}')
    Progress(agent='claude-code', action='calls Read')
    """
    event = _event(line)
    if event is None or event.get("type") != "assistant":
        return None
    agent = str(event.get("subagent_type") or "claude-code")
    for block in _blocks(event):
        if block.get("type") == "tool_use":
            return Progress(agent=agent, action=f"calls {block.get('name')}")
        if block.get("type") == "text":
            return Progress(agent=agent, action="writes")
    return None


def said_by_the_lead(stream: bytes) -> Iterator[str]:
    """Yield the texts of the agent in charge and of the results, in order."""
    for event in events(stream):
        if event.get("type") == "assistant" and event.get("parent_tool_use_id") is None:
            yield from (str(block.get("text", "")) for block in _blocks(event) if block.get("type") == "text")
        if event.get("type") == "result" and isinstance(event.get("result"), str):
            yield str(event["result"])


def failure_of(stream: bytes) -> str | None:
    """Return what the last result says went wrong, or that none came; None where it is a success.

    A session's transcript, unlike what is printed, has no results; it says nothing of failures.
    """
    told = list(events(stream))
    results = [event for event in told if event.get("type") == "result"]
    if not results:
        is_printed = any(event.get("subtype") == "init" for event in told)
        return "it ended without a result" if is_printed else None
    last = results[-1]
    if not last.get("is_error"):
        return None
    return str(last.get("result") or last.get("errors") or last.get("subtype") or "an error without words")


def session_of(stream: bytes) -> str | None:
    """Return the id of the session, or None where no line has one."""
    return next((str(event["session_id"]) for event in events(stream) if event.get("session_id")), None)


def _event(line: bytes) -> Mapping[str, Any] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else None


def _blocks(event: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    message = event.get("message")
    content = cast("Mapping[str, Any]", message).get("content") if isinstance(message, dict) else None
    if isinstance(content, list):
        blocks = cast("list[Any]", content)
        yield from (cast("Mapping[str, Any]", block) for block in blocks if isinstance(block, dict))
