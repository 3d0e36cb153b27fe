"""The text in a file's bytes, whatever common way it was encoded."""

import codecs
from pathlib import Path
from typing import Final

from agents_eval_core.errors import PaperError
from agents_eval_core.paper_files.running_text import cleaned

MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
KINDS: Final = (
    (b"%PDF-", "a PDF"),
    (b"PK\x03\x04", "a ZIP archive, such as a Word or OpenDocument file"),
    (b"\xd0\xcf\x11\xe0", "an old Word document"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"{\\rtf", "a rich text file"),
    (b"%!PS", "a PostScript file"),
)
HEAD_BYTES: Final = 4096
ADVICE: Final = "give a PDF, Markdown, plain text, LaTeX source or parsed JSON"


def decoded(content: bytes, path: Path) -> str:
    r"""Return the text, with line ends as newlines and without control and hidden characters.

    It is UTF-8, what its byte order mark says, or, where it is neither, Latin-1.

    Raises:
        PaperError: It is empty, or it is no text.

    >>> decoded(b"caf\xe9", Path("a.txt")), decoded("café".encode(), Path("a.txt"))
    ('café', 'café')
    """
    if not content.strip():
        raise PaperError(f"{path} is empty; give a file with the paper's text")
    kind = next((name for start, name in KINDS if content.startswith(start)), None)
    if kind is not None:
        raise PaperError(f"{path} is {kind}, which cannot be read as text; {ADVICE}")
    encoding = next((name for mark, name in MARKS if content.startswith(mark)), None)
    if encoding is None and b"\0" in content[:HEAD_BYTES]:
        raise PaperError(f"{path} is no text: it has zero bytes; {ADVICE}")
    text = cleaned(_text(content, encoding))
    if not any(letter.isalnum() for letter in text):
        raise PaperError(f"{path} has no words; {ADVICE}")
    return text


def _text(content: bytes, encoding: str | None) -> str:
    if encoding is not None:
        return content.decode(encoding, "replace")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("latin-1")
