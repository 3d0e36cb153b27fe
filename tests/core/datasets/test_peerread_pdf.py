"""Where PeerRead has no parsed text of a paper but its PDF, the PDF is read."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents_eval_core.datasets.peerread import PeerReadDataset
from agents_eval_core.errors import PaperError

WritePaper = Callable[..., Path]
PARSED: dict[str, Any] = {"metadata": {"sections": [{"heading": "1 Introduction", "text": "From the parsed text."}]}}


@pytest.fixture
def with_pdf(write_paper: WritePaper, real_data: Path) -> Callable[..., Path]:
    """Return a function that writes a paper with a PDF beside it."""

    def write(content: dict[str, Any] | None = None, *, pdf: bytes | None = None, parsed: object = None) -> Path:
        data_dir = write_paper(content or {}, parsed=parsed)
        path = data_dir / "iclr_2017" / "train" / "pdfs" / "7.pdf"
        path.parent.mkdir(exist_ok=True)
        if pdf is None:
            shutil.copyfile(real_data / "peerread" / "pdfs" / "2412.11948.pdf", path)
        else:
            path.write_bytes(pdf)
        return data_dir

    return write


def test_the_parsed_text_comes_before_the_pdf(with_pdf: Callable[..., Path]) -> None:
    paper = PeerReadDataset().case("7", with_pdf(parsed=PARSED)).paper
    assert paper is not None
    assert paper.text_source == "parsed_json"
    assert [section.text for section in paper.sections] == ["From the parsed text."]


@pytest.mark.parametrize("parsed", [None, {"metadata": {"sections": None}}])
def test_the_pdf_comes_before_the_abstract(parsed: object, with_pdf: Callable[..., Path]) -> None:
    data_dir = with_pdf({"title": "The title PeerRead gives"}, parsed=parsed)
    paper = PeerReadDataset().case("7", data_dir).paper
    assert paper is not None
    assert (paper.text_source, paper.title) == ("pdf", "The title PeerRead gives")
    assert paper.abstract == "We describe a method and measure it."
    assert "3.2.1 Training Data" in [section.heading for section in paper.sections]
    assert next(iter(PeerReadDataset().entries(data_dir))).has_full_text


def test_without_an_abstract_that_of_the_pdf_is_taken(with_pdf: Callable[..., Path]) -> None:
    paper = PeerReadDataset().case("7", with_pdf({"abstract": ""})).paper
    assert paper is not None
    assert paper.abstract.startswith("We present OpenReviewer")


def test_a_pdf_that_cannot_be_read_leaves_the_abstract_and_says_so(with_pdf: Callable[..., Path]) -> None:
    paper = PeerReadDataset().case("7", with_pdf(pdf=b"%PDF-1.4 nothing")).paper
    assert paper is not None
    assert (paper.text_source, paper.sections) == ("abstract", ())
    assert "the PDF could not be read" in paper.notes[0]


def test_without_any_text_the_error_says_what_is_wrong_with_the_pdf(with_pdf: Callable[..., Path]) -> None:
    data_dir = with_pdf({"abstract": ""}, pdf=b"%PDF-1.4 nothing")
    with pytest.raises(PaperError, match=r"its abstract is empty.*the PDF could not be read"):
        PeerReadDataset().case("7", data_dir)
