"""A review of a paper in a file: from the file to anchors that exist in it."""

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from agents_eval import run_review
from agents_eval_core.errors import PaperError, UsageError
from agents_eval_core.paper import Paper
from agents_eval_core.ports.engine import Progress
from agents_eval_core.review import Review

TEXT = """On Rivers

Abstract
We measure how rivers flow, with a method called RiverNet, on 12 rivers.

1 Introduction

Rivers flow. We propose RiverNet, which predicts how they flow, and Table 1 shows that it does.

2 Experiments

On the Elbe data set RiverNet reaches an accuracy of 91.2 percent. The baseline reaches 85.0 percent.
"""


def has_anchor(paper: Paper, anchor: str) -> bool:
    """Whether an anchor is the abstract, a heading of the paper, or words that stand in it."""
    headings = {section.heading for section in paper.sections}
    return anchor == "Abstract" or anchor in headings or " ".join(anchor.split()) in " ".join(paper.text.split())


def anchors(review: Review) -> Sequence[str]:
    return [point.anchor for _, points in review.parts() for point in points if point.anchor]


@pytest.mark.parametrize("name", ["1804.09635.pdf", "2412.11948.pdf", "openreview_discourse.pdf"])
async def test_the_anchors_of_a_review_of_a_real_pdf_exist_in_it(name: str, real_data: Path) -> None:
    done = await run_review(real_data / "peerread" / "pdfs" / name, provider="offline")
    paper, review = done.run.case.paper, done.run.output
    assert done.run.status == "complete"
    assert paper is not None
    assert review is not None
    assert (paper.text_source, paper.dataset) == ("pdf", "file")
    found = anchors(review)
    assert len(found) >= 5
    assert [anchor for anchor in found if not has_anchor(paper, anchor)] == []
    assert any(anchor != "Abstract" for anchor in found)


async def test_references_are_measured_against_and_never_shown_to_the_agents(clean_place: Path) -> None:
    (clean_place / "rivers.txt").write_text(TEXT)
    (clean_place / "one.txt").write_text("The paper on rivers is clear. RiverNet needs another baseline, XYZZYQ says.")
    (clean_place / "two.json").write_text(json.dumps({"comments": "RiverNet is measured on few rivers.", "RATING": 9}))
    done = await run_review("rivers.txt", references=["one.txt", "two.json"], composition="manager")
    assert [review.id for review in done.run.case.references] == ["review-1", "review-2"]
    assert done.scorecard is not None
    similarity = done.scorecard.score("output_similarity")
    assert similarity is not None
    assert similarity.value is not None
    assert done.directory is not None
    assert "XYZZYQ" not in (done.directory / "trace.otlp.jsonl").read_text()


async def test_without_references_similarity_is_not_measured_and_it_is_said_before(clean_place: Path) -> None:
    (clean_place / "rivers.txt").write_text(TEXT)
    said: list[Progress] = []
    done = await run_review("rivers.txt", composition="manager", on_progress=said.append)
    assert done.scorecard is not None
    similarity = done.scorecard.score("output_similarity")
    assert similarity is not None
    assert (similarity.value, similarity.reason) == (None, "not_measured")
    assert "has no usable human review" in said[0].action


async def test_what_was_not_read_is_said_while_running_and_kept_with_the_run(
    clean_place: Path, damaged_copy: Path
) -> None:
    said: list[Progress] = []
    done = await run_review(damaged_copy, composition="manager", on_progress=said.append)
    note = "'missing', which the LaTeX source takes in, was not read"
    assert note in done.run.notes
    assert note in [progress.action for progress in said]
    assert done.directory is not None
    assert note in (done.directory / "report.md").read_text()


@pytest.fixture
def damaged_copy(clean_place: Path) -> Path:
    """Return a LaTeX source that takes in a file which is not there."""
    path = clean_place / "main.tex"
    path.write_text(r"\section{A} Rivers flow, we measure it in Table 1. \input{missing} \section{B} They do.")
    return path


@pytest.mark.parametrize(
    ("paper", "options", "problem", "words"),
    [
        ("rivers.pdf", {}, PaperError, "there is no file rivers.pdf"),
        (Path("304"), {}, PaperError, "there is no file 304"),
        ("304", {}, PaperError, "--data-dir"),
        ("rivers.txt", {"dataset": "sample"}, UsageError, "no sample paper named 'rivers.txt'"),
        ("sparse-gates", {"dataset": "sample", "references": ["r.txt"]}, UsageError, "which has its own"),
        ("304", {"references": ["r.txt"]}, UsageError, "references were given for 304"),
        ("rivers.txt", {"references": ["none.txt"]}, PaperError, "there is no file none.txt"),
    ],
)
async def test_what_cannot_be_reviewed_is_refused_before_anything_is_kept(
    paper: str | Path, options: dict[str, Any], problem: type[Exception], words: str, clean_place: Path
) -> None:
    (clean_place / "rivers.txt").write_text(TEXT)
    with pytest.raises(problem, match=words):
        await run_review(paper, **options)
    assert not (clean_place / "_Agents-eval").exists()


async def test_a_paper_of_a_dataset_may_be_named_as_a_file_is(
    clean_place: Path, write_dataset: Callable[..., Path]
) -> None:
    data_dir = write_dataset("7.txt")
    (clean_place / "7.txt").write_text(TEXT)
    own = await run_review("7.txt", data_dir=data_dir, composition="manager", evaluate=False)
    named = await run_review("7.txt", dataset="peerread", data_dir=data_dir, composition="manager", evaluate=False)
    assert (own.run.case.dataset, named.run.case.dataset) == ("file", "peerread")


@pytest.fixture
def write_dataset(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes a PeerRead folder of one paper."""

    def write(paper_id: str) -> Path:
        reviews = tmp_path / "venues" / "iclr_2017" / "train" / "reviews"
        reviews.mkdir(parents=True)
        content: dict[str, Any] = {
            "title": "T",
            "abstract": "We describe a method called X and measure it on Y.",
            "reviews": [],
        }
        (reviews / f"{paper_id}.json").write_text(json.dumps(content))
        return tmp_path / "venues"

    return write


async def test_an_interrupted_reading_keeps_no_run(clean_place: Path, real_data: Path) -> None:
    review = asyncio.ensure_future(run_review(real_data / "peerread" / "pdfs" / "1804.09635.pdf"))
    await asyncio.sleep(0.02)
    review.cancel()
    with pytest.raises(asyncio.CancelledError):
        await review
    assert not (clean_place / "_Agents-eval").exists()
