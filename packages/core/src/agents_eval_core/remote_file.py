"""A file that is to be downloaded: where it belongs, and what it must consist of."""

import hashlib
from pathlib import PurePosixPath
from typing import Annotated, Final

from pydantic import AfterValidator, Field, StringConstraints

from agents_eval_core.frozen import Frozen

LARGEST_BYTES: Final = 100 * 1024 * 1024  # GitHub takes no larger ones
LONGEST_NAME: Final = 200
LEVELS: Final = 6
NOT_IN_NAMES: Final = frozenset('\\<>:"|?*')
DEVICES: Final = frozenset(
    {"con", "prn", "aux", "nul", *(f"{name}{number}" for name in ("com", "lpt") for number in range(10))}
)

Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{40}$")]


def place_problem(path: str) -> str | None:
    """Return why a relative path is no place for a downloaded file, or None.

    It must lead to the same place under the folder on every system: no way out, no hidden file, no name that some
    system reads as something else.

    >>> place_problem("iclr_2017/train/reviews/304.json")
    >>> [place_problem(path) for path in ("../a", "/a", "a//b", "C:/a", ".git/config", "a/NUL.json")]
    ['has a part that is empty, hidden, or leads out', 'has a part that is empty, hidden, or leads out', \
'has a part that is empty, hidden, or leads out', 'has characters that not every system can have in a name', \
'has a part that is empty, hidden, or leads out', 'has a part that is the name of a device on some systems']
    """
    parts = path.split("/")
    if not path.isprintable() or not NOT_IN_NAMES.isdisjoint(path):
        return "has characters that not every system can have in a name"
    if any(not part or part.startswith(".") or part[-1] in ". " for part in parts):
        return "has a part that is empty, hidden, or leads out"
    if any(part.split(".")[0].strip().lower() in DEVICES for part in parts):
        return "has a part that is the name of a device on some systems"
    if len(parts) > LEVELS or any(len(part.encode()) > LONGEST_NAME for part in parts):
        return "is too long or too deep"
    return None


def _safe(path: str) -> str:
    problem = place_problem(path)
    if problem is not None:
        raise ValueError(f"{path[:LONGEST_NAME]!r} {problem}")
    return path


class RemoteFile(Frozen):
    """A file of a collection, as its source lists it.

    Attributes:
        path: Where it belongs under the folder of the collection.
        sha1: The digest of its content as git makes it.
        commit: The state of the source in which it was listed.
    """

    path: Annotated[str, AfterValidator(_safe)]
    size: Annotated[int, Field(ge=0, le=LARGEST_BYTES)]
    sha1: Digest
    commit: Digest

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of the path."""
        return PurePosixPath(self.path).parts

    def problem_of(self, content: bytes) -> str | None:
        """Return how content differs from what this file must consist of, or None."""
        if len(content) != self.size:
            return f"it has {len(content):,} bytes instead of {self.size:,}"
        if git_blob_sha1(content) != self.sha1:
            return "its content is not what was listed"
        return None


def git_blob_sha1(content: bytes) -> str:
    """Return the name that git gives to a content.

    It tells damage from a whole file. Against somebody who forges a file of the same name SHA-1 is weak; that the
    list of names comes from the source itself is up to the connection to it.

    >>> git_blob_sha1(b"")
    'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'
    """
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
