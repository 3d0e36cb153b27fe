"""The folder of a sweep or batch: order, journal, and the workshop in which runs are made before they are taken."""

import os
import secrets
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from shutil import rmtree
from typing import ClassVar, Final, Generic, Self, TypeVar

from agents_eval_core.data_root import DataRoot
from agents_eval_core.errors import UnknownNameError, UsageError
from agents_eval_core.settings import Settings
from agents_eval_core.store.atomic_file import is_draft, sync_folder, write_atomically
from agents_eval_core.store.document import read_document, write_document
from agents_eval_core.store.journal import Journal
from agents_eval_core.store.run_directory import RunDirectory
from agents_eval_core.work import WorkOrder

JOURNAL: Final = "journal.sqlite"
WORKSHOP: Final = "workshop"
CHOSEN: Final = "chosen"
TOrder = TypeVar("TOrder", bound=WorkOrder)


class WorkFolder(ABC, Generic[TOrder]):
    """`<data root>/<sweeps or batches>/<name>`, with the order in `<kind>.json`.

    A run is made in the workshop by whoever works on its cell, and moved to the other runs by the driver alone. Which
    of several attempts is taken is written down before it is moved, so that it can always be found again.
    """

    kind: ClassVar[str]
    listed_by: ClassVar[str]
    order_shape: type[TOrder]

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    @abstractmethod
    def place(cls, root: DataRoot) -> Path:
        """Return where all folders of the kind lie."""

    @classmethod
    def names(cls, root: DataRoot) -> tuple[str, ...]:
        """Return the names of those that were begun."""
        return tuple(sorted(path.parent.name for path in cls.place(root).glob(f"*/{cls.kind}.json")))

    @classmethod
    def named(cls, name: str, root: DataRoot) -> Self:
        """Return the folder of one that was begun.

        Raises:
            UnknownNameError: There is none of that name.
        """
        folder = cls(cls.place(root) / name)
        if not folder._order_file.is_file():
            raise UnknownNameError(cls.kind, name, cls.names(root), hint=f"'{cls.listed_by}' lists all")
        return folder

    @classmethod
    def begin(cls, order: TOrder, root: DataRoot) -> Self:
        """Return the folder of one that begins, with its order in it.

        Raises:
            UsageError: There is one of that name already.
        """
        folder = cls(cls.place(root) / order.title)
        if folder._order_file.is_file():
            raise UsageError(
                f"there is a {cls.kind} {order.title!r} already; 'agents-eval {cls.kind} resume {order.title}' goes on "
                "with it, and --name gives a new one a name of its own"
            )
        folder.path.mkdir(parents=True, exist_ok=True)
        folder.keep_order(order)
        return folder

    def keep_order(self, order: TOrder) -> None:
        """Write down what the work is begun with."""
        write_document(self._order_file, self.kind, order)

    def order(self) -> TOrder:
        """Return what the work was begun with."""
        return read_document(self._order_file, self.kind, self.order_shape)

    def settings(self, order: TOrder) -> Settings:
        """Return the settings that the work was begun with, in the data root where it lies now."""
        return Settings.model_validate(order.settings | {"AGENTS_EVAL_HOME": self.root.path})

    @property
    def _order_file(self) -> Path:
        return self.path / f"{self.kind}.json"

    @property
    def root(self) -> DataRoot:
        """The data root that it lies in."""
        return DataRoot(path=self.path.parent.parent)

    def journal(self) -> Journal:
        """Open the journal."""
        return Journal(self.path / JOURNAL)

    def bench(self, run_id: str) -> Path:
        """Return where the attempts at a run are made."""
        return self.path / WORKSHOP / run_id

    def attempt(self, run_id: str) -> Path:
        """Return a place for one more attempt at a run: nobody else's, though others may still be at work."""
        return self.bench(run_id) / secrets.token_hex(8)

    def made(self, run_id: str) -> RunDirectory | None:
        """Return the attempt at a run that is whole, in the workshop or moved already; None where there is none."""
        bench = self.bench(run_id)
        if (bench / CHOSEN).is_file():
            chosen = bench / (bench / CHOSEN).read_text(encoding="utf-8")
            return RunDirectory.open(chosen if chosen.is_dir() else self.root.runs / chosen.name)
        for directory in _attempts(bench):
            if directory.read_run(with_trace=False).status not in ("unfinished", "interrupted"):
                return directory
        return None

    def take_over(self, directory: RunDirectory, run_id: str) -> RunDirectory:
        """Move a run from the workshop to the other runs; where that was done before, nothing changes."""
        target = self.root.runs / directory.path.name
        if directory.path != target and not target.is_dir():
            bench = self.bench(run_id)
            write_atomically(bench / CHOSEN, directory.path.relative_to(bench).as_posix().encode())
            target.parent.mkdir(parents=True, exist_ok=True)
            os.rename(directory.path, target)  # noqa: PTH104  one name for what the tests of crashes stop at
            sync_folder(target.parent)
        return RunDirectory.open(target)

    def clear(self, run_id: str | None = None) -> None:
        """Remove the attempts at a run that were not taken, or the whole workshop."""
        rmtree(self.path / WORKSHOP if run_id is None else self.bench(run_id), ignore_errors=True)
        if run_id is None:
            return
        with suppress(OSError):
            (self.path / WORKSHOP).rmdir()  # only when it is empty


def _attempts(bench: Path) -> Iterator[RunDirectory]:
    for path in sorted(bench.glob("*/*")):
        if path.is_dir() and not is_draft(path):
            yield RunDirectory.open(path)
