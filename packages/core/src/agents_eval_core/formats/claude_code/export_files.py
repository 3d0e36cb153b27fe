"""The files of an exported Claude Code session or team, as records."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, cast

import msgspec

from agents_eval_core.errors import UnreadableError
from agents_eval_core.formats.building.unix_time import EPOCH
from agents_eval_core.formats.claude_code.records import moment
from agents_eval_core.formats.claude_code.wire import BAD_JSON
from agents_eval_core.reach import is_in_reach

MILLISECONDS_FROM: Final = 1e11
"""Larger numbers are milliseconds since 1970: as seconds they would lie after the year 5000."""


class ExportFiles:
    """Reads the files of one folder; counts what is damaged and takes the digest of what was read."""

    def __init__(self, folder: Path, root: Path | None = None) -> None:
        self.folder = folder
        self._root = root
        self.unread: Counter[str] = Counter()
        self._digest = sha256()

    @property
    def digest(self) -> str:
        """The SHA-256 of what was read so far."""
        return self._digest.hexdigest()

    def record(self, name: str) -> dict[str, Any]:
        """Return the one object of a file that has to be there.

        Raises:
            UnreadableError: It is not there or holds none.
        """
        path = self.folder / name
        try:
            value = msgspec.json.decode(self._bytes(path))
        except BAD_JSON as problem:
            raise UnreadableError(f"{path} cannot be read: {problem}; export the session again") from problem
        if not isinstance(value, dict):
            raise UnreadableError(f"{path} holds no object; export the session again")
        return cast("dict[str, Any]", value)

    def lines(self, name: str) -> Iterator[dict[str, Any]]:
        """Yield the objects of a file of lines."""
        for line in self._bytes(self.folder / name).splitlines():
            if line.strip():
                yield from self._records(line, "line")

    def each(self, folder: Path) -> Iterator[tuple[Path, list[dict[str, Any]]]]:
        """Yield the JSON files of a folder with their objects: one, or those of a list."""
        for path in sorted(folder.glob("*.json")) if folder.is_dir() and is_in_reach(folder, self._root) else ():
            yield path, list(self._records(self._bytes(path), f"{folder.name} file"))

    def _records(self, data: bytes, kind: str) -> Iterator[dict[str, Any]]:
        try:
            value = msgspec.json.decode(data)
        except BAD_JSON:
            self.unread[f"damaged {kind}"] += 1
            return
        for entry in cast("list[Any]", value) if isinstance(value, list) else [value]:
            if isinstance(entry, dict):
                yield cast("dict[str, Any]", entry)
            else:
                self.unread[f"{kind} of another kind"] += 1

    def _bytes(self, path: Path) -> bytes:
        try:
            data = path.read_bytes()
        except OSError as problem:
            raise UnreadableError(
                f"{path} cannot be read: {problem.strerror or problem}; give an exported folder"
            ) from problem
        self._digest.update(data)
        return data


def named_text(record: dict[str, Any], *names: str) -> str | None:
    """Return the first of some fields that is a text or a whole number, as text."""
    for name in names:
        value = record.get(name)
        if isinstance(value, str | int) and not isinstance(value, bool) and value != "":
            return str(value)
    return None


def time_of(value: Any) -> datetime | None:
    """Return a point in time from ISO 8601, or from seconds or milliseconds since 1970; 0 is no time.

    >>> time_of(1770774687122) == time_of(1770774687.122), time_of(0.0)
    (True, None)
    """
    if isinstance(value, str):
        return moment(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
        return None
    try:
        milliseconds = round(value if value >= MILLISECONDS_FROM else value * 1000)
        return EPOCH + timedelta(milliseconds=milliseconds)
    except OverflowError:
        return None
