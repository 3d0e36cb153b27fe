"""A lock on a folder: one process at a time works in it, and a killed process holds nothing."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from agents_eval_core.errors import StorageError
from agents_eval_core.store.atomic_file import not_written

NAME: Final = ".lock"


@contextmanager
def folder_lock(folder: Path) -> Generator[None]:
    """Hold a folder, which is made if it is not there; the operating system lets go of it when the process ends.

    Raises:
        StorageError: Another process holds it, or the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / NAME).open("ab")
    except OSError as problem:
        raise not_written(folder / NAME, problem) from problem
    with file:
        if not _taken(file):
            raise StorageError(f"another process works in {folder}; wait for its end, or stop it, and try again")
        yield


def _taken(file: BinaryIO) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415  only there

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl  # noqa: PLC0415  only there

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
