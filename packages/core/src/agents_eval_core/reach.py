"""How far a reader may look for what belongs to a trace but lies in other files."""

import stat
from pathlib import Path


def is_in_reach(path: Path, root: Path | None) -> bool:
    """Whether a file or folder, with links resolved, lies in the folder that may be read; without one, all do.

    >>> is_in_reach(Path("/a/b"), Path("/a")), is_in_reach(Path("/a/../c"), Path("/a")), is_in_reach(Path("/c"), None)
    (True, False, True)
    """
    return root is None or path.resolve().is_relative_to(root.resolve())


def is_plain(path: Path) -> bool:
    """Whether a path leads to a file or folder, or to nothing; a pipe, device or socket may never come to an end.

    >>> is_plain(Path("/dev/zero")), is_plain(Path("/"))
    (False, True)
    """
    try:
        kind = path.stat().st_mode
    except OSError:
        return True
    return stat.S_ISREG(kind) or stat.S_ISDIR(kind)
