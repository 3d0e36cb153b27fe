"""The steps of a trace that are looked at: filtered, errors first where that is wanted."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from agents_eval_core.report.trace_skeleton import SkeletonStep, agent_labels, trace_skeleton
from agents_eval_core.trace import Span, Trace

NOBODY: Final = "no agent"
MARKS: Final = {"error": "✖ error", "ok": "✔ ok", "unknown": "? unknown"}


@dataclass(frozen=True, slots=True, kw_only=True)
class StepFilter:
    """Which steps are wanted; what is empty asks for nothing."""

    agents: frozenset[str] = frozenset()
    tools: frozenset[str] = frozenset()
    statuses: frozenset[str] = frozenset()
    words: str = ""
    errors_first: bool = False

    def takes(self, step: SkeletonStep, span: Span) -> bool:
        """Whether a step is wanted."""
        return (
            (not self.agents or (step.agent or NOBODY) in self.agents)
            and (not self.tools or (span.tool is not None and span.tool.name in self.tools))
            and (not self.statuses or step.status in self.statuses)
            and (not self.words or self.words.lower() in f"{step.words} {step.error_text or ''}".lower())
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """All steps of a trace, and what they can be filtered by."""

    trace: Trace
    steps: tuple[SkeletonStep, ...]
    agents: tuple[str, ...]
    tools: tuple[str, ...]

    def wanted(self, by: StepFilter) -> tuple[SkeletonStep, ...]:
        """Return the wanted steps, in the order of the tree or the failed ones first."""
        found = [step for step in self.steps if by.takes(step, self.trace.span_by_id[step.id])]
        return tuple(sorted(found, key=lambda step: step.status != "error") if by.errors_first else found)


def steps_of(trace: Trace) -> Steps:
    """Return the steps of a trace."""
    steps = tuple(trace_skeleton(trace))
    tools = {span.tool.name for span in trace.spans if span.tool is not None}
    return Steps(
        trace=trace,
        steps=steps,
        agents=tuple(dict.fromkeys(step.agent or NOBODY for step in steps)),
        tools=tuple(sorted(tools)),
    )


def tree_rows(steps: tuple[SkeletonStep, ...]) -> Iterator[dict[str, object]]:
    """Yield the lines of the tree, deeper ones further in."""
    for step in steps:
        yield {
            "step": "\N{EM SPACE}" * step.depth + step.words,
            "agent": step.agent or NOBODY,
            "status": MARKS[step.status] + (" (inferred)" if step.is_status_inferred else ""),
            "seconds": step.seconds,
            "tokens in": step.input_tokens,
            "tokens out": step.output_tokens,
            "error": " ".join(part for part in (step.error_type, step.error_text) if part),
            "id": step.id,
        }


def name_of(trace: Trace, agent_id: str | None) -> str:
    """Return what an agent is called in the list of steps."""
    return NOBODY if agent_id is None else agent_labels(trace).get(agent_id, agent_id)
