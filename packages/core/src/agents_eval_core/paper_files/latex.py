"""LaTeX source: read as text, never run; its sections, captions, formulas and references keep their numbers."""

from collections.abc import Iterator
from pathlib import Path

from agents_eval_core.errors import PaperError
from agents_eval_core.paper import Section
from agents_eval_core.paper_files.latex_source import latex_source
from agents_eval_core.paper_files.latex_text import LatexText, LatexWriter
from agents_eval_core.paper_files.outline import Outline, outlined


def read_latex(text: str, path: Path) -> Outline:
    r"""Return the outline of a LaTeX source.

    Files that it takes in with \input or \include are read if they lie in its own folder or below.

    Args:
        text: The source.
        path: Where it is; the files it takes in are looked for beside it.

    Raises:
        PaperError: It has no text.
    """
    source, notes = latex_source(text, path)
    written = LatexWriter(source).written()
    outline = outlined(written.title, _sections(written), authors=written.authors, abstract=written.abstract)
    if not outline.has_text:
        raise PaperError(f"{path} has no text between its LaTeX commands; give the main file of the paper")
    return outline.with_notes(*notes)


def _sections(written: LatexText) -> Iterator[Section]:
    for heading, text in written.sections:
        yield Section(heading=heading, text=text)
