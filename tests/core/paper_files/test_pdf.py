"""PDFs: what is read of good ones, and how bad ones end."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from agents_eval_core.errors import PaperError
from agents_eval_core.paper_files.interruption import apart
from agents_eval_core.paper_files.pdf import PdfLimits, read_pdf

MakePdf = Callable[..., Path]
Children = Callable[[], list[str]]


def test_a_pdf_gives_title_authors_abstract_and_numbered_sections(make_pdf: MakePdf) -> None:
    outline = read_pdf(make_pdf())
    assert outline.title == "On the Flow of Rivers"
    assert outline.authors == ("Ada Lovelace", "Charles Babbage")
    assert outline.abstract == "We measure how rivers flow and find that they do."
    assert [section.heading for section in outline.sections] == ["1 Introduction", "2 Method"]
    assert "how much of the information on rivers" in outline.sections[0].text
    assert outline.notes == ()


def test_what_stands_on_every_page_is_no_part_of_the_text(make_pdf: MakePdf) -> None:
    pages = [
        [
            ("Journal of Rivers 2024", 9, 200, 780),
            *[f"Body line {page} {row} of this page." for row in range(20)],
            (str(page), 9, 300, 20),
        ]
        for page in range(1, 5)
    ]
    text = " ".join(section.text for section in read_pdf(make_pdf(pages)).sections)
    assert "Body line 3 7" in text
    assert "Journal of Rivers" not in text


def test_two_columns_are_read_one_after_the_other(make_pdf: MakePdf) -> None:
    left = [(f"left {row} of a column whose lines are long,", 10, 50, 700 - 12 * row) for row in range(20)]
    right = [(f"right {row} of a column whose lines are long,", 10, 320, 700 - 12 * row) for row in range(20)]
    text = read_pdf(make_pdf([[*left, *right]])).sections[0].text
    assert text.index("left 19") < text.index("right 0")


def test_line_numbers_on_the_margin_are_left_out(make_pdf: MakePdf) -> None:
    numbers = [(f"{400 + row}", 8, 10, 700 - 12 * row) for row in range(20)]
    lines = [(f"A line of a manuscript with numbered lines, its {row}th.", 11, 60, 700 - 12 * row) for row in range(20)]
    text = read_pdf(make_pdf([[*numbers, *lines]])).sections[0].text
    assert "407" not in text
    assert "its 7th" in text


def test_a_table_does_not_interrupt_the_sentence_around_it(make_pdf: MakePdf) -> None:
    first = [("1 Introduction", 14, 60, 300), ("The sentence that begins here and goes on to the next", 11, 60, 280)]
    caption = [("Table 1: Rivers and their length.", 11, 60, 740)]
    rest = [("page says that all rivers flow into some other water.", 11, 60, 690)]
    text = read_pdf(make_pdf([first, [*caption, *rest]])).sections[-1].text
    assert "goes on to the next page says that all rivers flow" in text
    assert "\n\nTable 1: Rivers and their length." in text


def test_the_rows_of_a_table_stand_with_its_caption_each_on_a_line(make_pdf: MakePdf) -> None:
    lines = [
        ("We measured the rivers as follows, and found that they are long.", 11, 60, 700),
        ("Elbe 1094 148", 11, 60, 660),
        ("Rhine 1233 185", 11, 60, 646),
        ("Table 1: Length and basin of rivers.", 11, 60, 620),
        ("The longest of them is the second one, as everybody can see here.", 11, 60, 580),
    ]
    text = read_pdf(make_pdf([lines])).sections[0].text
    assert "Elbe 1094 148\nRhine 1233 185\nTable 1: Length and basin of rivers." in text.replace("\n\n", "\n")
    assert text.endswith("The longest of them is the second one, as everybody can see here.")


def test_the_list_of_references_is_a_section_of_its_own(make_pdf: MakePdf) -> None:
    last = [
        ("We end as follows, as others did before us in other ways.", 11, 60, 700),
        ("References", 14, 60, 660),
        ("Kang, D. 2018. A dataset of reviews and of what", 11, 60, 640),
        ("may be done with it. NAACL.", 11, 75, 626),
        ("Lee, B. 2019. Another one altogether, and longer.", 11, 60, 612),
        ("Still longer.", 11, 75, 598),
    ]
    section = read_pdf(make_pdf([last])).sections[-1]
    assert section.heading == "References"
    assert section.text.split("\n\n")[1].startswith("Lee, B. 2019.")


def test_real_papers_give_their_title_and_known_headings(real_pdfs: Path) -> None:
    outline = read_pdf(real_pdfs / "1804.09635.pdf")
    headings = [section.heading for section in outline.sections]
    assert outline.title == "A Dataset of Peer Reviews (PeerRead): Collection, Insights and NLP Applications"
    assert outline.authors[0] == "Dongyeop Kang"
    assert len(outline.authors) == 7
    assert outline.abstract.startswith("Peer reviewing is a central component in the scientific publishing process.")
    assert headings[:5] == [
        "1 Introduction",
        "2 Peer-Review Dataset (PeerRead)",
        "2.1 Review Collection",
        "2.2 arXiv Submissions",
        "2.3 Organization and Preprocessing",
    ]
    assert {"Acknowledgements", "References", "A.1 Hyperparameters", "B Reviewer Instructions"} <= set(headings)
    assert "scientific" in outline.abstract


def test_a_manuscript_with_line_numbers_is_read_without_them(real_pdfs: Path) -> None:
    outline = read_pdf(real_pdfs / "openreview_discourse.pdf")
    assert outline.title == "Something something scientific discourse openReview"
    assert "1.5 Rhetorical Structure Theory analysis" in [section.heading for section in outline.sections]
    assert "Confidential Review Copy" not in " ".join(section.text for section in outline.sections)


def test_a_scan_is_refused_with_what_to_do(make_pdf: MakePdf) -> None:
    with pytest.raises(PaperError, match=r"no text that can be read: its 3 pages are pictures.*OCR"):
        read_pdf(make_pdf([[], [], []]))


def test_pages_without_text_are_counted_in_a_note(make_pdf: MakePdf) -> None:
    outline = read_pdf(make_pdf([["Some text of this page that can be read."], [], []]))
    assert outline.notes == ("2 of the PDF's 3 pages have no text, as of a scan (the first: 2)",)


def test_an_encrypted_pdf_is_refused(make_pdf: MakePdf) -> None:
    lock = b"<< /Filter /Standard /V 1 /R 2 /Length 40 /P -4 /O <%s> /U <%s> >>" % (b"ab" * 32, b"cd" * 32)
    path = make_pdf(trailer=b"/ID [<aabb> <aabb>] /Encrypt " + lock)
    with pytest.raises(PaperError, match="is encrypted and needs a password; give a copy without one"):
        read_pdf(path)


@pytest.mark.parametrize("content", [b"%PDF-1.4\n" + bytes(range(256)) * 50, b"%PDF-1.7", b"%PDF-1.4\n%%EOF"])
def test_a_damaged_pdf_is_refused(content: bytes, make_pdf: MakePdf) -> None:
    with pytest.raises(PaperError, match="is damaged: it cannot be opened as a PDF"):
        read_pdf(make_pdf(content=content))


def test_a_pdf_that_was_cut_off_is_refused(make_pdf: MakePdf, real_pdfs: Path) -> None:
    content = (real_pdfs / "2412.11948.pdf").read_bytes()
    with pytest.raises(PaperError, match="is damaged"):
        read_pdf(make_pdf(content=content[: len(content) // 2]))


def test_damage_within_a_pdf_does_not_lose_the_rest(make_pdf: MakePdf, real_pdfs: Path) -> None:
    content = (real_pdfs / "2412.11948.pdf").read_bytes()
    outline = read_pdf(make_pdf(content=content[:100_000] + b"\0" * 3000 + content[103_000:]))
    assert "3.2.1 Training Data" in [section.heading for section in outline.sections]


def test_of_a_thousand_pages_the_first_are_read_and_the_rest_is_said(make_pdf: MakePdf) -> None:
    path = make_pdf([[f"This is page {number} of a book on rivers."] for number in range(1, 1001)])
    outline = read_pdf(path)
    text = " ".join(section.text for section in outline.sections)
    assert "page 200 of a book" in text
    assert "page 201 of a book" not in text
    assert outline.notes == ("only the first 200 of the PDF's 1,000 pages were read: that is the limit",)


@pytest.mark.parametrize("name", ["pdf_bomb", "deep_pdf", "cyclic_pdf", "spinning_pdf"])
def test_a_hostile_pdf_ends_in_a_sentence_soon_and_leaves_no_process(
    name: str, make_pdf: MakePdf, children: Children, request: pytest.FixtureRequest
) -> None:
    path = make_pdf(content=request.getfixturevalue(name))
    limits = PdfLimits(seconds=3, memory_bytes=256 * 1024 * 1024)
    before = time.monotonic()
    with pytest.raises(PaperError, match=r"damaged or made to harm|could not be read in 3 seconds"):
        read_pdf(path, limits)
    assert time.monotonic() - before < 10
    assert "(python)" not in children()


def test_memory_is_limited(make_pdf: MakePdf, spinning_pdf: bytes) -> None:
    path = make_pdf(content=spinning_pdf)
    with pytest.raises(PaperError, match="reading it broke off or took more than 256 MiB of memory"):
        read_pdf(path, PdfLimits(seconds=30, memory_bytes=256 * 1024 * 1024))


def test_time_is_limited(make_pdf: MakePdf, spinning_pdf: bytes, children: Children) -> None:
    path = make_pdf(content=spinning_pdf)
    before = time.monotonic()
    with pytest.raises(PaperError, match=r"could not be read in 0\.4 seconds"):
        read_pdf(path, PdfLimits(seconds=0.4, memory_bytes=8 * 1024**3))
    assert time.monotonic() - before < 5
    assert "(python)" not in children()


def test_output_is_limited(make_pdf: MakePdf) -> None:
    path = make_pdf([[f"Line {row} of page {page}." for row in range(50)] for page in range(100)])
    outline = read_pdf(path, PdfLimits(output_bytes=50_000))
    assert outline.notes[0].startswith("only the first ")
    assert "of the PDF's 100 pages were read: reading the next one broke off" in outline.notes[0]


def test_letters_of_a_page_are_limited(make_pdf: MakePdf) -> None:
    path = make_pdf([[f"Line {row} of the page." for row in range(50)]])
    outline = read_pdf(path, PdfLimits(letters=100))
    assert outline.notes == ("pages with more than 100 letters were read only so far",)


def test_the_pages_before_a_hostile_one_are_kept_and_the_rest_is_said(
    make_pdf: MakePdf, pdf_with_a_spinning_last_page: bytes
) -> None:
    outline = read_pdf(
        make_pdf(content=pdf_with_a_spinning_last_page), PdfLimits(memory_bytes=300 * 1024 * 1024, seconds=20)
    )
    assert "The first page can be read." in outline.sections[0].text
    assert outline.notes == ("only the first 1 of the PDF's 2 pages were read: reading the next one broke off",)


def _wait_for_child(children: Children) -> None:
    give_up_at = time.monotonic() + 20
    while "(python)" not in children() and time.monotonic() < give_up_at:
        time.sleep(0.01)


async def test_being_cancelled_ends_the_process(make_pdf: MakePdf, spinning_pdf: bytes, children: Children) -> None:
    path = make_pdf(content=spinning_pdf)

    def read() -> None:
        read_pdf(path, PdfLimits(seconds=60, memory_bytes=16 * 1024**3))

    reading = asyncio.ensure_future(apart(read))
    await asyncio.to_thread(_wait_for_child, children)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert "(python)" not in children()


def test_the_reading_process_can_open_nothing_else(make_pdf: MakePdf) -> None:
    import subprocess
    import sys

    code = (
        "from agents_eval_core.paper_files import pdf_process as process\n"
        "import socket\n"
        "process.close_doors()\n"
        "for attempt in (lambda: open('/etc/hostname'), socket.socket):\n"
        "    try:\n"
        "        attempt()\n"
        "    except OSError as problem:\n"
        "        print(problem.errno)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["24", "24"]
