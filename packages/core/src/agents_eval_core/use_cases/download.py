"""How far a download is, and what it came to."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferProgress:
    """How far it is; what was there already counts as done."""

    files_done: int
    files_total: int
    bytes_done: int
    bytes_total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedFile:
    """A file that did not come, and why."""

    path: str
    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Download:
    """What a download came to.

    Attributes:
        files: How many were wanted, and are there if none failed.
        kept: How many of them were there already.
        failed: Those that did not come, and why; the same download tries them again.
    """

    folder: Path
    files: int
    bytes: int
    fetched: int
    kept: int
    failed: tuple[FailedFile, ...]
