"""Whether behaviour metrics tell runs that succeeded from runs that failed, within the same task."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as replace_figure
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

from msgspec.structs import replace

from agents_eval_core.case import ExpectedCall
from agents_eval_core.errors import UndefinedMetricError, UsageError
from agents_eval_core.ports.validation import Half, ValidityFigure
from agents_eval_core.run import Run
from agents_eval_core.trace import Outcome, Trace
from agents_eval_core.use_cases.evaluate_trace import run_of
from agents_eval_evaluators.validity.halves import HALVES, half_of
from agents_eval_evaluators.validity.labelled.across_runs import said_of_each
from agents_eval_evaluators.validity.labelled.area_within_tasks import (
    Area,
    Scored,
    area_over_all,
    area_within_tasks,
)
from agents_eval_evaluators.validity.labelled.direction import ACROSS_RUNS, CHANCE, sign, tuned_on
from agents_eval_evaluators.validity.readings import FINDING, Value, readings
from agents_eval_evaluators.validity.trace_sets import AG2, MINI_SWE, TAU, labelled_set, note, task_of

SETS: Final = (TAU, AG2, MINI_SWE)
FEWEST: Final = 20
WITHIN: Final = "AUC for success within task"
POOLED: Final = "AUC for success, pooled over tasks"
LABEL_READERS: Final = frozenset({"lucky_pass", "lucky_pass_signs"})  # they look at the outcome themselves


class Read(NamedTuple):
    """A labelled run: its task and outcome, what every metric says of it, and whether its problem has a solution."""

    task: str
    success: bool
    said: Mapping[str, Value]
    has_answer: bool = True


def unlabelled(trace: Trace) -> Run:
    """Return a trace as a run that does not know how it ended; tau-bench's reference actions are its expected calls."""
    run = run_of(replace(trace, outcome=Outcome()))
    info = note(trace, "info")
    if not isinstance(info, dict):
        return run
    actions: list[dict[str, Any]] = cast("dict[str, Any]", info)["task"]["actions"]
    expected = tuple(ExpectedCall(name=action["name"], arguments=action["kwargs"]) for action in actions)
    return run.changed(case=run.case.changed(expected_calls=expected))


@lru_cache(maxsize=8)
def read_runs(folders: tuple[Path, ...], name: str) -> tuple[Read, ...]:
    """Return the runs of a labelled set of which the outcome is known, each read once by all metrics.

    Metrics across runs, which are shown no outcome either, add what they say of each run among those of its task.

    Raises:
        UsageError: The set is not there.
    """
    tasks: dict[str, list[tuple[Trace, Run, bool]]] = {}
    for trace in labelled_set(folders, name):
        if trace.outcome is not None and trace.outcome.success is not None:
            tasks.setdefault(task_of(trace), []).append((trace, unlabelled(trace), trace.outcome.success))
    return tuple(
        Read(task, success, {**readings(run), **across}, _has_answer(trace))
        for task, runs in tasks.items()
        for (trace, run, success), across in zip(runs, said_of_each([run for _, run, _ in runs]), strict=True)
    )


def _has_answer(trace: Trace) -> bool:
    """Whether a problem of AG2 has a solution: a part was made unsolvable, and "None" is right there."""
    label = note(trace, "other_data")
    return not (isinstance(label, dict) and cast("dict[str, Any]", label).get("answer") == "None")


@dataclass(frozen=True, slots=True, kw_only=True)
class SuccessOfRuns:
    """Measures every behaviour metric by whether it tells successes from failures; 0.5 is chance.

    "Within task" compares runs of the same task, so that easy tasks cannot help; "pooled" stands beside it. Which way a
    plain measure points is chosen on the development half; a score points where it says.
    """

    name: str = "success_of_runs"
    resamples: int = 2000

    def figures(self, data: Sequence[Path]) -> Iterator[ValidityFigure]:
        """Yield the areas under the curve for each set, metric and half.

        Raises:
            UsageError: None of the sets is there.
        """
        yield from self._of(data, HALVES, self.resamples)

    def checks(self, data: Sequence[Path]) -> Iterator[ValidityFigure]:
        """Yield the areas on the test half."""
        yield from self._of(data, HALVES[1:], 0)

    def _of(self, data: Sequence[Path], halves: Sequence[Half], resamples: int) -> Iterator[ValidityFigure]:
        present = [name for name in SETS if _has(data, name)]
        if not present:
            labelled_set(data, SETS[0])  # says what was looked for, and where
        for name in present:
            runs = read_runs(tuple(data), name)
            for metric in _numeric(runs):
                known = scored(runs, metric)
                way = sign(metric, [run for run in known if half_of(run.task) == HALVES[0]])
                told = [run._replace(value=way * run.value) for run in known]
                for half in halves:
                    chosen = [run for run in told if half_of(run.task) == half]
                    about = partial(_figure, metric=metric, way=way, data=name, half=half)
                    yield from (about(*found) for found in _areas(chosen, resamples))
        if AG2 in present:
            yield from _by_solvability(read_runs(tuple(data), AG2), resamples)


def _by_solvability(runs: Sequence[Read], resamples: int) -> Iterator[ValidityFigure]:
    """Yield how agreement fares on problems with and without an answer: a split that was chosen after the fact."""
    for metric in sorted(ACROSS_RUNS):
        for has_answer, which in ((True, "with an answer"), (False, "without one")):
            chosen = scored([run for run in runs if run.has_answer is has_answer], metric)
            for measure, found in _areas(chosen, resamples):
                figure = _figure(measure, found, metric=metric, way=1, data=f"{AG2}, problems {which}", half="")
                yield replace_figure(figure, tuned=f"{figure.tuned}; the split was chosen after the fact", chance=None)


def _has(data: Sequence[Path], name: str) -> bool:
    try:
        return bool(labelled_set(data, name))
    except UsageError:
        return False


def scored(runs: Sequence[Read], metric: str) -> list[Scored]:
    """Return the runs that a metric has a value for; a finding that was not made counts as 0."""
    absent = 0.0 if metric.startswith(FINDING) else None
    found = [(run, run.said.get(metric, absent)) for run in runs]
    return [Scored(run.task, run.success, value) for run, value in found if isinstance(value, float)]


def _numeric(runs: Sequence[Read]) -> list[str]:
    names = sorted({name for run in runs for name in run.said})
    return [
        name
        for name in names
        if ("." not in name or name.startswith("handoff."))
        and name not in LABEL_READERS
        and len({run.value for run in scored(runs, name)}) > 1
    ]


MEASURES: Final[Mapping[str, Callable[..., Area]]] = {WITHIN: area_within_tasks, POOLED: area_over_all}


def _areas(runs: Sequence[Scored], resamples: int) -> Iterator[tuple[str, Area]]:
    for measure, area in MEASURES.items():
        try:
            found = area(runs, resamples=resamples)
        except UndefinedMetricError:
            continue
        if found.runs >= FEWEST:
            yield measure, found


def _figure(measure: str, area: Area, *, metric: str, way: float, data: str, half: Half) -> ValidityFigure:
    return ValidityFigure(
        metric=metric,
        measure=measure if way > 0 else f"{measure}, less is better",
        value=area.value,
        interval=area.interval,
        n=area.runs,
        unit="runs",
        data=data,
        tuned=tuned_on(metric, data),
        half=half,
        chance=CHANCE if measure == WITHIN or data == MINI_SWE else None,
    )
