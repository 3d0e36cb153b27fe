"""The folder of a sweep or batch: its journal, and the workshop in which runs are made before they are taken over."""

import os
import secrets
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from shutil import rmtree
from typing import Final

from agents_eval_core.data_root import DataRoot
from agents_eval_core.store.atomic_file import is_draft, sync_folder, write_atomically
from agents_eval_core.store.journal import Journal
from agents_eval_core.store.run_directory import RunDirectory

JOURNAL: Final = "journal.sqlite"
WORKSHOP: Final = "workshop"
CHOSEN: Final = "chosen"


class WorkFolder:
    """`<data root>/<sweeps or batches>/<name>`.

    A run is made in the workshop by whoever works on its cell, and moved to the other runs by the driver alone. Which
    of several attempts is taken is written down before it is moved, so that it can always be found again.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

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
