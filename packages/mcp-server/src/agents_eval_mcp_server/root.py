"""The one folder that the server reads from and writes to."""

from dataclasses import dataclass
from pathlib import Path

from agents_eval_core.data_root import DataRoot
from agents_eval_core.errors import UsageError
from agents_eval_core.settings import Settings


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
            raise UsageError(f"{given!r} is not a path; give one relative to the server's root")
        path = (self.path / given).resolve()
        if not path.is_relative_to(self.path):
            raise UsageError(f"{given!r} is outside the server's root; give a path relative to it")
        return path

    def relative(self, path: Path) -> str:
        """Return a path as clients may see it: relative to the root, or its name alone where it lies elsewhere."""
        resolved = path.resolve()
        return str(resolved.relative_to(self.path)) if resolved.is_relative_to(self.path) else resolved.name

    @property
    def data(self) -> DataRoot:
        """The data root of this server."""
        return DataRoot(path=self.settings.home)


def open_root(path: Path, settings: Settings) -> Root:
    """Return the root with the data root placed in it, unless the user's own settings put that elsewhere.

    Raises:
        UsageError: There is no such folder.
    """
    resolved = path.resolve()
    if not resolved.is_dir():
        raise UsageError(f"the root {str(path)!r} is not a folder; give one with --root")
    return Root(path=resolved, settings=settings.changed(home=resolved / settings.home))
