"""Runs that were made earlier, found in folders: run directories, and what Claude Code left behind."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from agents_eval_core import registry
from agents_eval_core.case import Case
from agents_eval_core.errors import UnreadableError, UsageError
from agents_eval_core.ports.engine import EngineResult
from agents_eval_core.run import Run, System
from agents_eval_core.store.run_directory import OWN_FILES, RUN, RunDirectory
from agents_eval_core.trace_source import read_trace
from agents_eval_core.use_cases.evaluate_trace import run_of

TEAM_WORDS: Final = frozenset({"TeamCreate", "SendMessage"})
REPORTS: Final = re.compile(r"report\.|graph\.")
STREAM: Final = "*.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierRun:
    """A run that was made earlier: what did it, which paper it is about, and where it lies."""

    folder: Path
    paper: str
    system: System
    created_at: datetime


def earlier_runs(folders: Sequence[Path], papers: frozenset[str]) -> list[EarlierRun]:
    """Return the runs found in folders that are about one of the papers, the oldest first.

    A run directory says itself what it is. Any other folder with a stream or session of Claude Code belongs to the
    paper it is called after, `<paper>` or `<paper>_<anything>`; it was made by `cc-teams` where it used the tools of a
    team, else by `cc-solo`.

    Raises:
        UsageError: A folder is not there, or holds no such run.
    """
    found: list[EarlierRun] = []
    for folder in folders:
        if not folder.is_dir():
            raise UsageError(f"{folder} is no folder; name one that holds runs made earlier")
        here = [run for run in _runs_in(folder, papers) if run.paper in papers]
        if not here:
            raise UsageError(
                f"{folder} holds no run about a paper of this sweep: neither a run directory nor a Claude Code stream "
                "in a folder that is called after the paper"
            )
        found += here
    return sorted(found, key=lambda run: (run.created_at, str(run.folder)))


def earlier_result(folder: Path, case: Case) -> EngineResult:
    """Return the run of a run directory, about a case, with the files that hold its record.

    Raises:
        UnreadableError: It is damaged.
    """
    names = (file for file in folder.iterdir() if file.is_file() and not file.name.startswith("."))
    kept = (file for file in names if file.name not in OWN_FILES and not REPORTS.match(file.name))
    run = RunDirectory.open(folder).read_run().changed(case=case)
    return EngineResult(run=run, files={file.name: file.read_bytes() for file in kept})


def is_run_directory(folder: Path) -> bool:
    """Whether a folder holds a run of ours rather than what Claude Code left behind."""
    return (folder / RUN).is_file()


def stream_in(folder: Path) -> Path:
    """Return the stream or session of Claude Code in a folder.

    Raises:
        UnreadableError: There is none.
    """
    streams = sorted(folder.glob(STREAM))
    if not streams:
        raise UnreadableError(f"{folder} holds neither {RUN} nor a stream ({STREAM}); it may have been moved")
    return streams[0]


def _runs_in(folder: Path, papers: frozenset[str]) -> Iterator[EarlierRun]:
    for file in sorted(folder.rglob(RUN)):
        run = RunDirectory.open(file.parent).read_run(with_trace=False)
        if run.status == "complete":
            paper = run.case.paper.id if run.case.paper else run.case.id
            yield EarlierRun(folder=file.parent.resolve(), paper=paper, system=run.system, created_at=run.created_at)
    for place in sorted(path for path in folder.rglob("*") if path.is_dir() and not (path / RUN).is_file()):
        paper = next((paper for paper in papers if re.fullmatch(rf"{re.escape(paper)}(_.*)?", place.name)), None)
        if paper is not None and any(place.glob(STREAM)):
            run = run_of(read_trace(stream_in(place)))
            yield EarlierRun(folder=place.resolve(), paper=paper, system=_system_of(run), created_at=run.created_at)


def _system_of(run: Run) -> System:
    spans = run.trace.spans if run.trace else ()
    is_team = any(span.tool is not None and span.tool.name in TEAM_WORDS for span in spans)
    models = {span.model for span in spans if span.model}
    name = "cc-teams" if is_team else "cc-solo"
    offered = registry.engine(name).compositions if name in registry.names("engines") else (name,)
    return System(engine=name, composition=offered[0], model=models.pop() if len(models) == 1 else None)
