"""Whether behaviour metrics go with the number of errors that people found in a trace, and with their marks."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import StatisticsError
from typing import Final, NamedTuple

from agents_eval_core.ports.validation import ValidityFigure
from agents_eval_core.trace import Trace
from agents_eval_core.use_cases.evaluate_trace import run_of
from agents_eval_evaluators.validity.labelled.direction import is_graded
from agents_eval_evaluators.validity.labelled.resampled import interval_over_tasks
from agents_eval_evaluators.validity.ranks import rank_correlation
from agents_eval_evaluators.validity.readings import FINDING, Value, readings
from agents_eval_evaluators.validity.repeatable import Repeatable
from agents_eval_evaluators.validity.trace_sets import TRAIL, labelled_set, note, task_of

FEWEST: Final = 15
SEEN: Final = "a pilot that looked at these traces"


class Marked(NamedTuple):
    """A trace: what one metric says of it and what people do."""

    task: str
    given: float
    label: float


def errors_found(trace: Trace) -> float | None:
    """Return how many errors people marked."""
    return float(sum(one.name == "error" for one in trace.annotations))


def overall_mark(trace: Trace) -> float | None:
    """Return the mark that people gave the whole trace; None where they gave none."""
    mark = note(trace, "overall")
    return float(mark) if isinstance(mark, (int, float)) else None


LABELS: Final[Mapping[str, Callable[[Trace], float | None]]] = {
    "number of errors found by people": errors_found,
    "overall mark given by people": overall_mark,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotatedErrors(Repeatable):
    """Measures the rank correlation of every behaviour metric with annotated errors and marks (TRAIL).

    A longer run has more steps in which something can go wrong; so counts follow the number of errors in part because
    they follow length. A score should fall as errors rise: its correlation with their number is given with its sign
    turned, so that more is better everywhere.
    """

    name: str = "annotated_errors"

    def figures(self, data: Sequence[Path]) -> Iterator[ValidityFigure]:
        """Yield the rank correlations with their intervals over resampled tasks.

        Raises:
            UsageError: The set is not there.
        """
        traces = labelled_set(data, TRAIL)
        said = [readings(run_of(trace)) for trace in traces]
        for label, ask in LABELS.items():
            marks = [ask(trace) for trace in traces]
            for metric in sorted({name for one in said for name in one if "." not in name}):
                items = list(_marked(traces, said, marks, metric))
                if len(items) >= FEWEST and (value := _correlation(items)) is not None:
                    yield _figure(metric, label, value, items, self.resamples)


def _marked(
    traces: Sequence[Trace], said: Sequence[Mapping[str, Value]], marks: Sequence[float | None], metric: str
) -> Iterator[Marked]:
    for trace, one, mark in zip(traces, said, marks, strict=True):
        given = one.get(metric, 0.0 if metric.startswith(FINDING) else None)
        if isinstance(given, float) and mark is not None:
            yield Marked(task_of(trace), given, mark)


def _correlation(items: Sequence[Marked]) -> float | None:
    try:
        return rank_correlation([item.given for item in items], [item.label for item in items])
    except StatisticsError:  # all values are equal
        return None


def _figure(metric: str, label: str, value: float, items: Sequence[Marked], resamples: int) -> ValidityFigure:
    way = -1.0 if is_graded(metric) == label.startswith("number") else 1.0

    def turned(sample: Sequence[Marked]) -> float | None:
        found = _correlation(sample)
        return None if found is None else way * found

    return ValidityFigure(
        metric=metric,
        measure=label if way > 0 else f"{label}, sign turned",
        value=way * value,
        interval=interval_over_tasks(items, lambda item: item.task, turned, resamples=resamples),
        n=len(items),
        unit="traces, Spearman",
        data=TRAIL,
        tuned=SEEN,
        half="development half",
        chance=0.0,
    )
