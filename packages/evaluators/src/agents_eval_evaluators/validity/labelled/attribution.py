"""Whether `blame` names the agent and the step that people hold responsible, beside chance and beside the prior."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Final, NamedTuple

from agents_eval_core.ports.validation import Half, ValidityFigure
from agents_eval_core.trace import Span, Trace
from agents_eval_evaluators.graph.blame import activity_prior, steps_of_workers, suspicion
from agents_eval_evaluators.validity.halves import half_of
from agents_eval_evaluators.validity.labelled.resampled import interval_over_tasks
from agents_eval_evaluators.validity.repeatable import ByHalves
from agents_eval_evaluators.validity.trace_sets import WHO_AND_WHEN, labelled_set, note, task_of

SPOKEN: Final = frozenset({"chat", "message", "handoff", "plan"})
BLAME_TUNED: Final = "the development half"
PRIOR: Final = "activity prior"
PRIOR_TUNED: Final = "117 runs of a pilot, which include these"


class Attributed(NamedTuple):
    """A failed run with a known culprit: who was right about its agent and its step, and what chance would be.

    Attributes:
        agent: Whether `blame` named the agent.
        step: Whether it named the step.
        prior_agent: Whether the activity prior named the agent.
        prior_step: Whether it named the step.
        chance_agent: One by the number of agents that spoke.
        chance_step: One by the number of steps that were spoken.
    """

    task: str
    agent: float
    step: float
    prior_agent: float
    prior_step: float
    chance_agent: float
    chance_step: float


def attributed(trace: Trace) -> Attributed | None:
    """Return how a failed run's culprit was guessed; None where no working agent made a step.

    Names are compared without case, blanks and underscores: the labels spell them differently.
    """
    steps = steps_of_workers(trace)
    if not steps:
        return None
    guess, prior = suspicion(trace, steps).step, activity_prior(steps)
    culprit = _plain(str(note_of(trace, "mistake_agent")))
    place = next((one.span_id for one in trace.annotations if one.name == "mistake_step"), None)
    spoken = [span for span in trace.spans if span.operation in SPOKEN and span.agent_id is not None]
    return Attributed(
        task=task_of(trace),
        agent=float(_name(trace, guess) == culprit),
        step=float(guess.id == place),
        prior_agent=float(_name(trace, prior) == culprit),
        prior_step=float(prior.id == place),
        chance_agent=1 / len({span.agent_id for span in spoken}),
        chance_step=1 / len(spoken),
    )


def note_of(trace: Trace, name: str) -> object:
    """Return a label of a trace, whichever span it is pinned to."""
    found = next((one.value for one in trace.annotations if one.name == name), None)
    return note(trace, name) if found is None else found


def _name(trace: Trace, span: Span) -> str:
    return _plain(trace.agent_name(span.agent_id))


def _plain(name: str) -> str:
    return "".join(name.lower().replace("_", " ").split())


Figure = Callable[[Sequence[Attributed]], float]


def _mean(field: str, less: str = "") -> Figure:
    def mean(runs: Sequence[Attributed]) -> float:
        return fmean(float(getattr(run, field)) - (float(getattr(run, less)) if less else 0.0) for run in runs)

    return mean


ACCURACY: Final = (
    ("agent named rightly", "agent", "chance_agent"),
    ("step named rightly", "step", "chance_step"),
    ("agent named rightly by the activity prior", "prior_agent", "chance_agent"),
    ("step named rightly by the activity prior", "prior_step", "chance_step"),
)
GAINED: Final = (
    ("agent: gained over the activity prior", "agent", "prior_agent"),
    ("step: gained over the activity prior", "step", "prior_step"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribution(ByHalves):
    """Measures `blame` on failed runs whose culprit people named (Who&When).

    The prior takes the most active worker and its first step. Whatever `blame` is right about, it is worth only what it
    gains over that. The published best methods that ask a language model reach about .53 and .14.
    """

    name: str = "attribution"
    resamples: int = 2000

    def of_half(self, data: Sequence[Path], half: Half) -> Iterator[ValidityFigure]:
        """Yield accuracy for agent and step beside chance, of `blame` and of the prior, and what is gained.

        Raises:
            UsageError: The set is not there.
        """
        traces = [trace for trace in labelled_set(data, WHO_AND_WHEN) if half_of(task_of(trace)) == half]
        runs = [one for trace in traces if (one := attributed(trace)) is not None]
        told = partial(_figure, runs, half, self.resamples)
        for measure, field, chance in ACCURACY:
            metric, tuned = (PRIOR, PRIOR_TUNED) if field.startswith("prior") else ("blame", BLAME_TUNED)
            shown = f"{measure} (chance {_mean(chance)(runs):.2f})"
            yield told(_mean(field), metric=metric, measure=shown, tuned=tuned)
        for measure, field, less in GAINED:
            yield told(_mean(field, less), metric="blame", measure=measure, tuned=BLAME_TUNED, chance=0.0)


def _figure(
    runs: Sequence[Attributed],
    half: Half,
    resamples: int,
    figure: Figure,
    *,
    metric: str,
    measure: str,
    tuned: str,
    chance: float | None = None,
) -> ValidityFigure:
    return ValidityFigure(
        metric=metric,
        measure=measure,
        value=figure(runs),
        interval=interval_over_tasks(runs, lambda run: run.task, figure, resamples=resamples),
        n=len(runs),
        unit="runs",
        data=WHO_AND_WHEN,
        tuned=tuned,
        half=half,
        chance=chance,
    )
