"""The figures about these metrics as they were last measured."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from agents_eval_core.figure_file import read_figures
from agents_eval_core.validity import Suite

FILE: Final = Path(__file__).with_name("figures.json")


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """The figures that `agents-eval validate --write` kept beside this file."""

    def suites(self) -> Sequence[Suite]:
        """Return them all."""
        return read_figures(FILE).suites
