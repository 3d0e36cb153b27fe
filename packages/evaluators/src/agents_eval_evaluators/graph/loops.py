"""Going round in circles: the same call again, the same words again, the same work below itself."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Finding, Tier
from agents_eval_core.trace import Span, Trace
from agents_eval_evaluators.graph.calls import Call, same_result, tool_calls, value_key
from agents_eval_evaluators.scoring import figures, graded, process_finding, silent

THRESHOLD: Final = 3
ALIKE: Final = 0.9
TEXT_COMPARED: Final = 2000
SHORTEST_OUTPUT: Final = 20
UNITS: Final = (("identical_repeats", "calls"), ("stagnant_outputs", "outputs"), ("ancestry_cycles", "spans"))


def identical_repeats(calls: Sequence[Call]) -> Mapping[str, tuple[Call, ...]]:
    """Return, by call, the calls that an agent had made before with equal arguments and that came to the same.

    Asking again and hearing something else, as in waiting for a job, is no repeat.
    """
    last: dict[tuple[str | None, str], Call] = {}
    found: dict[str, list[Call]] = {}
    for call in calls:
        before = last.get(same := (call.span.agent_id, call.key))
        if before is not None and same_result(before, call):
            found.setdefault(call.key, []).append(call)
        last[same] = call
    return {key: tuple(repeats) for key, repeats in found.items()}


def alike(first: str, second: str) -> float:
    """Return the Jaccard similarity of the pairs of neighbouring words of two texts, of their first 2,000 characters.

    >>> alike("I will try again now", "I will try again today")
    0.6
    """
    return 1.0 if first == second else _jaccard(_pairs(first), _pairs(second))


def _jaccard(one: set[tuple[str, str]], other: set[tuple[str, str]]) -> float:
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared) if one or other else 0.0


def _pairs(text: str) -> set[tuple[str, str]]:
    said = text[:TEXT_COMPARED].lower().split()
    return set(pairwise(said))


class _Said:
    """What an agent said last; its pairs of words are found when they are first needed, and once."""

    __slots__ = ("_found", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._found: set[tuple[str, str]] | None = None

    @property
    def pairs(self) -> set[tuple[str, str]]:
        if self._found is None:
            self._found = _pairs(self.text)
        return self._found

    def repeats(self, before: "_Said") -> bool:
        longer, shorter = max(len(before.text), len(self.text)), min(len(before.text), len(self.text))
        if shorter < longer * 0.7 and longer <= TEXT_COMPARED:
            return False
        return before.text == self.text or _jaccard(before.pairs, self.pairs) >= ALIKE


def stagnant_outputs(trace: Trace) -> tuple[Span, ...]:
    """Return what an agent said that is nearly what the same agent had said just before (similarity at least 0.9).

    Outputs of fewer than 20 characters ("ok") are passed over. What users and environments say is not looked at.
    """
    said: dict[str, _Said] = {}
    found: list[Span] = []
    working = {agent.id for agent in trace.agents if agent.role in ("worker", "orchestrator")}
    for span in trace.spans:
        text = span.text
        if not text or len(text) < SHORTEST_OUTPUT or span.operation not in ("chat", "message"):
            continue
        if span.agent_id is None or span.agent_id not in working:
            continue
        before, now = said.get(span.agent_id), _Said(text)
        if before is not None and now.repeats(before):
            found.append(span)
        said[span.agent_id] = now
    return tuple(found)


def ancestry_cycles(trace: Trace) -> tuple[Span, ...]:
    """Return the spans with the operation, name, agent and input of a span above them; without input there is none."""
    kinds: dict[tuple[object, ...], list[Span]] = {}
    for span in trace.spans:
        if span.operation in ("invoke_agent", "execute_tool", "handoff"):
            kinds.setdefault(_kind(span), []).append(span)
    return tuple(span for spans in kinds.values() if len(spans) > 1 for span in spans if _is_within(span, trace))


def _is_within(span: Span, trace: Trace) -> bool:
    if span.parent_id not in trace.span_by_id:
        return False
    kind = _kind(span)
    same = [above for above in trace.ancestors(span) if above.operation == span.operation and _kind(above) == kind]
    given = _input(span) if same else None
    return given is not None and any(_input(one) == given for one in same)


def _kind(span: Span) -> tuple[object, ...]:
    return span.operation, span.name, span.agent_id, span.to_agent_id


def _input(span: Span) -> str | None:
    if span.tool is not None:
        return None if span.tool.arguments is None else value_key(span.tool.arguments)
    return span.text


def step_score(count: int, threshold: int = THRESHOLD) -> float:
    """Return 1 below the threshold, 0.5 from there, 0 from twice the threshold (DeepEval's steps, threshold 3).

    >>> [step_score(count) for count in (2, 3, 6)]
    [1.0, 0.5, 0.0]
    """
    if count < threshold:
        return 1.0
    return 0.5 if count < 2 * threshold else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Loops:
    """Scores a run by the worst of three signs: identical calls and stagnant outputs by `step_score`, cycles 0 or 1.

    For calls it counts how often the most repeated one was made with the same result; for outputs, how many were
    stagnant.

    References:
        After DeepEval's AgentLoopDetection; similarity of outputs by word pairs alone.
    """

    name: str = "loops"
    version: str = "1"
    tier: Tier = 3
    metrics: tuple[str, ...] = ("loop_score",)

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Look for the three signs."""
        if run.trace is None or not run.trace.spans:
            return silent(self, "not_measured", "the run has no trace", UNITS)
        calls = tool_calls(run.trace)
        repeated = identical_repeats(calls)
        outputs, cycles = stagnant_outputs(run.trace), ancestry_cycles(run.trace)
        if not calls and not any(span.text or span.is_delegation for span in run.trace.spans):
            return silent(self, "not_applicable", "no tool was called and nothing was said", UNITS)
        most = 1 + max((len(repeats) for repeats in repeated.values()), default=0)
        value = min(step_score(most), step_score(len(outputs) + bool(outputs)), float(not cycles))
        counts = (sum(map(len, repeated.values())), len(outputs), len(cycles))
        return Evaluation(
            scores=graded(
                self,
                {"loop_score": value},
                explanation=f"the most repeated call was made {most} times with the same result; "
                f"{len(outputs)} outputs repeated the one before; {len(cycles)} spans repeat one above them",
                span_ids=dict.fromkeys(
                    [call.span.id for repeats in repeated.values() for call in repeats]
                    + [span.id for span in (*outputs, *cycles)]
                ),
            ),
            measures=figures(UNITS, counts),
            findings=tuple(_findings(run.trace, repeated, outputs, cycles)),
        )


def _findings(
    trace: Trace, repeated: Mapping[str, Sequence[Call]], outputs: Sequence[Span], cycles: Sequence[Span]
) -> Iterator[Finding]:
    for calls in repeated.values():
        if len(calls) + 1 >= THRESHOLD:
            sentence = (
                f"{trace.agent_name(calls[0].span.agent_id)} called {calls[0].tool.name} {len(calls) + 1} times "
                f"with the same arguments and the same result."
            )
            yield process_finding("identical_calls", "warning", sentence, (call.span.id for call in calls))
    if len(outputs) + 1 >= THRESHOLD:
        who = ", ".join(dict.fromkeys(trace.agent_name(span.agent_id) for span in outputs))
        sentence = f"{len(outputs)} outputs say nearly what the same agent had just said ({who})."
        yield process_finding("stagnation", "warning", sentence, (span.id for span in outputs))
    if cycles:
        sentence = f"{cycles[0].name} was started within itself with the same input {len(cycles)} times."
        yield process_finding("ancestry_cycle", "warning", sentence, (span.id for span in cycles))
