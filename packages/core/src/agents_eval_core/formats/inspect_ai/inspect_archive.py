"""The `.eval` file of Inspect: a zip archive, read one sample at a time and never beyond its limits."""

import zlib
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from struct import error as StructError  # noqa: N812  the module names it in lower case
from struct import unpack_from
from typing import Final
from zipfile import BadZipFile, LargeZipFile, ZipFile, ZipInfo

from agents_eval_core.errors import UnreadableError

LARGEST_MEMBER: Final = 256 * 2**20
LARGEST_ARCHIVE: Final = 16 * 2**30
MOST_MEMBERS: Final = 200_000
STEEPEST: Final = 200
STEEP_FROM: Final = 16 * 2**20
CHUNK: Final = 2**20
LOCAL_HEADER: Final = b"PK\x03\x04"
LOCAL_HEADER_BYTES: Final = 30
OURS: Final = (b"_journal/", b"samples/", b"header.json", b"summaries.json", b"reductions.json")
BROKEN: Final = (
    BadZipFile, LargeZipFile, StructError, zlib.error, EOFError, OSError, ValueError, RuntimeError, NotImplementedError,
    OverflowError, KeyError, IndexError,
)  # fmt: skip


def is_archive(head: bytes) -> bool:
    """Whether a file begins as a `.eval` file does: a zip archive whose first member is one of Inspect's."""
    if not head.startswith(LOCAL_HEADER):
        return False
    try:
        (length,) = unpack_from("<H", head, 26)
    except StructError:
        return False
    return head[30 : 30 + length].startswith(OURS)


class InspectArchive:
    """The members of a `.eval` file.

    Refused are archives that say, or turn out, to unpack to more than a log can be: a member beyond 256 MiB, 16 GiB in
    all, 200,000 members, or, from 16 MiB on, more than 200 times its packed size.
    """

    def __init__(self, path: Path) -> None:
        """Open a file.

        Raises:
            UnreadableError: It is no zip archive that can be read, or is refused.
        """
        self.path = path
        try:
            self._zip = ZipFile(path)
        except BROKEN as problem:
            raise self._refusal(f"it is no whole zip archive ({problem}); was the log written to its end?") from problem
        self._members = {info.filename: info for info in self._zip.infolist()}
        self._check()

    def read(self, name: str) -> bytes:
        """Return a member.

        Raises:
            UnreadableError: It is damaged, or unpacks to more than it may.
        """
        info = self._members[name]
        parts: list[bytes] = []
        left = min(info.file_size, LARGEST_MEMBER)
        try:
            with self._zip.open(info) as member:
                while chunk := member.read(CHUNK):
                    left -= len(chunk)
                    if left < 0:
                        raise self._refusal(f"{name} unpacks to more than the {info.file_size} bytes that it declares")
                    parts.append(chunk)
        except BROKEN as problem:
            raise self._refusal(f"{name} is damaged: {problem}") from problem
        return b"".join(parts)

    def names(self, folder: str) -> Iterator[str]:
        """Yield the names of the JSON members in a folder, in the order of the archive."""
        return (name for name in self._members if name.startswith(folder) and name.endswith(".json"))

    def close(self) -> None:
        """Let go of the file."""
        self._zip.close()

    def __contains__(self, name: str) -> bool:
        return name in self._members

    def _check(self) -> None:
        infos = self._members.values()
        unpacked = sum(info.file_size for info in infos)
        why = next((why for why in map(_excess, infos) if why), None)
        if why is None and len(infos) > MOST_MEMBERS:
            why = f"it has {len(infos)} members; at most {MOST_MEMBERS} are read"
        if why is None and unpacked > LARGEST_ARCHIVE:
            why = f"it unpacks to {unpacked} bytes; at most {LARGEST_ARCHIVE} are read"
        if why is None and _overlap(self._zip.infolist()):
            why = "its members overlap"
        if why is not None:
            self._zip.close()
            raise self._refusal(why)

    def _refusal(self, why: str) -> UnreadableError:
        return UnreadableError(f"{self.path} is refused as a log of Inspect: {why}; give the log as Inspect wrote it")


def _excess(info: ZipInfo) -> str | None:
    if info.file_size > LARGEST_MEMBER:
        return f"{info.filename} unpacks to {info.file_size} bytes; at most {LARGEST_MEMBER} are read"
    if info.file_size > STEEP_FROM and info.file_size > STEEPEST * max(info.compress_size, 1):
        times = info.file_size // max(info.compress_size, 1)
        return f"{info.filename} unpacks to {times} times its packed size; at most {STEEPEST} times are read"
    return None


def _overlap(infos: Sequence[ZipInfo]) -> bool:
    """Whether members share packed bytes, so that a small file could unpack to very much."""
    ordered = sorted(infos, key=lambda info: info.header_offset)
    return any(
        one.header_offset + LOCAL_HEADER_BYTES + one.compress_size > other.header_offset
        for one, other in pairwise(ordered)
    )
