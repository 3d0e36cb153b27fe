"""Whether behaviour metrics move when, and only when, the behaviour changes: planted defects and neutral edits."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from pathlib import Path
from typing import Final, NamedTuple

from agents_eval_core.ports.validation import Half, ValidityFigure
from agents_eval_core.trace import Trace
from agents_eval_core.use_cases.evaluate_trace import run_of
from agents_eval_evaluators.validity.halves import HALVES, half_of
from agents_eval_evaluators.validity.mutations.catalogue import DEFECTS, MUST, NEUTRAL, Direction
from agents_eval_evaluators.validity.mutations.planted import Mutation
from agents_eval_evaluators.validity.readings import Value, readings
from agents_eval_evaluators.validity.trace_sets import task_of, traces_among

TUNED: Final = "the development half"
CHECKED: Final = 12  # every twelfth trace is what the tests repeat
TEST: Final = HALVES[1]
ALL: Final = DEFECTS | NEUTRAL
MOST: Final = {"unnecessary_path_ratio": 1.0}
SMALLEST_MOVE: Final = 1e-12  # sums in another order differ in their last digits
Readings = Mapping[str, Value]


class Mutant(NamedTuple):
    """What the metrics said of a run before and after an edit."""

    trace_id: str
    before: Readings
    after: Readings


def mutants(traces: Sequence[Trace], mutation: Mutation) -> Iterator[Mutant]:
    """Yield what the metrics say of each trace that the edit applies to, before and after it, under the old names."""
    for trace in traces:
        planted = mutation(run_of(trace))
        if planted is not None:
            after = readings(planted.after)
            yield Mutant(trace.id, readings(planted.before), _under_old_names(after, planted.names))


def _under_old_names(found: Readings, names: Mapping[str, str]) -> Readings:
    if not names:
        return found
    return {
        _old(name, names): names.get(value, value) if isinstance(value, str) else value for name, value in found.items()
    }


def _old(name: str, names: Mapping[str, str]) -> str:
    agent, dot, figure = name.rpartition(".")
    return f"{names.get(agent, agent)}{dot}{figure}"


def moved(one: Mutant, metric: str) -> bool:
    """Whether a metric says something else after the edit: another value, or another reason for none."""
    before, after = one.before.get(metric), one.after.get(metric)
    if isinstance(before, float) and isinstance(after, float):
        return abs(before - after) > SMALLEST_MOVE
    return before != after


def can_move(one: Mutant, metric: str, direction: Direction) -> bool:
    """Whether a metric has room to move; a share or grade at its end has none, and neither has one without a value.

    What the defect itself brings into being (the first failure, the first finding) counts from nothing.
    """
    before, after = one.before.get(metric), one.after.get(metric)
    if not isinstance(before, float):
        return isinstance(after, float)
    return before < MOST.get(metric, inf) if direction == "rises" else before > 0


def moved_as_it_must(one: Mutant, metric: str, direction: Direction) -> bool:
    """Whether a metric moved in the direction that its definition asks for; from no value, to one below the best."""
    before, after = one.before.get(metric), one.after.get(metric)
    if not isinstance(after, float):
        return False
    if not isinstance(before, float):
        return after < 1 if direction == "falls" else after > 0
    return after < before if direction == "falls" else after > before


def metric_names(found: Sequence[Mutant]) -> list[str]:
    """Return the metrics that are not about one named agent, in a stable order."""
    names = {name for one in found for name in (*one.before, *one.after)}
    return sorted(name for name in names if "." not in name or name.startswith("handoff."))


class Sample(NamedTuple):
    """Which traces are edited: those of one half among the folders, or each so many-th of them."""

    folders: tuple[Path, ...]
    half: Half
    every: int = 1

    def traces(self) -> tuple[Trace, ...]:
        """Return them, each once."""
        distinct = {(trace.source.format, trace.id): trace for trace in traces_among(self.folders)}
        return tuple(trace for trace in distinct.values() if half_of(task_of(trace)) == self.half)[:: self.every]


@lru_cache(maxsize=64)
def _mutants(sample: Sample, edit: str) -> tuple[Mutant, ...]:
    return tuple(mutants(sample.traces(), ALL[edit]))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlantedDefects:
    """Plants one defect at a time in real traces, and asks whether each metric moved as its definition says it must."""

    name: str = "planted_defects"

    def figures(self, data: Sequence[Path]) -> Iterator[ValidityFigure]:
        """Yield for each defect and metric the share of mutants on which it moved the right way, on both halves.

        Raises:
            UsageError: There are no traces.
        """
        for half in HALVES:
            yield from _right_moves(Sample(tuple(data), half))

    def checks(self, data: Sequence[Path]) -> Iterator[ValidityFigure]:
        """Yield the same of some traces of the test half."""
        yield from _right_moves(Sample(tuple(data), TEST, CHECKED))


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedByDefects:
    """Says of every metric on how many mutants it moved at all, whether its definition asks for it or not."""

    name: str = "moved_by_defects"

    def figures(self, data: Sequence[Path]) -> Iterator[ValidityFigure]:
        """Yield for each defect and metric the share of mutants on which it moved, on the test half.

        Raises:
            UsageError: There are no traces.
        """
        yield from _moves(Sample(tuple(data), TEST), DEFECTS)

    def checks(self, data: Sequence[Path]) -> Iterator[ValidityFigure]:
        """Yield the share of all metrics together that moved, on some traces of the test half."""
        yield from _moves_in_all(Sample(tuple(data), TEST, CHECKED), DEFECTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class NeutralEdits:
    """Changes what is no behaviour, and asks whether any metric moved."""

    name: str = "neutral_edits"

    def figures(self, data: Sequence[Path]) -> Iterator[ValidityFigure]:
        """Yield for each edit and metric the share of traces on which it moved, on both halves.

        Raises:
            UsageError: There are no traces.
        """
        for half in HALVES:
            yield from _moves(Sample(tuple(data), half), NEUTRAL)

    def checks(self, data: Sequence[Path]) -> Iterator[ValidityFigure]:
        """Yield the share of all metrics together that moved, on some traces of the test half."""
        yield from _moves_in_all(Sample(tuple(data), TEST, CHECKED), NEUTRAL)


def _right_moves(sample: Sample) -> Iterator[ValidityFigure]:
    for defect, wanted in MUST.items():
        found = _mutants(sample, defect)
        for metric, direction in wanted.items():
            able = [one for one in found if can_move(one, metric, direction)]
            if able:
                right = sum(moved_as_it_must(one, metric, direction) for one in able)
                yield _figure(metric, f"{defect}: {direction}", right, len(able), sample.half)


def _moves(sample: Sample, edits: Mapping[str, Mutation]) -> Iterator[ValidityFigure]:
    for edit in edits:
        found = _mutants(sample, edit)
        for metric in metric_names(found):
            yield _figure(metric, edit, sum(moved(one, metric) for one in found), len(found), sample.half)


def _moves_in_all(sample: Sample, edits: Mapping[str, Mutation]) -> Iterator[ValidityFigure]:
    """Yield one figure an edit, which changes when any metric moves on any trace where it did not, or the other way."""
    for edit in edits:
        found = _mutants(sample, edit)
        names = metric_names(found)
        if found:
            count = sum(moved(one, metric) for one in found for metric in names)
            yield _figure("all behaviour metrics", edit, count, len(found) * len(names), sample.half)


def _figure(metric: str, measure: str, count: int, n: int, half: Half) -> ValidityFigure:
    return ValidityFigure(
        metric=metric,
        measure=measure,
        value=count / n,
        interval=None,
        n=n,
        unit="traces",
        data="traces of all formats",
        tuned=TUNED,
        half=half,
    )
