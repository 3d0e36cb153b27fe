"""Span records as OpenTelemetry has them, before any convention says what they mean."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, field


class RawEvent(Struct, frozen=True, kw_only=True):
    """An event of a span."""

    name: str
    attributes: Mapping[str, Any]


class RawSpan(Struct, frozen=True, kw_only=True):
    """A span before any convention is applied; times in nanoseconds since 1970, `code` 0 unset, 1 ok, 2 error.

    Who reads it by a convention takes the attributes over: what is used leaves them.
    """

    trace_id: str
    id: str
    name: str
    parent_id: str | None = None
    started: int | None = None
    ended: int | None = None
    code: int = 0
    message: str = ""
    attributes: dict[str, Any] = field(default_factory=dict[str, Any])
    events: Sequence[RawEvent] = ()
    scope: str = ""
    resource: Mapping[str, Any] = field(default_factory=dict[str, Any])


class Reading(Struct):
    """What was not understood in a file, by kind, and the first problem with its place."""

    unread: Counter[str] = field(default_factory=Counter[str])
    problem: str = ""

    def miss(self, kind: str, why: str) -> None:
        """Count what was not understood."""
        self.unread[kind] += 1
        self.problem = self.problem or why

    def why_empty(self, *, is_blank: bool, wanted: str) -> str:
        """Return why a file gave no span, and what to give instead."""
        if not self.problem and is_blank:
            return "it is empty; was the run recorded to its end?"
        return f"{self.problem or 'line 1: the list of spans is empty'}; give a file of {wanted}"
