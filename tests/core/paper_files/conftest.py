"""Papers in files: PDFs made by hand, and the real ones."""

import os
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

LINE = (12, 60, 700)


@dataclass
class PdfMaker:
    """Writes PDFs object by object; each object is what stands between `obj` and `endobj`."""

    objects: list[bytes] = field(default_factory=list[bytes])

    def add(self, content: bytes) -> int:
        """Add an object and return its number."""
        self.objects.append(content)
        return len(self.objects)

    def stream(self, content: bytes, extra: bytes = b"") -> int:
        """Add a stream and return its number."""
        return self.add(b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(content), extra, content))

    def written(self, root: int, trailer: bytes = b"") -> bytes:
        """Return the file."""
        out = b"%PDF-1.4\n"
        places: list[int] = []
        for number, content in enumerate(self.objects, 1):
            places.append(len(out))
            out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
        start = len(out)
        out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(places) + 1)
        out += b"".join(b"%010d 00000 n \n" % place for place in places)
        size = len(places) + 1
        return out + b"trailer << /Size %d /Root %d 0 R %s >>\nstartxref\n%d\n%%%%EOF\n" % (size, root, trailer, start)


def drawn(lines: Sequence[str | tuple[str, int, int, int]]) -> bytes:
    """Return the drawing of a page: each line its text, or its text, size and place."""
    parts: list[bytes] = []
    below = 760
    for line in lines:
        text, size, left, bottom = line if isinstance(line, tuple) else (line, 11, 60, below)
        below = bottom - 14
        escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)").encode("cp1252")
        parts.append(b"BT /F1 %d Tf %d %d Td (%s) Tj ET" % (size, left, bottom, escaped))
    return b"\n".join(parts)


def pdf_of(drawings: Sequence[bytes], extra: bytes = b"", trailer: bytes = b"", font: bytes = b"Helvetica") -> bytes:
    """Return a PDF with these pages; `extra` goes into the dictionary of each page's stream."""
    maker = PdfMaker()
    face = maker.add(b"<< /Type /Font /Subtype /Type1 /BaseFont /%s >>" % font)
    pages = len(maker.objects) + 2 * len(drawings) + 1
    kids: list[int] = []
    for drawing in drawings:
        content = maker.stream(drawing, extra)
        resources = b"<< /Font << /F1 %d 0 R >> >>" % face
        kids.append(
            maker.add(
                b"<< /Type /Page /Parent %d 0 R /MediaBox [0 0 600 800] /Contents %d 0 R /Resources %s >>"
                % (pages, content, resources)
            )
        )
    listed = b" ".join(b"%d 0 R" % kid for kid in kids)
    assert maker.add(b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(kids), listed)) == pages
    root = maker.add(b"<< /Type /Catalog /Pages %d 0 R >>" % pages)
    return maker.written(root, trailer)


PAPER = [
    ("On the Flow of Rivers", 20, 150, 740),
    ("Ada Lovelace, Charles Babbage", 12, 180, 710),
    ("Abstract", 14, 270, 680),
    ("We measure how rivers flow and find that they do.", 11, 60, 660),
    ("1 Introduction", 14, 60, 620),
    ("Rivers flow, as is well known. We ask how much of the infor-", 11, 60, 600),
    ("mation on rivers is right, and Table 1 tells it.", 11, 60, 586),
    ("2 Method", 14, 60, 550),
    ("We stood beside a river and looked at the water.", 11, 60, 530),
]


@pytest.fixture
def make_pdf(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes a PDF of drawn pages, or of given bytes, and returns where."""

    def make(
        pages: Sequence[Sequence[str | tuple[str, int, int, int]]] = (PAPER,),
        *,
        content: bytes | None = None,
        name: str = "paper.pdf",
        trailer: bytes = b"",
    ) -> Path:
        path = tmp_path / name
        path.write_bytes(pdf_of([drawn(page) for page in pages], trailer=trailer) if content is None else content)
        return path

    return make


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes a file of text or bytes and returns where."""

    def keep(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return keep


@pytest.fixture
def real_pdfs(real_data: Path) -> Path:
    """Return the folder of real PDFs."""
    return real_data / "peerread" / "pdfs"


@pytest.fixture
def pdf_bomb() -> bytes:
    """Return a PDF of 1 MB whose page unpacks to half a gigabyte."""
    packer = zlib.compressobj(9)
    block = b"BT (a) Tj ET " * 80_000
    packed = b"".join(packer.compress(block) for _ in range(500)) + packer.flush()
    return pdf_of([packed], b"/Filter /FlateDecode")


@pytest.fixture
def deep_pdf() -> bytes:
    """Return a PDF whose catalogue nests a million arrays."""
    maker = PdfMaker()
    pages = maker.add(b"<< /Type /Pages /Count 1 /Kids [] /Deep %s%s >>" % (b"[" * 1_000_000, b"]" * 1_000_000))
    return maker.written(maker.add(b"<< /Type /Catalog /Pages %d 0 R >>" % pages))


@pytest.fixture
def cyclic_pdf() -> bytes:
    """Return a PDF whose tree of pages is its own child."""
    maker = PdfMaker()
    first = maker.add(b"<< /Type /Pages /Count 5 /Parent 2 0 R /Kids [2 0 R 2 0 R] >>")
    maker.add(b"<< /Type /Pages /Count 5 /Parent 1 0 R /Kids [1 0 R 1 0 R] >>")
    return maker.written(maker.add(b"<< /Type /Catalog /Pages %d 0 R >>" % first))


@pytest.fixture
def spinning_pdf() -> bytes:
    """Return a PDF of 3 KB with forms that draw ten forms each, ten deep: ten billion words."""
    maker = PdfMaker()
    return _with_pages(maker, [_spinning_page(maker)])


@pytest.fixture
def pdf_with_a_spinning_last_page() -> bytes:
    """Return a PDF whose first page is a plain one."""
    maker = PdfMaker()
    face = maker.add(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    content = maker.stream(drawn(["The first page can be read."]))
    first = b"/Contents %d 0 R /Resources << /Font << /F1 %d 0 R >> >>" % (content, face)
    return _with_pages(maker, [first, _spinning_page(maker)])


def _spinning_page(maker: PdfMaker) -> bytes:
    face = maker.add(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    last = maker.stream(b"BT /F1 9 Tf 5 5 Td (spin) Tj ET", _form(b"/Font << /F1 %d 0 R >>" % face))
    for _ in range(10):
        last = maker.stream(b"/X Do " * 10, _form(b"/XObject << /X %d 0 R >>" % last))
    content = maker.stream(b"/X Do")
    return b"/Contents %d 0 R /Resources << /XObject << /X %d 0 R >> >>" % (content, last)


def _with_pages(maker: PdfMaker, pages: Sequence[bytes]) -> bytes:
    parent = len(maker.objects) + len(pages) + 1
    head = b"<< /Type /Page /Parent %d 0 R /MediaBox [0 0 600 800] " % parent
    kids = b" ".join(b"%d 0 R" % maker.add(head + page + b" >>") for page in pages)
    maker.add(b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(pages), kids))
    return maker.written(maker.add(b"<< /Type /Catalog /Pages %d 0 R >>" % parent))


def _form(resources: bytes) -> bytes:
    return b"/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << %s >>" % resources


@pytest.fixture
def children() -> Callable[[], list[str]]:
    """Return a function that lists the processes that this one has started since, and that still run."""

    def running() -> dict[str, str]:
        found: dict[str, str] = {}
        for folder in Path("/proc").iterdir():
            if folder.name.isdigit():
                try:
                    status = (folder / "stat").read_text()
                except OSError:
                    continue
                state, parent = status.rpartition(")")[2].split()[:2]
                if int(parent) == os.getpid() and state != "Z":
                    found[folder.name] = status.split()[1]
        return found

    earlier = running()
    return lambda: [name for process_id, name in running().items() if process_id not in earlier]
