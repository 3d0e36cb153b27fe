"""The one folder that the server reads from and writes to."""

import re
import stat
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from agents_eval_core.data_root import DataRoot
from agents_eval_core.errors import UsageError
from agents_eval_core.reach import is_in_reach, is_plain
from agents_eval_core.settings import Settings

LARGEST_FILE_BYTES: Final = 256 * 2**20
MOST_FILES: Final = 20_000
SHOWN: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Root:
    """A folder that paths given by clients cannot leave, and the settings of the user who started the server."""

    path: Path
    settings: Settings

    def inside(self, given: str) -> Path:
        """Return the path that a client means, with links resolved.

        Raises:
            UsageError: It is outside the root, or no path at all.

        >>> Root(path=Path("/"), settings=Settings()).inside("tmp").is_absolute()
        True
        """
        if not given.strip() or "\0" in given:
            raise UsageError(f"{given[:SHOWN]!r} is not a path; give one relative to the server's root")
        try:
            path = (self.path / given).resolve()
            path.exists()
        except (OSError, RuntimeError, ValueError):  # longer than a path can be, or a link to itself
            raise UsageError(f"{given[:SHOWN]!r} leads nowhere; give a path relative to the server's root") from None
        if not path.is_relative_to(self.path):
            raise UsageError(f"{given[:SHOWN]!r} is outside the server's root; give a path relative to it")
        return path

    def file(self, given: str, largest_bytes: int = LARGEST_FILE_BYTES) -> Path:
        """Return the plain file that a client means.

        Raises:
            UsageError: It is outside the root, is none, or is too large.
        """
        path = self.inside(given)
        if not path.is_file():
            raise UsageError(f"{given[:SHOWN]!r} is not a file under the server's root")
        self.refuse_too_large(path, given, largest_bytes)
        return path

    def folder(self, given: str) -> Path:
        """Return the folder that a client means.

        Raises:
            UsageError: It is outside the root, is none, or something in it leads out or is no plain file.
        """
        path = self.inside(given)
        if not path.is_dir():
            raise UsageError(f"{given[:SHOWN]!r} is not a folder under the server's root")
        self.refuse_too_large(path, given)
        for entry in path.rglob("*"):
            if not is_in_reach(entry, self.path):
                raise UsageError(f"{given[:SHOWN]!r} has {entry.name}, which leads out of the root; put a copy there")
            if not is_plain(entry):
                raise UsageError(f"{given[:SHOWN]!r} has {entry.name}, which is no plain file; take it away")
        return path

    def refuse_too_large(self, path: Path, given: str, largest_bytes: int = LARGEST_FILE_BYTES) -> None:
        """Refuse what is more than a tool call may read.

        Raises:
            UsageError: A file, or all files of a folder together, are larger, or there are too many of them.
        """
        total = 0
        for count, size in enumerate(_sizes(path), start=1):
            total += size
            if total > largest_bytes or count > MOST_FILES:
                raise UsageError(
                    f"{given[:SHOWN]!r} is larger than {largest_bytes / 2**20:g} MiB or has more than {MOST_FILES} "
                    "files; the command line has no such limit"
                )

    def relative(self, path: Path) -> str:
        """Return a path as clients may see it: relative to the root, or its name alone where it lies elsewhere."""
        resolved = path.resolve()
        return str(resolved.relative_to(self.path)) if resolved.is_relative_to(self.path) else resolved.name

    def without_places(self, text: str) -> str:
        """Return a text in which paths of this machine are relative to the root, or shortened.

        >>> root = Root(path=Path("/srv/papers"), settings=Settings())
        >>> root.without_places("/srv/papers/a.jsonl is in no format; /srv/papers/b is, /srv/papersets is not")
        'a.jsonl is in no format; b is, /srv/papersets is not'
        """
        pattern, instead = _places(self.path, self.data.path, Path.home())
        return pattern.sub(lambda found: _shortened(instead[found["place"]], found["more"]), text)

    @property
    def data(self) -> DataRoot:
        """The data root of this server."""
        return DataRoot(path=self.settings.home)

    @property
    def of_runs(self) -> Path:
        """The folder that a kept run may be read within: the root, or the data root where the user put it elsewhere."""
        return self.path if self.data.path.is_relative_to(self.path) else self.data.path

    def refuse_moved_home(self) -> None:
        """See to it that the data root lies where it was put, whatever was done in the root meanwhile.

        Raises:
            UsageError: It, or something in it, is a link that leads out, or no plain file.
        """
        home = self.data.path
        for path in (home, *home.iterdir()) if home.is_dir() else (home,):
            if not is_in_reach(path, self.of_runs) or not is_plain(path):
                raise UsageError(
                    f"{path.name}, where runs are kept, leads out of the root or is no plain file; take it away"
                )


def open_root(path: Path, settings: Settings) -> Root:
    """Return the root with the data root placed in it, unless the user's own settings put that elsewhere.

    Whoever writes into the root could put tables, answers of judges and certificates into a data root there: what is
    evaluated may not configure its evaluation, so they do not count unless the user's own settings say that they do.

    Raises:
        UsageError: There is no such folder.
    """
    resolved = path.resolve()
    if not resolved.is_dir():
        raise UsageError(f"the root {str(path)!r} is not a folder; give one with --root")
    home = (resolved / settings.home).resolve()
    is_asked_for = "home_is_trusted" in settings.model_fields_set
    is_trusted = settings.home_is_trusted if is_asked_for else not home.is_relative_to(resolved)
    return Root(path=resolved, settings=settings.changed(home=resolved / settings.home, home_is_trusted=is_trusted))


@lru_cache(maxsize=8)
def _places(root: Path, data: Path, home: Path) -> tuple[re.Pattern[str], dict[str, str]]:
    """Return what finds the places of this machine in a text, and what stands for each."""
    code = Path(__file__).parents[4]
    known = {Path(tempfile.gettempdir()): "…/", Path(sys.prefix): "…/", code: "…/", home: "~/", data: "", root: ""}
    instead = {str(form): short for place, short in known.items() for form in {place, place.resolve()} if form.name}
    places = "|".join(re.escape(place) for place in sorted(instead, key=len, reverse=True))
    return re.compile(rf"(?P<place>{places})(?P<more>/|(?![\w-]))"), instead


def _shortened(instead: str, more: str) -> str:
    return instead if more else instead.rstrip("/") or "."


def _sizes(path: Path) -> Iterator[int]:
    for entry in path.rglob("*") if path.is_dir() else (path,):
        try:
            found = entry.stat()
        except OSError:  # a link to nothing
            continue
        if stat.S_ISREG(found.st_mode):
            yield found.st_size
