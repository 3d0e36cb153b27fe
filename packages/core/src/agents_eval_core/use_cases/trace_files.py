"""The trace files among files and folders: which format each has, or why it has none."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from agents_eval_core import registry
from agents_eval_core.content_kind import content_kind
from agents_eval_core.errors import UnreadableError, UsageError
from agents_eval_core.ports.trace_format import CompoundFormat
from agents_eval_core.trace_source import recognised

Recognition: TypeAlias = tuple[str | None, str | None]
"""The name of the format, or why there is none."""


class TraceFile(NamedTuple):
    """A file or folder: its format or why it has none, and the file together with which it is read."""

    path: Path
    trace_format: str | None
    reason: str | None
    part_of: Path | None


def trace_files(sources: Sequence[Path], *, trace_format: str | None = None) -> Iterator[TraceFile]:
    """Yield every file of some files and folders, in the order of their paths, and what format it has.

    Args:
        sources: Files and folders.
        trace_format: By default each file's is recognised by its content.

    Raises:
        UsageError: There is no such file or folder.
        UnknownNameError: There is no format of that name.
    """
    for source in sources:
        if not source.exists():
            raise UsageError(f"there is no file or folder {source}; give trace files or folders of them")
    if trace_format is not None:
        registry.trace_format(trace_format)
    recognitions = {path: _recognition(path, trace_format) for path in _paths(sources)}
    parts = _parts(recognitions)
    for path, (name, reason) in recognitions.items():
        if path in parts:
            yield TraceFile(path, name, f"it is read as part of {parts[path].name}", parts[path])
        elif name is not None or not path.is_dir():
            yield TraceFile(path, name, reason, None)


def is_folder_of_files(path: Path, trace_format: str | None = None) -> bool:
    """Whether a path is a folder that is no trace itself but has files with traces in it."""
    if not path.is_dir() or _is_trace_itself(path, trace_format):
        return False
    files = (one for one in _paths([path]) if one.is_file())
    return any(_recognition(one, trace_format)[0] is not None for one in files)


def readable_files(folder: Path, trace_format: str | None, unread: list[str]) -> Iterator[tuple[Path, str]]:
    """Yield what can be read below a folder, with its format; why other files cannot goes to `unread`.

    A file that is read along with another is not yielded again.
    """
    for path, name, reason, part_of in trace_files([folder], trace_format=trace_format):
        if name is not None and part_of is None:
            yield path, name
        elif part_of is None:
            unread.append(f"{path}: {reason}")


def _paths(sources: Iterable[Path]) -> Iterator[Path]:
    """Yield the files of the sources and the folders they are in."""
    for source in sources:
        if not source.is_dir():
            yield source
            continue
        for place, folders, files in os.walk(source):
            folders.sort()
            yield Path(place)
            yield from (Path(place) / name for name in sorted(files))


def _recognition(path: Path, trace_format: str | None) -> Recognition:
    if path.is_dir():
        return _folder_recognition(path, trace_format)
    if not path.is_file():
        return None, "it is no regular file"
    if trace_format is not None:
        return trace_format, None
    try:
        return recognised(path).name, None
    except UnreadableError:
        return None, content_kind(path)


def _folder_recognition(folder: Path, trace_format: str | None) -> Recognition:
    """Return the format of a folder that is a trace as a whole only: of its files, none has that format alone."""
    try:
        reader = registry.trace_format(trace_format) if trace_format else recognised(folder)
    except UnreadableError:
        return None, None
    if trace_format is not None and not reader.recognises(folder, b""):
        return None, None
    files = (path for path in folder.rglob("*") if path.is_file())
    alone = any(_recognition(path, None)[0] == reader.name for path in files)
    return (None, None) if alone else (reader.name, None)


def _is_trace_itself(folder: Path, trace_format: str | None) -> bool:
    try:
        reader = registry.trace_format(trace_format) if trace_format else recognised(folder)
    except UnreadableError:
        return False
    return trace_format is None or reader.recognises(folder, b"")


def _parts(recognitions: Mapping[Path, Recognition]) -> Mapping[Path, Path]:
    """Return the files that are read along with others, and with which."""
    parts: dict[Path, Path] = {}
    for path, (name, _) in recognitions.items():
        if name is None or path in parts:
            continue
        reader = registry.trace_format(name)
        if path.is_dir():
            beside = [one for one in recognitions if path in one.parents and recognitions[one][0] is None]
        else:
            beside = [*reader.parts(path)] if isinstance(reader, CompoundFormat) else []
        for part in beside:
            if part in recognitions and part != path and not part.is_dir():
                parts.setdefault(part, path)
    return parts
