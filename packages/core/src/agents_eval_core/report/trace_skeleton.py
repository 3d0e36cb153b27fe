"""A trace as a list of steps under each other: who did what, how it ended, what it took."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, Final, cast

from pydantic import AwareDatetime

from agents_eval_core.frozen import Frozen
from agents_eval_core.trace import Operation, Span, Status, Trace, Usage

WORDS: Final = 120
ARGUMENT: Final = 40
REACH: Final = 1000
HIDDEN: Final = "\N{REPLACEMENT CHARACTER}"


class SkeletonStep(Frozen):
    """One step, in words; `depth` says how deep it lies."""

    id: str
    seq: int
    depth: int
    operation: Operation
    agent: str | None
    words: str
    status: Status
    is_status_inferred: bool
    error_type: str | None
    error_text: str | None
    input_tokens: int | None
    output_tokens: int | None
    is_total_of_steps_below: bool
    seconds: float | None
    started_at: AwareDatetime | None


def trace_skeleton(trace: Trace) -> Iterator[SkeletonStep]:
    """Yield the steps, each below the one it is part of, else in the order in which they began.

    Spans whose parents form a circle stand at the top, so that none is lost.

    >>> from agents_eval_core.trace import Agent, Source, ToolUse
    >>> spans = (Span(id="a", seq=0, operation="invoke_agent", name="invoke_agent m", agent_id="m"), Span(
    ...     id="b", seq=1, operation="execute_tool", name="", parent_id="a", agent_id="m", status="error",
    ...     tool=ToolUse(name="read", arguments={"section": "3"})))
    >>> trace = Trace(id="t", source=Source(format="native"), spans=spans, agents=(Agent(id="m", name="manager"),))
    >>> [(step.depth, step.words) for step in trace_skeleton(trace)]
    [(0, 'agent manager'), (1, 'calls read(section=3)')]
    """
    seen: set[str] = set()
    who = agent_labels(trace)
    for top in chain(trace.children.get(None, ()), trace.spans):
        waiting = [(top, 0)]
        while waiting:
            span, depth = waiting.pop()
            if span.id in seen:
                continue
            seen.add(span.id)
            yield _step(span, depth, who)
            waiting.extend((below, depth + 1) for below in reversed(trace.children.get(span.id, ())))


def agent_labels(trace: Trace) -> Mapping[str, str]:
    """Return what to call each agent, by its id: its name, from the second one of a name on with a number.

    >>> from agents_eval_core.trace import Agent, Source
    >>> twins = (Agent(id="1f", name="reader"), Agent(id="2e", name="reader"))
    >>> agent_labels(Trace(id="t", source=Source(format="native"), agents=twins))
    {'1f': 'reader', '2e': 'reader#2'}
    """
    seen: Counter[str] = Counter()
    labels: dict[str, str] = {}
    for agent in trace.agents:
        seen[agent.name] += 1
        labels[agent.id] = agent.name if seen[agent.name] == 1 else f"{agent.name}#{seen[agent.name]}"
    return labels


def shown_text(text: str, longest: int = WORDS) -> str:
    r"""Return the beginning of an untrusted text on one line, without characters that a terminal would act on.

    >>> shown_text("a\n\x1b[31mb") == "a \ufffd[31mb"
    True
    """
    line = " ".join(text[: 4 * longest].split())
    cut = line if len(line) <= longest else f"{line[: longest - 1]}…"
    if cut.isprintable():  # nearly every text is, and a large trace has tens of thousands
        return cut
    return "".join(letter if letter.isprintable() else HIDDEN for letter in cut)


def _step(span: Span, depth: int, who: Mapping[str, str]) -> SkeletonStep:
    usage = span.usage or Usage()
    agent, receiver = (None if one is None else who.get(one, one) for one in (span.agent_id, span.to_agent_id))
    return SkeletonStep(
        id=span.id,
        seq=span.seq,
        depth=depth,
        operation=span.operation,
        agent=None if agent is None else shown_text(agent),
        words=_words(span, agent, receiver),
        status=span.status,
        is_status_inferred=span.status_source == "inferred",
        error_type=span.error_type and shown_text(span.error_type),
        error_text=span.error_text and shown_text(span.error_text),
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        is_total_of_steps_below=usage.scope == "subtree",
        seconds=span.seconds,
        started_at=span.started_at,
    )


def _words(span: Span, agent: str | None, receiver: str | None) -> str:
    match span.operation:
        case "invoke_agent":
            words = f"agent {agent or '?'}"
        case "chat":
            words = f"asks {span.model or 'a model'}" + _quoted(span.text)
        case "execute_tool":
            words = f"calls {_call(span)}" if receiver is None else f"gives work to {receiver} by {_call(span)}"
        case "handoff":
            words = f"hands over to {receiver or '?'}" + _quoted(span.text)
        case "message":
            words = f"says{'' if receiver is None else f' to {receiver}'}" + _quoted(span.text)
        case _:
            words = span.name
    return shown_text(words)


def _quoted(text: str | None) -> str:
    return "" if text is None else f": {shown_text(text)}"


def _call(span: Span) -> str:
    if span.tool is None:
        return span.name
    arguments: Any = span.tool.arguments
    if isinstance(arguments, dict):
        items = cast("dict[str, Any]", arguments).items()
        given = ", ".join(f"{name}={shown_text(str(value)[:REACH], ARGUMENT)}" for name, value in items)
    else:
        given = "" if arguments is None else shown_text(str(arguments)[:REACH], ARGUMENT)
    return f"{span.tool.name}({given})"
