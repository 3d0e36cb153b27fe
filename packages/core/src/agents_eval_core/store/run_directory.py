"""The directory of a run: everything that is needed to read it, show it and score it again."""

import os
import re
from collections.abc import Mapping
from hashlib import sha256
from itertools import islice
from pathlib import Path
from shutil import rmtree
from typing import Final, Self

from agents_eval_core import registry
from agents_eval_core.errors import StorageError, UnreadableError, UsageError
from agents_eval_core.frozen import Frozen
from agents_eval_core.reach import is_in_reach, is_plain
from agents_eval_core.redaction import redact_bytes
from agents_eval_core.review import Review
from agents_eval_core.run import Run, TraceReference
from agents_eval_core.score import Scorecard
from agents_eval_core.store.atomic_file import draft_beside, is_draft, not_written, sync_folder, write_together
from agents_eval_core.store.directory_name import directory_name
from agents_eval_core.store.document import document, read_document, write_document
from agents_eval_core.store.review_markdown import review_markdown
from agents_eval_core.trace import Trace
from agents_eval_core.trace_source import read_traces

RUN: Final = "run.json"
REVIEW: Final = "review.json"
REVIEW_TEXT: Final = "review.md"
OUTPUT: Final = "output.json"
SCORECARD: Final = "scorecard.json"
TRACE: Final = "trace.otlp.jsonl"
PLAIN_NAME: Final = re.compile(r"\w[\w.-]{0,99}")
OWN_FILES: Final = frozenset({RUN, REVIEW, REVIEW_TEXT, OUTPUT, SCORECARD})


class Output(Frozen):
    """What came out of a task that is no review, as it is kept in `output.json`."""

    text: str


class RunDirectory:
    """A run on disk.

    Until `finish` has replaced `run.json`, the run is `unfinished`; that replacement makes it whole at once. Nothing is
    ever half-written, and no secret is written.

    Attributes:
        root: The folder that nothing of the run may be read outside of; None is anywhere.
    """

    def __init__(self, path: Path, root: Path | None = None) -> None:
        self.path = path
        self.root = root

    @classmethod
    def create(cls, runs: Path, run: Run) -> Self:
        """Make the directory of a run that begins; it appears with its `run.json` in it.

        Raises:
            StorageError: It could not be made; nothing of it is there.
        """
        path = runs / directory_name(run)
        draft = draft_beside(path)
        try:
            draft.mkdir(parents=True)
            write_document(draft / RUN, "run", run.changed(status="unfinished"))
            os.rename(draft, path)  # noqa: PTH104  fails where that directory has content, unlike a move into it
            sync_folder(runs)
        except (OSError, StorageError) as problem:
            rmtree(draft, ignore_errors=True)
            cause = problem if isinstance(problem, OSError) else problem.__cause__
            raise not_written(path, cause if isinstance(cause, OSError) else OSError(str(problem))) from problem
        return cls(path)

    @classmethod
    def open(cls, path: Path, root: Path | None = None) -> Self:
        """Return the directory of a run that is there.

        Args:
            path: Where it is.
            root: The folder that nothing of it may be read outside of; by default there is none.

        Raises:
            UsageError: There is nothing, it is not a run directory, or a part of it leads out of the root.
        """
        if not path.is_dir():
            found = "it is a file" if path.exists() else "there is nothing"
            raise UsageError(f"{path} is not a run directory: {found}; 'agents-eval runs' lists the runs there are")
        if not (path / RUN).is_file():
            raise UsageError(
                f"{path} is not a run directory: it has no {RUN}; give one of the folders under 'runs' in the data root"
            )
        opened = cls(path, root)
        opened._refuse_ways_out()
        return opened

    def finish(self, run: Run, files: Mapping[str, bytes]) -> None:
        """Keep the run with its output and its raw files; last of all, that it is finished.

        Args:
            run: The run as it ended.
            files: The engine's record, by file name (`trace.otlp.jsonl`).

        Raises:
            StorageError: Something could not be written, and the run is still unfinished; or it was finished before,
                and nothing is changed.
        """
        if read_document(self.path / RUN, "run", Run).status != "unfinished":
            raise StorageError(
                f"the run in {self.path} is finished already and stays as it is; start a new run instead"
            )
        contents = {_plain(name): redact_bytes(data) for name, data in files.items()}
        if run.output is not None:
            contents[REVIEW] = document("review", run.output)
            contents[REVIEW_TEXT] = _clean(review_markdown(run, run.output))
        if run.output_text is not None:
            contents[OUTPUT] = document("output", Output(text=run.output_text))
        write_together(self.path, contents)
        write_document(self.path / RUN, "run", run)

    def write_scorecard(self, scorecard: Scorecard, reports: Mapping[str, str]) -> None:
        """Keep a scorecard and the reports made from it, by file name; those of before are replaced.

        Raises:
            StorageError: Something could not be written; the scorecard of before is still there.
        """
        write_together(self.path, {_plain(name): _clean(text) for name, text in reports.items()})
        write_document(self.path / SCORECARD, "scorecard", scorecard)

    def read_scorecard(self) -> Scorecard | None:
        """Return the scorecard, or None where the run was not evaluated.

        Raises:
            UnreadableError: It is damaged, or was written by a newer version.
        """
        path = self.path / SCORECARD
        return read_document(path, "scorecard", Scorecard) if path.is_file() else None

    def read_run(self, with_trace: bool = True) -> Run:
        """Return the run with its output and, where one was kept, its trace.

        Args:
            with_trace: False leaves the trace out, which is most of the work.

        Raises:
            UnreadableError: Something is damaged, or was written by a newer version.
            UsageError: A part of it leads out of the root.
        """
        self._refuse_ways_out()
        run = read_document(self.path / RUN, "run", Run)
        review, output = self.path / REVIEW, self.path / OUTPUT
        return run.changed(
            output=read_document(review, "review", Review) if review.is_file() else None,
            output_text=read_document(output, "output", Output).text if output.is_file() else None,
            trace=self._trace(run) if with_trace else None,
        )

    def output_digest(self) -> str | None:
        """Return a digest of what came out, the same for runs with the same output; None where nothing did."""
        for name in (REVIEW, OUTPUT):
            path = self.path / name
            if path.is_file():
                return sha256(path.read_bytes()).hexdigest()
        return None

    def files(self) -> tuple[Path, ...]:
        """Return the files of the run, by name."""
        return tuple(sorted(path for path in self.path.iterdir() if path.is_file() and not is_draft(path)))

    def _trace(self, run: Run) -> Trace | None:
        path = self.path / TRACE
        if run.trace_at is not None:
            return trace_at(run.trace_at, root=self.root)
        if not path.is_file() or path.stat().st_size == 0:
            return None
        try:
            return next(iter(registry.trace_format("otlp").read(path)), None)
        except UnreadableError:
            if run.status == "complete":
                raise
            return None  # a run that broke off may not have come to a span

    def _refuse_ways_out(self) -> None:
        for path in (self.path, *self.path.iterdir()) if self.root is not None else ():
            if not is_in_reach(path, self.root) or not is_plain(path):
                raise UsageError(
                    f"{path.name} in the run {self.path.name} leads out of the root or is no plain file; take it away"
                )


def trace_at(place: TraceReference, *, root: Path | None = None) -> Trace:
    """Return a trace from where it lies, which is within the root if there is one.

    Raises:
        UnreadableError: It is gone, or it is no longer what it was.
        UsageError: It lies outside the root.
    """
    path = Path(place.path)
    if not is_in_reach(path, root):
        raise UsageError(f"the trace of this run, {path.name}, lies outside the root; put a copy into it")
    if not path.exists():
        raise UnreadableError(f"the trace of this run lay in {path}, where it is no longer; put it back there")
    found = next(islice(read_traces(path, place.trace_format, root=root), place.position, None), None)
    if found is None or found.id != place.trace_id or found.source.digest != place.digest:
        raise UnreadableError(f"{path} is no longer what it was when this run was evaluated; evaluate it anew")
    return found


def _plain(name: str) -> str:
    if name in OWN_FILES or not PLAIN_NAME.fullmatch(name):
        raise StorageError(f"a file named {name!r} cannot be kept beside a run: give a plain name not in use")
    return name


def _clean(text: str) -> bytes:
    return redact_bytes(text.encode("utf-8", "replace"))
