"""Files that are there whole or not at all, whatever kills the process that writes them."""

import errno
import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from agents_eval_core.errors import StorageError

PREFIX: Final = ".~"
FULL: Final = (errno.ENOSPC, errno.EDQUOT)


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file so that a reader finds what was there before or all of the new content, never a part.

    Raises:
        StorageError: The disk is full or the folder cannot be written; what was there before is still there.
    """
    write_together(path.parent, {path.name: data})


def write_together(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Write files of a folder, each as `write_atomically` does; they appear in the order given.

    For several files this waits for the disk about half as long as one after the other.

    Args:
        folder: Where they are written.
        contents: What they hold, by name.

    Raises:
        StorageError: The disk is full or the folder cannot be written; each file is as before, or new and whole.
    """
    drafts: dict[Path, Path] = {}
    path = folder
    try:
        for name, data in contents.items():
            path = folder / name
            drafts[path] = draft_beside(path)
            _write_through(drafts[path], data)
        for path, draft in drafts.items():
            os.replace(draft, path)  # noqa: PTH105  one name for what the tests of crashes stop at
        sync_folder(folder)
    except OSError as problem:
        for draft in drafts.values():
            with suppress(OSError):
                draft.unlink(missing_ok=True)
        raise not_written(path, problem) from problem


def draft_beside(path: Path) -> Path:
    """Return a name in the same folder for something that is not finished: hidden, and nobody else's."""
    return path.with_name(f"{PREFIX}{secrets.token_hex(8)}")


def is_draft(path: Path) -> bool:
    """Whether a file or folder is unfinished work, perhaps of a process that is gone."""
    return path.name.startswith(PREFIX)


def sync_folder(folder: Path) -> None:
    """Make renames in a folder last."""
    if os.name == "nt":  # a folder cannot be opened there; a rename is journalled by the file system
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def not_written(path: Path, problem: OSError) -> StorageError:
    """Return the sentence for something that could not be written.

    >>> str(not_written(Path("a/run.json"), OSError(errno.ENOSPC, "No space left on device")))
    'could not write run.json in a: the disk is full; free some space and try again, what was kept before is unchanged'
    """
    if problem.errno in FULL:
        why, advice = "the disk is full", "free some space"
    else:
        why, advice = (problem.strerror or str(problem)).lower(), "see that the folder is there and may be written"
    said = f"could not write {path.name} in {path.parent}: {why}"
    return StorageError(f"{said}; {advice} and try again, what was kept before is unchanged")


def _write_through(path: Path, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o644)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
