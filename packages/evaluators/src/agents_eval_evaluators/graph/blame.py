"""Which agent and which step a failure most likely goes back to, and the guess that this has to beat."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Tier
from agents_eval_core.trace import Span, Trace
from agents_eval_core.validity import figures_of
from agents_eval_evaluators.graph.calls import tool_calls
from agents_eval_evaluators.graph.loops import identical_repeats
from agents_eval_evaluators.scoring import figures, process_finding, silent

UNITS: Final = (
    ("blamed_agent", "agent"),
    ("blamed_step", "span"),
    ("blame_rule", "class"),
    ("prior_agent", "agent"),
    ("prior_step", "span"),
)
STEPS: Final = frozenset({"chat", "message", "handoff"})
MANY_REPEATS: Final = 3


class Suspicion(NamedTuple):
    """An agent's step that a failure may go back to, the rule that says so, and the spans that show it."""

    step: Span
    rule: str
    because: str
    shown_by: tuple[str, ...]


def steps_of_workers(trace: Trace) -> tuple[Span, ...]:
    """Return what working agents said; where only tools were called, their calls. Orchestrators count if alone."""
    for roles in (("worker",), ("worker", "orchestrator")):
        agents = {agent.id for agent in trace.agents if agent.role in roles}
        own = [span for span in trace.spans if span.agent_id in agents]
        said = tuple(span for span in own if span.operation in STEPS)
        if said or (said := tuple(span for span in own if span.operation == "execute_tool")):
            return said
    return ()


def activity_prior(steps: Sequence[Span]) -> Span:
    """Return the first step of the worker who made most steps; of equal ones, of who came first.

    On Who&When this guess is right about the agent in .58 and about the step in .21 of the cases, as often as the best
    published methods that ask a language model (arXiv 2505.00212: .53 and .14).
    """
    made: dict[str | None, list[Span]] = {}
    for step in steps:
        made.setdefault(step.agent_id, []).append(step)
    return max(made.values(), key=len)[0]


def suspicion(trace: Trace, steps: Sequence[Span]) -> Suspicion:
    """Return what the rules say about the worker who made most steps.

    1. `failed_call`: where one of its calls failed, the step before the first that did.
    2. `loop`: where it made three calls or more that were equal and came to the same, the step before the second.
    3. `first_step`: else its first step that does not open the trace, which mostly tells the task.

    Blaming whoever had an unrecovered failure, whoever it was, was right less often (agent .53 against .61, on the half
    of Who&When that rules were chosen on), so the agent is the one of `activity_prior`.
    """
    agent = activity_prior(steps).agent_id
    own = [step for step in steps if step.agent_id == agent]
    later = [step for step in own if step is not steps[0]] or own
    calls = [call for call in tool_calls(trace) if call.span.agent_id == agent]
    failed = [call for call in calls if call.has_failed]
    if failed and later[0].seq <= failed[0].span.seq:
        because = f"its call of {failed[0].tool.name} failed first"
        return Suspicion(_before(failed[0].span, later), "failed_call", because, tuple(call.span.id for call in failed))
    for repeats in identical_repeats(calls).values():
        if len(repeats) + 1 >= MANY_REPEATS:
            because = f"it made the same call {len(repeats) + 1} times with the same result"
            shown_by = tuple(call.span.id for call in repeats)
            return Suspicion(_before(repeats[0].span, later), "loop", because, shown_by)
    return Suspicion(later[0], "first_step", "nothing in the trace points anywhere", ())


def _before(span: Span, steps: Sequence[Span]) -> Span:
    earlier = [step for step in steps if step.seq <= span.seq]
    return earlier[-1] if earlier else steps[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Blame:
    """Names the agent and the step of a failed run by `suspicion`, with the prior beside it.

    It is a finding only where spans show something; the bare guess is left to the measures.
    """

    name: str = "blame"
    version: str = "0"
    tier: Tier = 3
    metrics: tuple[str, ...] = ()

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Ask the rules in turn."""
        if run.trace is None:
            return silent(self, "not_measured", "the run has no trace", UNITS)
        outcome = run.trace.outcome
        if outcome is not None and outcome.success:
            return silent(self, "not_applicable", "the run succeeded", UNITS)
        if run.status != "failed" and (outcome is None or outcome.success is None):
            return silent(self, "not_measured", "nobody says that the run failed", UNITS)
        steps = steps_of_workers(run.trace)
        if not steps:
            return silent(self, "not_measured", "the trace shows no step of a working agent", UNITS)
        is_team = len({step.agent_id for step in steps}) > 1
        return self._blamed(run.trace, suspicion(run.trace, steps), activity_prior(steps), is_team=is_team)

    def _blamed(self, trace: Trace, found: Suspicion, prior: Span, *, is_team: bool) -> Evaluation:
        agent, guessed = trace.agent_name(found.step.agent_id), trace.agent_name(prior.agent_id)
        values = (agent, found.step.id, found.rule, guessed, prior.id)
        sentence = (
            f"If one agent must be named for the failure, {agent}: it did most of the steps, and {found.because} "
            f"(a guess; of its kind {_named_rightly('agent')} name the right agent, {_named_rightly('step')} the right "
            "step)."
            if is_team
            else f"If one step of {agent} must be named for the failure, this: {found.because} "
            f"(a guess; of its kind {_named_rightly('step')} name the right step)."
        )
        shown = (
            (process_finding("blame", "info", sentence, (found.step.id, *found.shown_by)),) if found.shown_by else ()
        )
        return Evaluation(
            measures=figures(UNITS, values),
            findings=shown,
        )


@cache
def _named_rightly(what: str) -> str:
    """Return how often such guesses were right on the test half, as it is published."""
    tested = [one for one in figures_of("blame") if one.half == "test half" and one.measure.startswith(f"{what} named")]
    return next((f"{100 * one.value:.0f} %" for one in tested if one.value is not None), "an unknown share")
