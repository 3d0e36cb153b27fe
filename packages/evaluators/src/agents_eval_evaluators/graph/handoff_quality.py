"""How well each hand-off went: told what was needed, heard, answered, and not done again."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final

from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Finding, Measure, Tier
from agents_eval_core.trace import Span, Trace
from agents_eval_evaluators.graph.agent_graph import agent_graph
from agents_eval_evaluators.graph.calls import Call, tool_calls
from agents_eval_evaluators.graph.delegation import Delegation, delegations
from agents_eval_evaluators.graph.telling import constraints, kept, said, telling
from agents_eval_evaluators.scoring import graded, process_finding, silent

PARTS: Final = ("routing", "facts", "constraints", "uptake", "no_rework", "acknowledged")
UNITS: Final = tuple((f"handoff.{part}", "share") for part in PARTS)
ENOUGH_TAKEN_UP: Final = 5
LOW: Final = 0.5
FAULTS: Final[Mapping[str, str]] = {
    "routing": "went to an agent that was not expected",
    "facts": "left out declared facts",
    "constraints": "left out constraints that the giver had been told",
    "uptake": "was hardly taken up by what the receiver did",
    "no_rework": "led to calls that the giver had made before",
    "acknowledged": "was never answered",
}
Parts = Mapping[str, float]


def handoff_quality(handoffs: Sequence[Parts]) -> float:
    """Return the mean over hand-offs of the mean of the parts that apply to each.

    Raises:
        UndefinedMetricError: There is no hand-off.

    >>> handoff_quality([{"acknowledged": 1, "uptake": 0.5}, {"acknowledged": 0}])
    0.375
    """
    if not handoffs:
        raise UndefinedMetricError("handoff_quality", because="no work was handed on")
    return fsum(fsum(parts.values()) / len(parts) for parts in handoffs) / len(handoffs)


class _Trail:
    """A trace read once: what each agent was told, what it did after, which calls it made."""

    def __init__(self, run: Run, trace: Trace) -> None:
        self.run, self.trace = run, trace
        self.said = said(trace)
        self.made: dict[str, list[Call]] = {}
        self.first_made: dict[tuple[str, str], int] = {}
        for call in tool_calls(trace):
            agent = call.span.agent_id or ""
            self.made.setdefault(agent, []).append(call)
            self.first_made.setdefault((agent, call.key), call.span.seq)
        self.spans: dict[str, list[Span]] = {}
        for span in trace.spans:
            self.spans.setdefault(span.agent_id or "", []).append(span)
        self.given = delegations(trace)
        self.asked: dict[str, list[Delegation]] = {}
        for one in self.given:
            self.asked.setdefault(one.receiver_id, []).append(one)
        self.task = run.case.prompt
        self.first_message = next((span for span in trace.spans if span.operation == "message" and span.text), None)
        self.demands: dict[str, tuple[frozenset[str], ...]] = {}
        agents = {agent.name for agent in trace.agents} | {trace.agent_name(one.receiver_id) for one in self.given}
        self.routes = {call.name for call in run.case.expected_calls} & agents
        self.has_answers = agent_graph(trace).has_answers

    def demanded(self, agent_id: str, before: int) -> tuple[frozenset[str], ...]:
        """Return the constraints in what an agent had been asked to do: the last request to it, or else the task."""
        requests = self.asked.get(agent_id, [])
        place = bisect_left(requests, before, key=_place)
        text = requests[place - 1].request if place else self._opening(agent_id, before)
        if text not in self.demands:
            self.demands[text] = constraints(text)
        return self.demands[text]

    def _opening(self, agent_id: str, before: int) -> str:
        first = self.first_message
        if self.task or first is None or first.agent_id == agent_id or first.seq >= before:
            return self.task
        return first.text or ""

    def calls_of(self, one: Delegation, end: int) -> Sequence[Call]:
        """Return the calls that the receiver made after a hand-off and before the next one to it."""
        made = self.made.get(one.receiver_id, [])
        start = bisect_right(made, one.span.seq, key=lambda call: call.span.seq)
        return made[start : bisect_left(made, end, key=lambda call: call.span.seq)]

    def spans_of(self, one: Delegation, end: int) -> Sequence[Span]:
        """Return what the receiver did in that time."""
        done = self.spans.get(one.receiver_id, [])
        start = bisect_right(done, one.span.seq, key=lambda span: span.seq)
        return done[start : bisect_left(done, end, key=lambda span: span.seq)]


def _place(one: Delegation) -> int:
    return one.span.seq


def handoffs(run: Run, trace: Trace) -> list[tuple[Delegation, Parts]]:
    """Return the hand-offs with the parts that apply to each.

    `routing` (only where the case expects hand-offs by the names of agents): it went to one of those. `facts` (only
    where the case declares some): share of which all telling words are in the payload. `constraints`: share of the
    demands in what the giver had itself been asked that stand in the payload, by half their telling words. `uptake`:
    telling words of the payload in what the receiver then said and asked tools, five are enough. `no_rework`: 1 - share
    of the receiver's calls that the giver had made with equal arguments. `acknowledged`: an answer
    came, where the trace records results at all.
    """
    trail = _Trail(run, trace)
    ends = _ends(trail.given, len(trace.spans))
    return [(one, dict(_parts(one, trail, ends[one.span.seq]))) for one in trail.given]


def _ends(given: Sequence[Delegation], length: int) -> Mapping[int, int]:
    """Return for each hand-off where the next one to the same receiver begins."""
    following: dict[str, int] = {}
    ends: dict[int, int] = {}
    for one in reversed(given):
        ends[one.span.seq] = following.get(one.receiver_id, length)
        following[one.receiver_id] = one.span.seq
    return ends


def _parts(one: Delegation, trail: _Trail, end: int) -> Iterator[tuple[str, float]]:
    payload = telling(one.request)
    if trail.routes:
        yield "routing", float(trail.trace.agent_name(one.receiver_id) in trail.routes)
    if facts := [words for fact in trail.run.case.declared_facts if (words := telling(fact))]:
        yield "facts", sum(words <= payload for words in facts) / len(facts)
    giver = one.span.agent_id or ""
    if wanted := trail.demanded(giver, one.span.seq):
        yield "constraints", kept(wanted, payload)
    later = [text for span in trail.spans_of(one, end) for text in trail.said[span.seq]]
    if payload and later:
        enough = min(ENOUGH_TAKEN_UP, len(payload))
        yield "uptake", _taken_up(payload, later, enough) / enough
    own = trail.calls_of(one, end)
    if own:
        again = sum(trail.first_made.get((giver, call.key), end) < one.span.seq for call in own)
        yield "no_rework", 1 - again / len(own)
    if trail.has_answers or one.span.operation == "handoff":
        yield "acknowledged", float(one.answer is not None)


def _taken_up(payload: frozenset[str], later: Sequence[str], enough: int) -> int:
    left = set(payload)
    for text in later:
        low = text.lower()
        if any(word in low for word in left):  # most texts have none, and looking is cheaper than cutting into words
            left -= telling(low)
            if len(payload) - len(left) >= enough:
                return enough
    return len(payload) - len(left)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoffQuality:
    """Scores a run by `handoff_quality`; each part is a measure, its mean over the hand-offs that it applies to."""

    name: str = "handoff_quality"
    version: str = "1"
    tier: Tier = 3
    metrics: tuple[str, ...] = ("handoff_quality",)

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Look at each hand-off."""
        if run.trace is None:
            return silent(self, "not_measured", "the run has no trace", UNITS)
        agents = agent_graph(run.trace).agents
        if len(agents) < 2:  # noqa: PLR2004  a team
            return silent(self, "not_applicable", "one agent has nobody to hand work to", UNITS)
        found = handoffs(run, run.trace)
        if not found:
            return silent(self, "not_measured", "the trace shows several agents and no hand-off between them", UNITS)
        parts = [each for _, each in found if each]
        if not parts:
            return silent(self, "not_measured", "the trace records neither results nor what agents did", UNITS)
        return Evaluation(
            scores=graded(
                self,
                {"handoff_quality": handoff_quality(parts)},
                explanation=f"{len(found)} hand-offs, each by the parts that apply to it",
                span_ids=(one.span.id for one, _ in found),
            ),
            measures=tuple(_mean(self, part, [each[part] for each in parts if part in each]) for part in PARTS),
            findings=tuple(_findings(run.trace, found)),
        )


def _mean(evaluator: HandoffQuality, part: str, values: Sequence[float]) -> Measure:
    name = f"handoff.{part}"
    if not values:
        sentence = f"{part} applies to none of the hand-offs"
        return silent(evaluator, "not_applicable", sentence, ((name, "share"),)).measures[0]
    return Measure(name=name, value=fsum(values) / len(values), unit="share")


def _findings(trace: Trace, found: Sequence[tuple[Delegation, Parts]]) -> Iterator[Finding]:
    for part, fault in FAULTS.items():
        low = [one for one, parts in found if parts.get(part, 1.0) < LOW]
        if low:
            first = low[0]
            others = "1 other hand-off" if len(low) == 2 else f"{len(low) - 1} other hand-offs"  # noqa: PLR2004  a pair
            more = f"; so it was with {others}" if len(low) > 1 else ""
            sentence = (
                f"The hand-off from {trace.agent_name(first.span.agent_id)} to {trace.agent_name(first.receiver_id)} "
                f"{fault}{more}."
            )
            yield process_finding(f"handoff_{part}", "warning", sentence, (one.span.id for one in low))
