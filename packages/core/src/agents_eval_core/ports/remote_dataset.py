"""Collections of papers that can be downloaded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from agents_eval_core.ports.dataset import Dataset

if TYPE_CHECKING:
    from agents_eval_core.remote_file import RemoteFile


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperSelection:
    """Which papers are wanted.

    Attributes:
        splits: Only these; none named is all.
        max_papers: So many of each split, the first by id; None is all.
        with_pdfs: Whether the PDF files are wanted too.
    """

    venues: tuple[str, ...]
    splits: tuple[str, ...] = ()
    max_papers: int | None = None
    with_pdfs: bool = False


class Fetcher(Protocol):
    """Something that gets files from the network: the outgoing client."""

    async def get(self, url: str, *, largest_bytes: int) -> bytes:
        """Return what is at a URL.

        Raises:
            NetworkError: It did not come.
        """
        ...


@runtime_checkable
class RemoteDataset(Dataset, Protocol):
    """A collection that can be downloaded."""

    @property
    def hosts(self) -> frozenset[str]:
        """The hosts that its files come from."""
        ...

    async def listing(self, fetcher: Fetcher, selection: PaperSelection) -> tuple[RemoteFile, ...]:
        """Return the files of the wanted papers as they are now, in a stable order.

        Raises:
            UsageError: There is no such venue or split, or it has no papers to download.
            NetworkError: The list did not come, or has something in it that no list should have.
        """
        ...

    def url(self, file: RemoteFile) -> str:
        """Return where a file is, exactly as it was listed."""
        ...
