"""What validations have in common that can be repeated whenever the tests run."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from agents_eval_core.ports.validation import Half, ValidityFigure
from agents_eval_evaluators.validity.halves import HALVES


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeatable(ABC):
    """A validation on data that nothing was fitted on: what is repeated is all of it, without intervals.

    Attributes:
        resamples: From how many resamples the intervals come; 0 gives none.
    """

    name: str
    resamples: int = 1000

    @abstractmethod
    def figures(self, data: Sequence[Path]) -> Iterator[ValidityFigure]:
        """Yield what was measured.

        Raises:
            AgentsEvalError: The data is not there.
        """

    def checks(self, data: Sequence[Path]) -> Iterator[ValidityFigure]:
        """Yield the same figures without intervals.

        Raises:
            AgentsEvalError: The data is not there.
        """
        return replace(self, resamples=0).figures(data)


@dataclass(frozen=True, slots=True, kw_only=True)
class ByHalves(Repeatable):
    """A validation on data of which rules were developed on one half: what is repeated is the test half."""

    @abstractmethod
    def of_half(self, data: Sequence[Path], half: Half) -> Iterator[ValidityFigure]:
        """Yield what was measured on one half.

        Raises:
            AgentsEvalError: The data is not there.
        """

    def figures(self, data: Sequence[Path]) -> Iterator[ValidityFigure]:
        """Yield the figures of both halves.

        Raises:
            AgentsEvalError: The data is not there.
        """
        for half in HALVES:
            yield from self.of_half(data, half)

    def checks(self, data: Sequence[Path]) -> Iterator[ValidityFigure]:
        """Yield the figures of the test half without intervals.

        Raises:
            AgentsEvalError: The data is not there.
        """
        return replace(self, resamples=0).of_half(data, HALVES[1])
