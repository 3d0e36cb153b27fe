"""The source of a LaTeX paper as one text: comments left out, the files of its folder that it takes in put in."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from agents_eval_core.errors import PaperError
from agents_eval_core.paper_files.decoded import decoded
from agents_eval_core.paper_files.opened_file import file_bytes

LARGEST_SOURCE: Final = 8 * 1024 * 1024
DEEPEST: Final = 6
MOST_FILES: Final = 200
COMMENT: Final = re.compile(r"(?<!\\)((?:\\\\){0,9})%[^\n]*")
TAKES_IN: Final = re.compile(
    r"\\(input|include|subfile|bibliography)\s*\{([^{}\n]{1,300})\}|\\input\s+([^\s{}\\]{1,300})"
)
HIDDEN: Final = re.compile(r"\\(begin|end)\s*\{comment\}|\\(iffalse|fi)\b")


class _Files:
    """Reads files of one folder, so many and so much of them."""

    def __init__(self, path: Path) -> None:
        self.folder = path.resolve().parent
        self.main = path
        self.left = LARGEST_SOURCE
        self.read = 0
        self.notes: list[str] = []

    def text(self, name: str, suffix: str) -> str | None:
        """Return the text of a file of the folder, or None, with a note, where it cannot be had."""
        path = self._inside(name.strip(), suffix)
        if path is None or self.read >= MOST_FILES or self.left <= 0:
            self.notes.append(f"{name[:100]!r}, which the LaTeX source takes in, was not read")
            return None
        self.read += 1
        try:
            text = decoded(file_bytes(path, largest_bytes=self.left), path)
        except PaperError:
            self.notes.append(f"{name[:100]!r}, which the LaTeX source takes in, could not be read")
            return None
        self.left -= len(text)
        return text

    def _inside(self, name: str, suffix: str) -> Path | None:
        """Return where a file lies, if it is a plain one in the folder or below and no link leads to it."""
        if not name.isprintable() or "\\" in name or Path(name).is_absolute():
            return None
        try:
            for candidate in (self.folder / f"{name}{suffix}", self.folder / name):
                is_inside = candidate.resolve() == candidate and candidate.is_relative_to(self.folder)
                if is_inside and ".." not in candidate.parts and candidate.is_file():
                    return candidate
        except (OSError, ValueError):
            return None
        return None


def latex_source(text: str, path: Path) -> tuple[str, tuple[str, ...]]:
    """Return the whole source, and what should be known of the files that it takes in.

    Nothing outside of the folder is read, whatever the source asks for, and nothing through a link.
    """
    files = _Files(path)
    return "".join(_whole(text, files, 0)), tuple(dict.fromkeys(files.notes))[:5]


def _whole(text: str, files: _Files, depth: int) -> Iterator[str]:
    text = _without_hidden(COMMENT.sub(r"\1", text))
    at = 0
    for found in TAKES_IN.finditer(text):
        yield text[at : found.start()]
        at = found.end()
        name = found[2] or found[3]
        if found[1] == "bibliography":
            yield from _bibliography(files)
        elif depth < DEEPEST and (part := files.text(name, ".tex")) is not None:
            yield from _whole(part, files, depth + 1)
    yield text[at:]


def _bibliography(files: _Files) -> Iterator[str]:
    """Yield the list of references that LaTeX made beside the source, where it was kept."""
    name = files.main.with_suffix("").name
    if (files.folder / f"{name}.bbl").is_file():
        yield COMMENT.sub(r"\1", files.text(name, ".bbl") or "")


def _without_hidden(text: str) -> str:
    r"""Leave out what is switched off with \iffalse or the comment environment."""
    kept: list[str] = []
    at, depth = 0, 0
    for found in HIDDEN.finditer(text):
        opens = found[1] == "begin" or found[2] == "iffalse"
        if opens and depth == 0:
            kept.append(text[at : found.start()])
        if depth or opens:
            depth += 1 if opens else -1
            at = found.end()
    return "".join((*kept, text[at:]))
