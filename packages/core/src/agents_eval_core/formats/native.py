"""The trace format `native`: our own, one JSON object a trace with `"schema": "agents-eval/trace/1"`."""

import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, cast

import msgspec
from msgspec.structs import replace

from agents_eval_core.errors import UnreadableError
from agents_eval_core.formats.building.cut_texts import cut_span
from agents_eval_core.trace import Agent, Span, Trace, Usage

SCHEMA: Final = "agents-eval/trace/1"
MARK: Final = re.compile(rb'\s*\{\s*"schema"\s*:\s*"agents-eval/trace/\d+"')
FIGURES: Final = ("input_tokens", "output_tokens", "cached_tokens", "cost_usd")
UNREADABLE: Final = (ValueError, RecursionError, OverflowError)


class NativeTrace(
    Trace, frozen=True, kw_only=True, dict=True, tag_field="schema", tag=SCHEMA, forbid_unknown_fields=True
):
    """A trace as it is written; the field `schema` comes first."""


_decoder: Final = msgspec.json.Decoder(NativeTrace)


class NativeFormat:
    """Reads traces as `export_native` writes them: one a line, or one in the whole file.

    A line that is damaged is counted in `unread` of the last trace; the others are read. A file that says what no trace
    can say (two spans of one id, a time without zone) is mended and says so in `unread`.
    """

    @property
    def name(self) -> str:
        """The name it is declared under."""
        return "native"

    def recognises(self, source: Path, head: bytes) -> bool:  # noqa: ARG002  the content tells, not the name
        """Whether the first bytes are those of a trace of ours.

        >>> NativeFormat().recognises(Path("any"), b'{"schema":"agents-eval/trace/1","id":"a"')
        True
        """
        return MARK.match(head) is not None

    def read(self, source: Path, *, longest_text: int | None = None) -> Iterator[Trace]:
        """Yield the traces of a file.

        Raises:
            UnreadableError: The file cannot be read, or holds no trace of ours; names the first problem and its line.
        """
        damaged: Counter[str] = Counter()
        problem, last = "", None
        for number, line in _lines(source):
            try:
                found = _sound(_decoder.decode(line), longest_text)
            except UNREADABLE as why:
                problem = problem or f"line {number}: {why}"
                damaged["damaged line"] += 1
                continue
            if last is not None:
                yield last
            last = found
        if last is None:
            raise UnreadableError(f"{source} cannot be read as {self.name}: {problem or 'it is empty'}")
        yield replace(last, unread=dict(Counter(last.unread) + damaged)) if damaged else last

    def write(self, trace: Trace) -> bytes:
        """Return a trace as one line."""
        return export_native(trace)


def export_native(trace: Trace) -> bytes:
    """Return a trace as one line of JSON that reads back equal.

    In attributes, numbers that JSON does not know (NaN, infinities) become null, and what JSON has
    no form for becomes text.

    >>> from agents_eval_core.trace import Source
    >>> export_native(Trace(id="t", source=Source(format="otlp")))[:47]
    b'{"schema":"agents-eval/trace/1","id":"t","sourc'
    """
    written = NativeTrace(**{name: getattr(trace, name) for name in Trace.__struct_fields__})
    try:
        return msgspec.json.encode(written, enc_hook=str) + b"\n"
    except UnicodeEncodeError:
        return msgspec.json.encode(_legible(msgspec.to_builtins(written, enc_hook=str))) + b"\n"


def _lines(source: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not empty; the whole file at once where its first line is no object of its own."""
    try:
        with source.open("rb") as file:
            first = file.readline()
            if first.rstrip()[-1:] != b"}":
                yield 1, first + file.read()
                return
            yield 1, first
            yield from ((number, line) for number, line in enumerate(file, start=2) if line.strip())
    except OSError as problem:
        raise UnreadableError(f"{source} cannot be read: {problem.strerror or problem}; give a trace file") from problem


def _sound(found: NativeTrace, longest_text: int | None) -> Trace:
    """Return a trace as traces have to be; what had to be mended is counted in `unread`."""
    unread = Counter({kind: count for kind, count in found.unread.items() if count > 0})
    spans: dict[str, Span] = {}
    for span in sorted(found.spans, key=lambda span: span.seq):
        if span.id in spans:
            unread["repeated span"] += 1
            continue
        sound = span if _is_sound(span) else _mended(span, unread)
        if sound.seq != len(spans):
            sound = replace(sound, seq=len(spans))
        spans[span.id] = cut_span(sound, longest_text)
    agents = {agent.id: agent for agent in reversed(found.agents)}
    if len(agents) < len(found.agents):
        unread["repeated agent"] += len(found.agents) - len(agents)
    agents = {agent.id: agents[agent.id] for agent in found.agents}
    for name in (name for span in spans.values() for name in (span.agent_id, span.to_agent_id)):
        if name is not None and name not in agents:
            unread["agent that is not listed"] += 1
            agents[name] = Agent(id=name, name=name)
    values: dict[str, Any] = {name: getattr(found, name) for name in Trace.__struct_fields__}
    values.update(spans=tuple(spans.values()), agents=tuple(agents.values()), unread=dict(unread))
    return Trace(**values)


def _is_sound(span: Span) -> bool:
    return (
        (span.started_at is None or span.started_at.tzinfo is not None)
        and (span.ended_at is None or span.ended_at.tzinfo is not None)
        and (span.usage is None or not _negative(span.usage))
    )


def _negative(usage: Usage) -> list[str]:
    return [name for name in FIGURES if (getattr(usage, name) or 0) < 0]


def _mended(span: Span, unread: Counter[str]) -> Span:
    changes: dict[str, Any] = {}
    for name in ("started_at", "ended_at"):
        moment: datetime | None = getattr(span, name)
        if moment is not None and moment.tzinfo is None:
            unread["time without zone"] += 1
            changes[name] = moment.replace(tzinfo=UTC)
    if span.usage is not None and (negative := _negative(span.usage)):
        unread["negative usage"] += 1
        changes["usage"] = replace(span.usage, **dict.fromkeys(negative))
    return replace(span, **changes)


def _legible(value: Any) -> Any:
    """Return a value without halves of letters, which JSON cannot carry."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {_legible(key): _legible(item) for key, item in cast("dict[Any, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [_legible(item) for item in cast("list[Any]", value)]
    return value
