"""Doing the same over and over: equal calls while nothing changes between, and failures with one and the same text."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from agents_eval_core.trace import Span, Trace
from agents_eval_evaluators.graph.calls import Call, tool_calls
from agents_eval_evaluators.graph.tool_efficiency import only_reads

MANY: Final = 3
TEXT_READ: Final = 3000
QUOTE: Final = 160


def equal_streaks(calls: Sequence[Call]) -> list[list[Call]]:
    """Return, for each agent and equal arguments, its calls from one change by another call to the next.

    Running the same test after each edit is no streak; turning the same page again and again is one, whatever it shows.
    Calls that only read, by their names, and calls that failed change nothing.
    """
    found: list[list[Call]] = []
    running: dict[tuple[str | None, str], tuple[list[Call], int]] = {}
    changes: Counter[str] = Counter()
    total = 0
    for call in calls:
        others = total - changes[call.key]
        same = (call.span.agent_id, call.key)
        known = running.get(same)
        if known is not None and known[1] == others:
            known[0].append(call)
        else:
            running[same] = ([call], others)
            found.append(running[same][0])
        if not call.has_failed and not only_reads(call.tool.name):
            changes[call.key] += 1
            total += 1
    return found


def equal_failures(trace: Trace) -> dict[tuple[str | None, str], list[Span]]:
    """Return the failed spans by who failed and with what text."""
    found: dict[tuple[str | None, str], list[Span]] = {}
    for span in trace.spans:
        if span.status == "error" and span.error_text:
            found.setdefault((span.agent_id, span.error_text[:TEXT_READ]), []).append(span)
    return found


def resource_abuse(trace: Trace) -> Iterator[tuple[str, Sequence[Span]]]:
    """Yield, in words and with its spans, what was done three times or more."""
    for streak in equal_streaks(tool_calls(trace)):
        if len(streak) >= MANY:
            who = trace.agent_name(streak[0].span.agent_id)
            what = f"{who} called {streak[0].tool.name} with equal arguments {len(streak)} times while nothing changed"
            yield what, [call.span for call in streak]
    for (agent, text), spans in equal_failures(trace).items():
        if len(spans) >= MANY:
            quote = " ".join(text.split())[:QUOTE]
            yield f"{trace.agent_name(agent)} failed {len(spans)} times with \u201c{quote}\u201d", spans
