"""What is known so far of the agents, requests, tool calls and messages of a Claude Code session."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from msgspec import Struct, field

from agents_eval_core.formats.claude_code.wire import Tokens
from agents_eval_core.formats.json_text.json_values import as_moment
from agents_eval_core.trace import Role

MAIN: Final = "main"
USER: Final = "user"
ENVIRONMENT: Final = "environment"
DELEGATING: Final = frozenset({"Agent", "Task"})
Rank = int
"""A place in the order: microseconds since 1970, then how many were told of before; one number takes half the room."""


class AgentDraft(Struct, kw_only=True, gc=False):
    """An agent: who it is, which call started it, when something of it was seen, and how it ended."""

    key: str
    rank: Rank
    id: str
    name: str | None = None
    role: Role | None = None
    call_id: str | None = None
    prompt: str | None = None
    is_described: bool = False
    first: datetime | None = None
    last: datetime | None = None
    status: str | None = None
    attributes: dict[str, Any] = field(default_factory=dict[str, Any])


class ChatDraft(Struct, kw_only=True, gc=False):
    """A request to the model and its answer so far.

    Attributes:
        texts: None takes no room where none comes, as in most answers of a large session; likewise thoughts and uuids.
    """

    id: str
    agent: str
    rank: Rank
    model: str | None = None
    tokens: Tokens | None = None
    texts: list[str] | None = None
    thoughts: list[str] | None = None
    is_final: bool = False
    failure: str | None = None
    first: datetime | None = None
    last: datetime | None = None
    uuids: list[str] | None = None
    attributes: dict[str, Any] = field(default_factory=dict[str, Any])


class CallDraft(Struct, kw_only=True, gc=False):
    """A tool call and, where it came, its result.

    Attributes:
        answer_rank: Of a call that may start an agent: where its result came.
        launch: The word with which a delegation began and went on; None where the call waited for the answer.
        last_tokens: Of a delegation that waited: what the delegate's last request took.
    """

    id: str
    name: str
    agent: str
    rank: Rank
    arguments: Any = None
    result: str | None = None
    is_answered: bool = False
    is_error: bool = False
    error_type: str | None = None
    answer_rank: Rank | None = None
    launch: str | None = None
    last_tokens: Tokens | None = None
    last_model: str | None = None
    first: datetime | None = None
    last: datetime | None = None
    uuids: tuple[str, ...] = ()
    attributes: dict[str, Any] = field(default_factory=dict[str, Any])


class NoteDraft(Struct, kw_only=True, gc=False):
    """A message between agents, or something else that happened once; `receiver` may be a name not known yet."""

    id: str
    sender: str
    rank: Rank
    operation: str = "message"
    name: str = "message"
    receiver: str | None = None
    text: str | None = None
    at: datetime | None = None
    call_id: str | None = None
    error_type: str | None = None
    attributes: dict[str, Any] = field(default_factory=dict[str, Any])


class Line(Struct, kw_only=True, gc=False):
    """What any line says beside its message: whose it is, when it was written, and its own identity."""

    agent: str = MAIN
    at: datetime | None = None
    uuid: str | None = None
    attributes: Mapping[str, Any] | None = None


def appended(parts: list[str] | None, part: str) -> list[str]:
    """Return a list with one more part at its end."""
    if parts is None:
        return [part]
    parts.append(part)
    return parts


def moment(text: str | None) -> datetime | None:
    """Return a point in time from ISO 8601; None where the text is none."""
    return as_moment(text) if text else None
