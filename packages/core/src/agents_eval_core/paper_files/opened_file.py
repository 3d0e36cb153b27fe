"""A file of the user's, opened so that nothing but a plain file of a bearable size is ever read."""

import os
import stat
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from agents_eval_core.errors import PaperError

LARGEST_BYTES: Final = 64 * 1024 * 1024
# Both are missing on Windows, where neither kind of file exists in this form.
NO_FOLLOW: Final[int] = getattr(os, "O_NOFOLLOW", 0)
NO_WAIT: Final[int] = getattr(os, "O_NONBLOCK", 0)


@contextmanager
def opened_file(path: Path, *, largest_bytes: int = LARGEST_BYTES) -> Generator[BinaryIO]:
    """Give a plain file, opened for reading.

    What is checked is what was opened, so that a file that is exchanged in between is not read unchecked. A named pipe
    or a device is refused without waiting for it.

    Raises:
        PaperError: It is not there, is no plain file, is a symbolic link, cannot be opened or is too large.

    >>> with opened_file(Path("none.pdf")) as file:
    ...     file.read()
    Traceback (most recent call last):
    agents_eval_core.errors.PaperError: there is no file none.pdf; check the name
    """
    if path.is_symlink():
        raise PaperError(f"{path} is a symbolic link; give the file that it points to")
    try:
        number = os.open(path, os.O_RDONLY | NO_FOLLOW | NO_WAIT | getattr(os, "O_BINARY", 0))
    except FileNotFoundError as problem:
        raise PaperError(f"there is no file {path}; check the name") from problem
    except (OSError, ValueError) as problem:
        raise PaperError(f"{path} cannot be opened: {getattr(problem, 'strerror', problem)}; check it") from problem
    try:
        _refuse_other_than_plain(path, os.fstat(number), largest_bytes)
    except PaperError:
        os.close(number)
        raise
    with os.fdopen(number, "rb") as file:
        yield file


def _refuse_other_than_plain(path: Path, found: os.stat_result, largest_bytes: int) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise PaperError(f"{path} is no plain file (a folder, pipe or device); give the paper's file")
    if found.st_size > largest_bytes:
        raise PaperError(
            f"{path} has {found.st_size:,} bytes, more than the {largest_bytes:,} that are read; give a smaller file"
        )


def file_bytes(path: Path, *, largest_bytes: int = LARGEST_BYTES) -> bytes:
    """Return the content of a plain file; see `opened_file`.

    Raises:
        PaperError: It cannot be read, or grew beyond the limit while it was.
    """
    with opened_file(path, largest_bytes=largest_bytes) as file:
        try:
            content = file.read(largest_bytes + 1)
        except OSError as problem:
            raise PaperError(f"{path} cannot be read: {problem.strerror}; check it") from problem
    if len(content) > largest_bytes:
        raise PaperError(f"{path} has more than the {largest_bytes:,} bytes that are read; give a smaller file")
    return content
