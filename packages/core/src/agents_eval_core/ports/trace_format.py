"""Readers and writers of trace formats."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from agents_eval_core.ports.named import Named

if TYPE_CHECKING:
    from agents_eval_core.trace import Trace


class TraceFormat(Named, Protocol):
    """A reader of somebody's trace format."""

    def recognises(self, source: Path, head: bytes) -> bool:
        """Whether a file, by its first bytes, or a folder, with no bytes, looks like this format; never by its name."""
        ...

    def read(self, source: Path, *, longest_text: int | None = None) -> Iterator[Trace]:
        """Yield the traces of a file or folder.

        Args:
            source: The file or folder.
            longest_text: Texts beyond this number of characters are cut; `Span.attributes["cut"]` then gives the full
                lengths by field (`{"text": 120000}`), and reading the span again without a limit gives the whole.

        Raises:
            UnreadableError: With the file and the place in it.
        """
        ...


@runtime_checkable
class CompoundFormat(TraceFormat, Protocol):
    """A format of which one trace may lie in several files."""

    def parts(self, source: Path) -> tuple[Path, ...]:
        """Return the other files that are read along with a file: the sub-agents of a session, labels beside it."""
        ...


@runtime_checkable
class FarReachingFormat(TraceFormat, Protocol):
    """A format whose reader also looks for files above or beside the folder that it is given a file of."""

    def within(self, root: Path) -> TraceFormat:
        """Return a reader that looks for nothing outside a folder."""
        ...


@runtime_checkable
class WritableFormat(TraceFormat, Protocol):
    """A format that any trace can be written in."""

    def write(self, trace: Trace) -> bytes:
        """Return a trace as it stands in a file; what several traces give makes a file when put together."""
        ...
