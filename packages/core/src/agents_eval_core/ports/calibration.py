"""Tables fitted from what humans wrote."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from agents_eval_core.ports.named import Named

if TYPE_CHECKING:
    from agents_eval_core.score import Quartiles


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedTable:
    """A table as the bytes of its file, and what whoever uses it should know."""

    content: bytes
    warnings: tuple[str, ...] = ()


class Calibration(Named, Protocol):
    """A fitted table that metrics apply: how alike humans are, how common words are."""

    def fit(self, data_dir: Path, venue: str) -> FittedTable:
        """Return the table fitted from a venue.

        Raises:
            PaperError: The folder does not hold the venue, or too little of it.
        """
        ...

    def humans(self, venue: str, tables: Path | None = None) -> Mapping[str, Quartiles]:
        """Return where human reviewers lie, by metric, from the table of that venue or, failing that, of another.

        The quartiles name the venue that they are of. Tables of the user's own go before those that are shipped.
        """
        ...
