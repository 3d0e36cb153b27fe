"""Write measured figures where they are published: pages of documentation and the file that packages bring along."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from agents_eval_core.errors import UnreadableError, UsageError
from agents_eval_core.figure_file import FigureFile, read_figures
from agents_eval_core.report.validity_tables import blocks, renewed, validations_of
from agents_eval_core.store.atomic_file import write_atomically
from agents_eval_core.validity import Suite

PAGE: Final = ".md"
FIGURES: Final = ".json"


def keep_figures(
    files: Sequence[Path], suites: Sequence[Suite], checks: Callable[[], Sequence[Suite]], day: str
) -> tuple[str, ...]:
    """Write figures into files and return a sentence for each block or validation that was left as it was.

    A file of figures (`.json`) keeps what it has of validations that were not run. The marked blocks of a page (`.md`)
    are written from the file of figures that is written along with it, else from what was measured now.

    Args:
        files: At most one file of figures, and any number of pages.
        suites: What was measured; one without a value was not.
        checks: Gives what the tests repeat of it; asked only where a file of figures is written.
        day: Today, as YYYY-MM-DD.

    Raises:
        UsageError: A file is neither, or two files of figures are named, or a page is not there.
        UnreadableError: A file of figures holds something else.
    """
    kept_in = _figure_file(files)
    measured = [suite for suite in suites if suite.value is not None]
    known = FigureFile(made={}, suites=()) if kept_in is None else _known(kept_in)
    known = known.replaced(day, measured, () if kept_in is None else _of(checks(), measured))
    if kept_in is not None:
        write_atomically(kept_in, known.text().encode())
    return tuple(sentence for file in files if file.suffix == PAGE for sentence in _rewritten(file, known)) + tuple(
        f"{suite.name} was not measured: {suite.reason}" for suite in suites if suite.reason is not None
    )


def _of(checks: Sequence[Suite], measured: Sequence[Suite]) -> tuple[Suite, ...]:
    ran = {suite.name for suite in measured}
    return tuple(check for check in checks if check.name in ran)


def _figure_file(files: Sequence[Path]) -> Path | None:
    for file in files:
        if file.suffix not in (PAGE, FIGURES):
            raise UsageError(f"{file} is neither a page ({PAGE}) nor a file of figures ({FIGURES})")
        if file.suffix == PAGE and not file.is_file():
            raise UsageError(f"there is no page {file}; its marked blocks are rewritten, a page is not made")
    found = [file for file in files if file.suffix == FIGURES]
    if len(found) > 1:
        raise UsageError(f"figures are kept in one file; {', '.join(map(str, found))} were named")
    return found[0] if found else None


def _known(file: Path) -> FigureFile:
    try:
        return read_figures(file)
    except ValueError as problem:
        raise UnreadableError(f"{file} cannot be read as figures: {problem}") from problem


def _rewritten(page: Path, known: FigureFile) -> Iterator[str]:
    text = page.read_text(encoding="utf-8")
    write_atomically(page, renewed(text, known.suites, known.made).encode())
    names = {suite.name for suite in known.suites}
    for what in blocks(text):
        absent = [name for name in validations_of(what) if name not in names]
        if absent:
            yield f"the block {what!r} of {page} was left as it was: {', '.join(absent)} was not measured"
