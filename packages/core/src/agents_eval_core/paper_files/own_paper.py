"""A paper in a file of the user's own, as a case: what kind of file it is, is seen from its content."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

from agents_eval_core.case import Case
from agents_eval_core.errors import PaperError
from agents_eval_core.paper import Paper, TextSource
from agents_eval_core.paper_files.decoded import decoded
from agents_eval_core.paper_files.human_reference import read_references
from agents_eval_core.paper_files.latex import read_latex
from agents_eval_core.paper_files.markdown import read_markdown
from agents_eval_core.paper_files.opened_file import file_bytes, opened_file
from agents_eval_core.paper_files.outline import Outline
from agents_eval_core.paper_files.parsed_json import read_parsed_json
from agents_eval_core.paper_files.pdf import DEFAULT_LIMITS, PdfLimits, read_pdf
from agents_eval_core.paper_files.plain_text import read_plain_text
from agents_eval_core.review import HumanReview

DATASET: Final = "file"
SUFFIXES: Final = (".pdf", ".md", ".markdown", ".txt", ".text", ".tex", ".latex", ".ltx", ".json")
HEAD_BYTES: Final = 1024
LARGEST_TEXT: Final = 4 * 1024 * 1024
LONGEST_STEM: Final = 80
DIGEST: Final = 8
IS_LATEX: Final = re.compile(r"\\(?:documentclass|documentstyle|begin\s*\{document\}|section\*?\s*\{)")
IS_MARKDOWN: Final = re.compile(r"^#{1,6} \S", re.MULTILINE)
IS_PAGE: Final = re.compile(r"\s*<(?:!doctype html|html)", re.IGNORECASE)


def is_paper_file(name: str) -> bool:
    """Whether a name is that of a file rather than a paper's id: its ending says so.

    >>> is_paper_file("draft.pdf"), is_paper_file("iclr_2017/304"), is_paper_file("1804.09635")
    (True, False, False)
    """
    return name.lower().endswith(SUFFIXES)


def own_paper(path: Path, references: Sequence[Path] = (), *, limits: PdfLimits = DEFAULT_LIMITS) -> Case:
    """Return the paper in a file as a case of the dataset `file`.

    Its id is the file's name without its ending, and the beginning of a digest of its content: two papers that are both
    called `main.pdf` must not be compared as one.

    Args:
        path: A PDF, Markdown, plain text, LaTeX source, or parsed JSON.
        references: Files with human reviews; agents never see them.
        limits: What reading a PDF may take.

    Raises:
        PaperError: It cannot be read, is of no such kind, or has no text.
        UnreadableError: A file of JSON cannot be understood.
    """
    with opened_file(path) as file:
        head = file.read(HEAD_BYTES)
    if b"%PDF-" in head:
        outline, source, reviews = read_pdf(path, limits), "pdf", ()
        digest = sha256(file_bytes(path, largest_bytes=limits.file_bytes)).hexdigest()
    else:
        content = file_bytes(path, largest_bytes=LARGEST_TEXT)
        outline, source, reviews = _from_text(content, path)
        digest = sha256(content).hexdigest()
    paper_id = f"{_clean_stem(path)}-{digest[:DIGEST]}"
    return Case(
        id=paper_id,
        dataset=DATASET,
        paper=_paper(paper_id, path, outline, source),
        references=read_references(references, reviews),
        needs_tools=True,
    )


def _from_text(content: bytes, path: Path) -> tuple[Outline, TextSource, Sequence[HumanReview]]:
    ending = path.suffix.lower()
    if content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[") and ending not in (".md", ".markdown", ".tex"):
        parsed = read_parsed_json(content, path)
        return parsed.outline, "parsed_json" if parsed.is_full_text else "abstract", parsed.reviews
    text = decoded(content, path)
    if ending == ".pdf" or IS_PAGE.match(text):
        found = "a web page" if IS_PAGE.match(text) else f"begins with {text[:20]!r}"
        raise PaperError(f"{path} is no PDF: it is {found}; download the paper itself and give that file")
    if ending == ".json":
        raise PaperError(f"{path} is not JSON: it begins with {text[:20]!r}; repair it, or name it by what it is")
    source, read = _reader(text, ending)
    outline = read(text, path)
    if not outline.has_text:
        raise PaperError(f"{path} has no text to review, only a title; give the paper's text")
    return outline, source, ()


def _reader(text: str, ending: str) -> tuple[TextSource, Callable[[str, Path], Outline]]:
    """Return what kind of text it is, by its content, and by its ending where that leaves a choice."""
    if ending in (".tex", ".latex", ".ltx") or (ending not in (".md", ".markdown") and IS_LATEX.search(text)):
        return "latex", read_latex
    if ending in (".md", ".markdown") or IS_MARKDOWN.search(text):
        return "markdown", lambda given, _: read_markdown(given)
    return "text", lambda given, _: read_plain_text(given)


def _paper(paper_id: str, path: Path, outline: Outline, source: TextSource) -> Paper:
    return Paper(
        id=paper_id,
        dataset=DATASET,
        title=outline.title or path.stem.replace("_", " ").strip() or "Untitled",
        abstract=outline.abstract,
        authors=outline.authors,
        keywords=outline.keywords,
        sections=outline.sections,
        text_source=source,
        notes=outline.notes,
    )


def _clean_stem(path: Path) -> str:
    """Return a file's name without its ending, as an id: letters, digits, dots, dashes.

    >>> _clean_stem(Path("papers/My draft (v2).pdf")), _clean_stem(Path("12.pdf.json"))
    ('My-draft-v2', '12')
    """
    name = unicodedata.normalize("NFC", path.name)
    while name.lower().endswith(SUFFIXES):
        name = name[: name.rindex(".")]
    kept = re.sub(r"-{2,}", "-", "".join(letter if letter.isalnum() or letter in "._-" else "-" for letter in name))
    return kept[:LONGEST_STEM].strip("-.") or "paper"
