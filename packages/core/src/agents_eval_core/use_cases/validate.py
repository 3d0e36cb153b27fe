"""Measure how much the metrics are worth: known answers, planted defects, labelled data."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from agents_eval_core import registry
from agents_eval_core.errors import AgentsEvalError
from agents_eval_core.ports.validation import RepeatableValidation, ValidityFigure
from agents_eval_core.validity import Suite, suite_of

Figures = Callable[[str, Sequence[Path]], Iterable[ValidityFigure]]


def validate(names: Sequence[str] = (), data: Sequence[Path] = ()) -> tuple[Suite, ...]:
    """Return what the validations measure.

    Args:
        names: These validations; none means all, and then one that cannot run is a line that says why.
        data: Folders of labelled data; each validation takes those that it understands.

    Raises:
        UnknownNameError: Nothing of that name is declared.
        AgentsEvalError: The data that a validation asked for by name needs is not there.
    """
    return _measured(_figures, names, data)


def repeat(names: Sequence[str] = (), data: Sequence[Path] = ()) -> tuple[Suite, ...]:
    """Return what of the validations can be repeated in seconds; arguments and errors as of `validate`."""
    return _measured(_checks, names, data)


def _measured(figures: Figures, names: Sequence[str], data: Sequence[Path]) -> tuple[Suite, ...]:
    if names:
        return tuple(suite for name in names for suite in _suites(figures, name, data))
    every = registry.names("validations")
    return tuple(suite for name in every for suite in _suites_or_reason(figures, name, data))


def _figures(name: str, data: Sequence[Path]) -> Iterator[ValidityFigure]:
    return registry.validation(name).figures(data)


def _checks(name: str, data: Sequence[Path]) -> Iterator[ValidityFigure]:
    validation = registry.validation(name)
    return validation.checks(data) if isinstance(validation, RepeatableValidation) else iter(())


def _suites(figures: Figures, name: str, data: Sequence[Path]) -> Iterator[Suite]:
    return (suite_of(name, figure) for figure in figures(name, data))


def _suites_or_reason(figures: Figures, name: str, data: Sequence[Path]) -> tuple[Suite, ...]:
    try:
        return tuple(_suites(figures, name, data))
    except AgentsEvalError as problem:
        return (Suite(name=name, metric="", measure="", value=None, n=0, unit="", data="", reason=str(problem)),)
