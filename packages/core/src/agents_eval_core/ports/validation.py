"""Tests of metrics, and what they found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

from agents_eval_core.ports.named import Named

if TYPE_CHECKING:
    from agents_eval_core.validity import Suite

Half = Literal["", "development half", "test half"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidityFigure:
    """How much a metric is worth, measured: one figure with its interval and the number it rests on.

    Attributes:
        data: On what it was tested.
        fitted: On what its tables or weights were fitted.
        tuned: On what its rules and thresholds were chosen.
        half: Which half of the data it was tested on, where rules were developed on the other.
        chance: The value that a metric without any worth would have; None where that is no question.
    """

    metric: str
    measure: str
    value: float
    interval: tuple[float, float] | None
    n: int
    unit: str
    data: str
    fitted: str = "nothing"
    tuned: str = "nothing"
    half: Half = ""
    chance: float | None = None


class Validation(Named, Protocol):
    """A test of metrics against known answers or labelled data."""

    def figures(self, data: Sequence[Path]) -> Iterator[ValidityFigure]:
        """Yield what was measured.

        Args:
            data: Folders of any kind of data; it takes those that it understands, by what is in them.

        Raises:
            AgentsEvalError: The data that it needs is in none of them.
        """
        ...


@runtime_checkable
class RepeatableValidation(Validation, Protocol):
    """A validation of which a part can be repeated whenever the tests run."""

    def checks(self, data: Sequence[Path]) -> Iterator[ValidityFigure]:
        """Yield figures on the test half, thinned out by a fixed rule where that takes long, without intervals.

        Raises:
            AgentsEvalError: The data that it needs is in none of the folders.
        """
        ...


class PublishedFigures(Protocol):
    """What a package publishes about the worth of its metrics."""

    def suites(self) -> Sequence[Suite]:
        """Return the figures as they were last measured."""
        ...
