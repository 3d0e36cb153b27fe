"""The beginning of a file, by which its format is told."""

from pathlib import Path
from typing import Final

HEAD_BYTES: Final = 65536


def first_bytes(path: Path) -> bytes:
    """Return the first bytes of a file; none where it cannot be read.

    >>> first_bytes(Path("none.json"))
    b''
    """
    try:
        with path.open("rb") as file:
            return file.read(HEAD_BYTES)
    except OSError:
        return b""
