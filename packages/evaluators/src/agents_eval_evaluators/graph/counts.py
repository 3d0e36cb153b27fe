"""How much happened in a run: agents, spans, requests, calls, delegations. Facts, no grades."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Measure, Tier
from agents_eval_core.trace import Trace
from agents_eval_evaluators.graph.calls import Call, tool_calls
from agents_eval_evaluators.graph.failed_calls import calls_after_failures

UNITS: Final[Mapping[str, str]] = {
    "agents": "agents",
    "spans": "spans",
    "model_requests": "requests",
    "tool_calls": "calls",
    "failed_calls": "calls",
    "delegations": "delegations",
    "delegation_depth": "edges",
    "retries": "calls",
}


def delegation_depth(trace: Trace) -> int:
    """Return the longest chain of delegations below the agent in charge, in edges; a single agent has 0.

    A delegation lies below another when its span does, or, where spans are not nested, when the agent who gives was
    itself first reached by one. Handing work back to an agent that had it before adds nothing.

    >>> from agents_eval_core.trace import Source, Span
    >>> given = [("a", "b"), ("b", "c"), ("c", "a")]
    >>> delegation_depth(Trace(id="t", source=Source(format="native"), spans=tuple(
    ...     Span(id=str(n), seq=n, operation="handoff", name="", agent_id=one, to_agent_id=other)
    ...     for n, (one, other) in enumerate(given))))
    2
    """
    reached: dict[str | None, int] = {}
    deepest = 0
    for span in trace.spans:
        if span.to_agent_id is not None and span.is_delegation:
            chain = 1 + sum(above.is_delegation for above in trace.ancestors(span))
            giver = reached.setdefault(span.agent_id, 0)
            known = reached.setdefault(span.to_agent_id, max(chain, giver + 1))
            deepest = max(deepest, chain, known)
    return deepest


def retries(calls: Sequence[Call]) -> int:
    """Return how many calls an agent made of a tool that had failed it the last time.

    >>> from agents_eval_core.trace import Span, ToolUse
    >>> tool = ToolUse(name="t")
    >>> def call(status):
    ...     return Call(Span(id="", seq=0, operation="execute_tool", name="t", status=status, tool=tool), tool, "t {}")
    >>> retries([call("error"), call("error"), call("ok"), call("ok")])
    2
    """
    return sum(1 for _ in calls_after_failures(calls, lambda call: (call.span.agent_id, call.tool.name)))


def counts(trace: Trace) -> Mapping[str, int]:
    """Return what can be counted in a trace, by name; tool calls do not include delegations."""
    calls = tool_calls(trace)
    return {
        "agents": sum(agent.role in ("worker", "orchestrator") for agent in trace.agents),
        "spans": len(trace.spans),
        "model_requests": sum(span.operation == "chat" for span in trace.spans),
        "tool_calls": len(calls),
        "failed_calls": sum(call.has_failed for call in calls),
        "delegations": sum(span.to_agent_id is not None and span.is_delegation for span in trace.spans),
        "delegation_depth": delegation_depth(trace),
        "retries": retries(calls),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Measures a run by `counts`; without a trace each of them is unknown."""

    name: str = "counts"
    version: str = "1"
    tier: Tier = 3
    metrics: tuple[str, ...] = ()

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Count what the trace holds."""
        found: Mapping[str, int] = counts(run.trace) if run.trace is not None else {}
        measures = (Measure(name=name, value=found.get(name), unit=unit) for name, unit in UNITS.items())
        return Evaluation(measures=tuple(measures))
