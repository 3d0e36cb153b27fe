"""Collections of papers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from agents_eval_core.ports.named import Named

if TYPE_CHECKING:
    from agents_eval_core.case import Case


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperEntry:
    """A line of a paper list: what is known without reading the paper's text."""

    id: str
    venue: str
    split: str
    title: str
    usable_references: int
    has_full_text: bool


class Dataset(Named, Protocol):
    """A collection of cases."""

    def entries(self, data_dir: Path | None) -> Iterator[PaperEntry]:
        """Yield what there is, in a stable order.

        Raises:
            PaperError: The folder is not this dataset.
        """
        ...

    def case(self, paper_id: str, data_dir: Path | None) -> Case:
        """Return one paper as a case with its references.

        Raises:
            PaperError: There is no such paper, or it has no text.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperText:
    """What a paper is searched by."""

    entry: PaperEntry
    abstract: str


@runtime_checkable
class SearchableDataset(Dataset, Protocol):
    """A collection whose papers can be searched without reading their full texts."""

    def texts(self, data_dir: Path | None) -> Iterator[PaperText]:
        """Yield titles and abstracts in the order of `entries`.

        Raises:
            PaperError: The folder is not this dataset.
        """
        ...
