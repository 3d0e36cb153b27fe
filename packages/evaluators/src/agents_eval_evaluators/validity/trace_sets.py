"""The traces among folders of any kind of data, and the labelled sets among them, told by what is in the files."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from agents_eval_core import registry
from agents_eval_core.errors import AgentsEvalError, UsageError
from agents_eval_core.trace import Trace
from agents_eval_core.use_cases.trace_files import readable_files

PAPERS: Final = frozenset({"parsed_pdfs", "reviews"})
TAU: Final = "tau-bench"
AG2: Final = "AG2"
WHO_AND_WHEN: Final = "Who&When"
TRAIL: Final = "TRAIL"
MINI_SWE: Final = "mini-swe-agent"


def note(trace: Trace, name: str) -> Any:
    """Return what the data set says of a trace as a whole under a name; None where it says nothing."""
    return next((one.value for one in trace.annotations if one.name == name and one.span_id is None), None)


def task_of(trace: Trace) -> str:
    """Return what a trace's task is told by: the task, else the trace itself."""
    return trace.task_id or trace.id


def _is_tau(trace: Trace) -> bool:
    return trace.source.format == "openai_messages" and isinstance(note(trace, "info"), dict)


def _is_ag2(trace: Trace) -> bool:
    return trace.source.format == "autogen" and trace.outcome is not None and note(trace, "other_data") is not None


def _is_who_and_when(trace: Trace) -> bool:
    return trace.source.format == "who_and_when"


def _is_trail(trace: Trace) -> bool:
    return any(one.by == "TRAIL" for one in trace.annotations)


def _is_mini_swe(trace: Trace) -> bool:
    return trace.source.format == "mini_swe_agent" and trace.outcome is not None


SETS: Final[Mapping[str, Callable[[Trace], bool]]] = {
    TAU: _is_tau,
    AG2: _is_ag2,
    WHO_AND_WHEN: _is_who_and_when,
    TRAIL: _is_trail,
    MINI_SWE: _is_mini_swe,
}


def labelled_set(data: Sequence[Path], name: str) -> tuple[Trace, ...]:
    """Return the traces of a labelled set, in the order of their files.

    Raises:
        UsageError: None of the folders has it.
    """
    found = tuple(trace for trace in traces_among(data) if SETS[name](trace))
    if not found:
        looked = ", ".join(map(str, data)) or "no folder"
        raise UsageError(f"no trace of {name} in {looked}; give the folder that has them with --data")
    return found


def traces_among(data: Sequence[Path]) -> tuple[Trace, ...]:
    """Return all traces in the files under the folders, in the order of the files; folders of papers are passed over.

    Raises:
        UsageError: There is none.
    """
    found = _traces(tuple(data))
    if not found:
        looked = ", ".join(map(str, data)) or "no folder"
        raise UsageError(f"no trace of any known format in {looked}; give a folder of traces with --data")
    return found


@lru_cache(maxsize=2)
def _traces(folders: tuple[Path, ...]) -> tuple[Trace, ...]:
    return tuple(
        trace
        for folder in folders
        if folder.is_dir() and not _has_papers(folder)
        for file, name in readable_files(folder, None, [])
        for trace in _read(file, name)
    )


def _has_papers(folder: Path) -> bool:
    """Whether a folder holds papers, or one that does: thousands of files, none of them a trace."""
    return any(set(inner) & PAPERS for _, inner, _ in os.walk(folder))


def _read(file: Path, name: str) -> Iterator[Trace]:
    try:
        yield from registry.trace_format(name).read(file)
    except AgentsEvalError:  # a file that its reader refuses is the concern of the readers' own tests
        return
