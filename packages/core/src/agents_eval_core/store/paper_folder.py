"""A folder of downloaded files, and its manifest: what should be there."""

import os
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Final, Literal

from pydantic_core import to_json

from agents_eval_core.errors import PaperError
from agents_eval_core.frozen import Frozen
from agents_eval_core.remote_file import RemoteFile
from agents_eval_core.store.atomic_file import is_draft, not_written, write_atomically
from agents_eval_core.store.document import read_document, schema
from agents_eval_core.store.folder_lock import NAME as LOCK
from agents_eval_core.store.folder_lock import folder_lock

KIND: Final = "paper-manifest"
MANIFEST: Final = "manifest.json"

State = Literal["whole", "missing", "damaged"]


class Manifest(Frozen):
    """What should be in the folder, by path."""

    dataset: str
    files: tuple[RemoteFile, ...] = ()

    def joined_by(self, files: Iterable[RemoteFile]) -> "Manifest":
        """Return the manifest with further files; of two with one path, the further one counts."""
        every = {file.path: file for file in (*self.files, *files)}
        return self.changed(files=tuple(every[path] for path in sorted(every)))


class PaperFolder:
    """A folder of downloaded files.

    The manifest is written before the files: what an interruption leaves undone is seen by holding one against the
    other, and nothing else needs to be remembered.
    """

    def __init__(self, path: Path, dataset: str) -> None:
        self.path = path
        self._dataset = dataset

    def lock(self) -> AbstractContextManager[None]:
        """Hold the folder as the only process that writes in it."""
        return folder_lock(self.path)

    def manifest(self) -> Manifest:
        """Return what should be in the folder; nothing, where nothing was downloaded yet.

        Raises:
            UnreadableError: The manifest is damaged; it may be removed, the files are not downloaded again.
            PaperError: It is that of another dataset.
        """
        place = self.path / MANIFEST
        if not place.is_file():
            return Manifest(dataset=self._dataset)
        found = read_document(place, KIND, Manifest)
        if found.dataset != self._dataset:
            raise PaperError(f"{place} is the manifest of {found.dataset}, not of {self._dataset}; use another folder")
        return found

    def write_manifest(self, manifest: Manifest) -> None:
        """Write what should be in the folder.

        Raises:
            StorageError: It could not be written; what was there before is still there.
        """
        document = {"schema": schema(KIND), **manifest.model_dump()}
        write_atomically(self.path / MANIFEST, to_json(document, indent=1) + b"\n")

    def state(self, file: RemoteFile) -> State:
        """Return whether a file is there as it should be."""
        place = self._place(file)
        try:
            if place.is_symlink() or not place.is_file():
                return "damaged" if place.exists() else "missing"
            if place.stat().st_size != file.size:
                return "damaged"
            return "damaged" if file.problem_of(place.read_bytes()) else "whole"
        except OSError:
            return "damaged"

    def keep(self, file: RemoteFile, content: bytes) -> None:
        """Write a file, all of it or nothing.

        Raises:
            StorageError: It could not be written.
        """
        place = self._place(file)
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise not_written(place, problem) from problem
        write_atomically(place, content)

    def remove_drafts(self) -> None:
        """Remove what killed processes left unfinished; only for who holds the lock."""
        for file in self._files():
            if is_draft(file):
                with suppress(OSError):
                    file.unlink()

    def superfluous(self, manifest: Manifest) -> tuple[str, ...]:
        """Return the paths of the files that the manifest does not name."""
        known = {file.path for file in manifest.files} | {MANIFEST, LOCK}
        found = (file.relative_to(self.path).as_posix() for file in self._files())
        return tuple(sorted(path for path in found if path not in known))

    def _files(self) -> Iterator[Path]:
        for folder, _, names in os.walk(self.path):
            yield from (Path(folder) / name for name in names)

    def _place(self, file: RemoteFile) -> Path:
        return self.path.joinpath(*file.parts)
