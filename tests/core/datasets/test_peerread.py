import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents_eval_core import registry
from agents_eval_core.datasets.peerread import PeerReadDataset
from agents_eval_core.errors import PaperError, UnreadableError
from agents_eval_core.paper import Paper
from agents_eval_core.review import Scale

DATASET = PeerReadDataset()
WritePaper = Callable[..., Path]
REVIEW = {"comments": "A fine paper with a weak baseline.", "RECOMMENDATION": "4", "REVIEWER_CONFIDENCE": 3}


def paper_of(data_dir: Path, paper_id: str) -> Paper:
    paper = DATASET.case(paper_id, data_dir).paper
    assert paper is not None
    return paper


def test_the_registry_finds_it() -> None:
    assert isinstance(registry.dataset("peerread"), PeerReadDataset)


def test_a_case_names_its_venue_scale_and_decision(peerread: Path) -> None:
    case = DATASET.case("iclr_2017/B1-Hhnslg", peerread)
    assert (case.id, case.dataset, case.task) == ("iclr_2017/B1-Hhnslg", "peerread", "peer_review")
    assert case.rating_scale == Scale(lowest=1, highest=10)
    assert case.decision is not None
    assert case.needs_tools
    assert case.budget_seconds is None
    assert case.paper is not None
    assert (case.paper.id, case.paper.venue) == ("B1-Hhnslg", "iclr_2017")


def test_full_text_is_taken_where_there_is_a_parsed_pdf(peerread: Path) -> None:
    paper = paper_of(peerread, "neurips_2025/021PIPyOU1")
    assert paper.text_source == "parsed_json"
    assert len(paper.sections) > 5
    assert len(paper.authors) == 8
    assert "Pruning" in paper.keywords
    assert len(paper.text) > 10 * len(paper.abstract)


def test_null_headings_of_a_real_parsed_pdf_become_empty(verbatim: Path, write_paper: WritePaper) -> None:
    parsed = json.loads(
        (verbatim / "arxiv.cs.lg_2007-2017/train/parsed_pdfs/0804.0188.pdf.json").read_text(encoding="utf-8")
    )
    paper = paper_of(write_paper({"title": None, "abstract": None, "reviews": []}, parsed=parsed), "7")
    assert paper.sections[0].heading == ""
    assert paper.sections[1].heading == "1 Introduction"
    assert paper.title == "Support Vector Machine Classification with Indefinite Kernels"
    assert paper.authors == ("Ronny Luss", "Alexandre d\u2019Aspremont")
    assert paper.abstract.startswith("We propose a method for support vector machine classification")


@pytest.mark.parametrize(
    "parsed",
    [{}, {"metadata": None}, {"metadata": {"sections": None}}, {"metadata": {"sections": [None, {"text": ""}]}}],
)
def test_a_parsed_pdf_without_sections_leaves_the_abstract(parsed: object, write_paper: WritePaper) -> None:
    paper = paper_of(write_paper({}, parsed=parsed), "7")
    assert paper.text_source == "abstract"
    assert paper.sections == ()
    assert paper.abstract


def test_headings_without_any_text_are_no_full_text(write_paper: WritePaper) -> None:
    parsed = {"metadata": {"sections": [{"heading": "1 Introduction", "text": None}]}}
    paper = paper_of(write_paper({}, parsed=parsed), "7")
    assert (paper.text_source, paper.sections) == ("abstract", ())


def test_authors_are_read_from_one_string(verbatim: Path) -> None:
    assert paper_of(verbatim, "305").authors == ("Johannes Ballé", "Valero Laparra", "Eero P. Simoncelli")


def test_a_paper_of_arxiv_has_a_list_of_authors_and_no_references(verbatim: Path) -> None:
    case = DATASET.case("0903.0467", verbatim)
    assert case.references == ()
    assert case.rating_scale is None
    assert case.decision == "accepted"
    assert case.paper is not None
    assert case.paper.authors[0] == "christian bessiere"
    assert case.paper.keywords == ("cs.AI", "cs.CC")
    assert "Proceedings" not in case.for_agents().model_dump_json()


def test_a_paper_without_authors_and_decision_has_none(verbatim: Path) -> None:
    case = DATASET.case("acl_2017/173", verbatim)
    assert case.decision is None
    assert case.paper is not None
    assert case.paper.authors == ()


@pytest.mark.parametrize(
    ("accepted", "decision"), [(True, "accepted"), (False, "rejected"), (None, None), ("yes", None)]
)
def test_only_a_declared_decision_is_a_decision(
    accepted: object, decision: str | None, write_paper: WritePaper
) -> None:
    assert DATASET.case("7", write_paper({"accepted": accepted})).decision == decision


def test_a_paper_without_text_says_so_but_its_references_can_be_read(peerread: Path) -> None:
    with pytest.raises(PaperError, match="paper acl_2017/105 has no text to review: its abstract is empty"):
        DATASET.case("105", peerread)
    assert len(DATASET.references("105", peerread)) == 2


def test_a_paper_without_usable_references_is_still_a_case(write_paper: WritePaper) -> None:
    data_dir = write_paper({"reviews": [{"comments": "  \n"}]})
    assert DATASET.case("7", data_dir).references == ()
    assert [entry.usable_references for entry in DATASET.entries(data_dir)] == [0]


def test_a_venue_of_unknown_scale_keeps_its_reviews_without_ratings(write_paper: WritePaper) -> None:
    case = DATASET.case("7", write_paper({"reviews": [REVIEW]}, place="elsewhere_2031/train"))
    assert [(review.rating, review.text) for review in case.references] == [(None, REVIEW["comments"])]
    assert case.rating_scale is None


@pytest.mark.parametrize("content", [b"{", b"\xff\xfe{}", b"[1, 2]", b'{"reviews": {}}', b"[" * 100_000, b""])
def test_an_unreadable_file_is_named(content: bytes, write_paper: WritePaper) -> None:
    data_dir = write_paper({})
    (data_dir / "iclr_2017/train/reviews/7.json").write_bytes(content)
    with pytest.raises(UnreadableError, match=r"iclr_2017/train/reviews/7\.json"):
        DATASET.case("7", data_dir)
    with pytest.raises(UnreadableError, match=r"iclr_2017/train/reviews/7\.json"):
        list(DATASET.entries(data_dir))


def test_an_unreadable_parsed_pdf_is_named(write_paper: WritePaper) -> None:
    data_dir = write_paper({}, parsed={})
    (data_dir / "iclr_2017/train/parsed_pdfs/7.pdf.json").write_bytes(b"%PDF-1.4")
    with pytest.raises(UnreadableError, match=r"7\.pdf\.json"):
        DATASET.case("7", data_dir)


def test_entries_do_not_read_the_full_texts(write_paper: WritePaper) -> None:
    data_dir = write_paper({"reviews": [REVIEW]}, parsed={})
    (data_dir / "iclr_2017/train/parsed_pdfs/7.pdf.json").write_bytes(b"not read")
    entry = next(DATASET.entries(data_dir))
    assert entry.has_full_text
    assert (entry.id, entry.venue, entry.split, entry.usable_references) == ("7", "iclr_2017", "train", 1)


def test_nothing_of_the_file_but_the_papers_own_words_gets_into_the_paper(write_paper: WritePaper) -> None:
    secrets: dict[str, Any] = {
        "accepted": True,
        "conference": "SECRET conference",
        "COMMENTS": "SECRET comment",
        "SCORE": "SECRET score",
        "histories": [["SECRET history"]],
        "reviews": [REVIEW | {"comments": "SECRET review", "TITLE": "SECRET title"}],
    }
    case = DATASET.case("7", write_paper(secrets))
    assert len(case.references) == 1
    assert "SECRET" not in case.for_agents().model_dump_json()
