"""Measure how much the metrics are worth: known answers, planted defects, labelled data."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from agents_eval_core import registry
from agents_eval_core.errors import AgentsEvalError
from agents_eval_core.frozen import Frozen
from agents_eval_core.score import Range


class Suite(Frozen):
    """One figure of a validation: how well a metric does what it is for.

    Attributes:
        name: The validation.
        measure: What was measured about the metric (`AUC`, `share of planted defects found`).
        value: None where the validation could not run.
        interval: None where there is none.
        n: How many `unit`s the figure rests on.
        data: On what data.
        reason: Why there is no value.
    """

    name: str
    metric: str
    measure: str
    value: float | None
    interval: Range | None = None
    n: int
    unit: str
    data: str
    reason: str | None = None


def validate(names: Sequence[str] = (), data_dir: Path | None = None) -> tuple[Suite, ...]:
    """Return what the validations measure.

    Args:
        names: These validations; none means all, and then one that cannot run is a line that says why.
        data_dir: Where the venues of labelled reviews lie, for those that need it.

    Raises:
        UnknownNameError: Nothing of that name is declared.
        PaperError: The data that a validation asked for by name needs is not there.
    """
    if names:
        return tuple(suite for name in names for suite in _suites(name, data_dir))
    return tuple(suite for name in registry.names("validations") for suite in _suites_or_reason(name, data_dir))


def _suites(name: str, data_dir: Path | None) -> Iterator[Suite]:
    for figure in registry.validation(name).figures(data_dir):
        yield Suite(
            name=name,
            metric=figure.metric,
            measure=figure.measure,
            value=figure.value,
            interval=Range(low=figure.interval[0], high=figure.interval[1]) if figure.interval else None,
            n=figure.n,
            unit=figure.unit,
            data=figure.data,
        )


def _suites_or_reason(name: str, data_dir: Path | None) -> tuple[Suite, ...]:
    try:
        return tuple(_suites(name, data_dir))
    except AgentsEvalError as problem:
        return (Suite(name=name, metric="", measure="", value=None, n=0, unit="", data="", reason=str(problem)),)
