"""How well the agents of a team handed work to one another."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final

from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Measure, Tier
from agents_eval_core.trace import Trace
from agents_eval_evaluators.calibration.agreement_table import AgreementTable, shipped_table
from agents_eval_evaluators.calibration.word_counts import WordCounts
from agents_eval_evaluators.graph.calls import Call, tool_calls
from agents_eval_evaluators.graph.delegation import Delegation, delegations
from agents_eval_evaluators.graph.uptake import uptakes
from agents_eval_evaluators.scoring import measured, unmeasured
from agents_eval_evaluators.text.words import words

ENOUGH: Final = 0.5
UNMET: Final[Mapping[str, str]] = {
    "delegated": "was never given work",
    "answered": "did not answer",
    "used": "its answers were hardly used",
    "no_rework": "did again what had been done",
    "facts": "was not told the declared facts",
}
Parts = Mapping[str, float]


def facts_told(facts: Sequence[str], request: str, counts: WordCounts) -> float:
    """Return the share of facts all of whose telling words the request has.

    Raises:
        UndefinedMetricError: No fact is declared.

    >>> counts = shipped_table().words
    >>> facts_told(["The venue is ICLR", "the deadline is May 3"], "Review this for the ICLR venue", counts)
    0.5
    """
    if not facts:
        raise UndefinedMetricError("facts_told", because="the case declares no facts")
    said = set(words(request))
    told = [{word for word in words(fact) if word not in counts.stop_words} <= said for fact in facts]
    return sum(told) / len(told)


def repeated_requests(given: Sequence[Delegation]) -> float:
    """Return the share of delegations that asked the same agent the same thing again and got the same answer."""
    seen: set[tuple[str, str, str | None]] = set()
    again = 0
    for delegation in given:
        same = (delegation.receiver_id, delegation.request, delegation.answer)
        again += same in seen
        seen.add(same)
    return again / len(given) if given else 0.0


def repeated_calls(given: Sequence[Delegation], calls: Mapping[str | None, Sequence[Call]]) -> float:
    """Return the share of the receiver's tool calls that the giver had made before, with equal arguments.

    Args:
        given: Delegations to one receiver.
        calls: All tool calls, by who made them.
    """
    receivers = {delegation.receiver_id for delegation in given}
    last_given = {delegation.span.agent_id: delegation.span.seq for delegation in given}
    done = {call.key for giver, last in last_given.items() for call in calls.get(giver, ()) if call.span.seq < last}
    own = [call for receiver in receivers for call in calls.get(receiver, ())]
    return sum(call.key in done for call in own) / len(own) if own else 0.0


def coordination_quality(delegates: Mapping[str, Parts]) -> float:
    """Return the mean over delegates of the used share of their answers times the mean of their other hand-off parts.

    A delegate who was never given work, and one of whose answers nothing was used, has 0: a team that does not delegate
    is at 0, and one more branch that leads nowhere never raises a team.

    Raises:
        UndefinedMetricError: There is no delegate.

    >>> coordination_quality({"a": {"delegated": 1, "used": 0.5}, "b": {"delegated": 0, "used": 0}})
    0.25
    """
    if not delegates:
        raise UndefinedMetricError("coordination_quality", because="one agent has nobody to coordinate with")
    return fsum(map(_worth, delegates.values())) / len(delegates)


def _worth(parts: Parts) -> float:
    others = [value for part, value in parts.items() if part != "used"]
    return parts["used"] * fsum(others) / len(others)


def handoff_parts(
    given: Sequence[Delegation],
    used: Sequence[float],
    calls: Mapping[str | None, Sequence[Call]],
    facts: Sequence[str],
    counts: WordCounts,
) -> Parts:
    """Return the parts of the hand-offs to one delegate, each from 0 to 1.

    `delegated`: it was given work. `answered`: share of delegations with an answer. `used`: mean uptake over the
    delegations; without an answer it is 0. `no_rework`: 1 minus the larger of `repeated_calls` and `repeated_requests`.
    `facts`: `facts_told`, only where the case declares facts.

    Args:
        given: Delegations to this delegate.
        used: The uptake of those that were answered.
        calls: All tool calls of the trace, by who made them.
        facts: What the case declares.
        counts: Which words are stop words.
    """
    names = [name for name in UNMET if name != "facts" or facts]
    if not given:
        return dict.fromkeys(names, 0.0)
    parts = {
        "delegated": 1.0,
        "answered": sum(one.answer is not None for one in given) / len(given),
        "used": fsum(used) / len(given),
        "no_rework": 1 - max(repeated_calls(given, calls), repeated_requests(given)),
    }
    if facts:
        parts["facts"] = facts_told(facts, " ".join(one.request for one in given), counts)
    return parts


@dataclass(frozen=True, slots=True, kw_only=True)
class CoordinationQuality:
    """Scores a run by `coordination_quality`; the delegates are the declared ones, in any case.

    Where nobody declared the agents (a foreign trace), the one who acted first is taken to be in charge and the others
    who acted are its delegates. If such agents only send messages, hand-offs cannot be told and nothing is measured.
    """

    name: str = "coordination_quality"
    version: str = "1"
    tier: Tier = 3
    metrics: tuple[str, ...] = ("coordination_quality",)
    table: AgreementTable | None = None

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Score the hand-offs to each delegate."""
        if len(run.system.agents) == 1:
            return unmeasured(self, "not_applicable", "the system is declared with one agent")
        if run.trace is None:
            return unmeasured(self, "not_measured", "the run has no trace")
        agents = run.system.agents or tuple(_acting(run.trace))
        if len(agents) < 2:  # noqa: PLR2004  a team
            return self._without_team(agents)
        found = delegations(run.trace)
        if not found and not run.system.agents:
            return unmeasured(self, "not_measured", "the trace tells of several agents but of no hand-off between them")
        delegates = self._delegates(run, run.trace, agents[1:], found)
        return measured(
            self,
            coordination_quality(delegates),
            explanation=_explanation(delegates),
            measures=(
                Measure(name=f"{name}.{part}", value=value, unit="share")
                for name, parts in delegates.items()
                for part, value in parts.items()
            ),
            span_ids=(one.span.id for one in found),
        )

    def _without_team(self, agents: Sequence[str]) -> Evaluation:
        if agents:
            return unmeasured(self, "not_applicable", "no agents are declared, and only one acts in the trace")
        return unmeasured(self, "not_measured", "the trace does not say which agents acted")

    def _delegates(
        self, run: Run, trace: Trace, names: Sequence[str], found: Sequence[Delegation]
    ) -> Mapping[str, Parts]:
        counts = (self.table or shipped_table(run.case.venue)).words
        calls: dict[str | None, list[Call]] = {}
        for call in tool_calls(trace):
            calls.setdefault(call.span.agent_id, []).append(call)
        taken_up = uptakes(run, trace, found, counts)
        delegates: dict[str, Parts] = {}
        for name in names:
            given = [one for one in found if name in (one.receiver_id, trace.agent_name(one.receiver_id))]
            used = [taken_up[one.span.seq] for one in given if one.answer is not None]
            delegates[name] = handoff_parts(given, used, calls, run.case.declared_facts, counts)
        return delegates


def _acting(trace: Trace) -> Iterator[str]:
    seen: set[str] = set()
    for span in trace.spans:
        agent = trace.agent_by_id.get(span.agent_id or "")
        if agent is not None and agent.role in ("worker", "orchestrator") and agent.id not in seen:
            seen.add(agent.id)
            yield agent.id


def _explanation(delegates: Mapping[str, Parts]) -> str:
    faults = [f"{name} {'; '.join(unmet)}" for name, parts in delegates.items() if (unmet := list(_unmet(parts)))]
    if not faults:
        return f"work was handed to {', '.join(delegates)}, answered and used"
    return ". ".join(faults)


def _unmet(parts: Parts) -> Iterator[str]:
    if not parts["delegated"]:
        yield UNMET["delegated"]
        return
    yield from (UNMET[part] for part, value in parts.items() if value < ENOUGH)
