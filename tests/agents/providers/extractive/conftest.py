"""Real papers, and the review that the extractive baseline makes of one."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from agents_eval_agents.providers.extractive.assessor import assess
from agents_eval_agents.providers.extractive.reader import read_paper
from agents_eval_agents.providers.extractive.writer import write_review
from agents_eval_agents.review_team.outputs import DraftPoint, ReviewDraft


@dataclass(frozen=True, slots=True, kw_only=True)
class RealPaper:
    """A paper as the reader gets it."""

    title: str
    abstract: str
    sections: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        return " ".join([self.title, self.abstract, *(part for section in self.sections for part in section)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewed:
    """A paper with its review."""

    paper: RealPaper
    draft: ReviewDraft

    @property
    def points(self) -> list[DraftPoint]:
        return [*self.draft.strengths, *self.draft.weaknesses, *self.draft.questions, *self.draft.suggestions]

    @property
    def text(self) -> str:
        return " ".join([self.draft.summary, *(point.text for point in self.points)])


def make_review(paper: RealPaper) -> Reviewed:
    summary = read_paper(paper.title, paper.abstract, paper.sections)
    analysis = assess(summary)
    return Reviewed(paper=paper, draft=write_review(summary, analysis, lowest=1, highest=10))


def full_text(path: Path) -> RealPaper:
    record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["metadata"]
    sections = tuple((section["heading"] or "", section["text"] or "") for section in record["sections"])
    return RealPaper(title=record["title"], abstract=record.get("abstractText") or "", sections=sections)


def only_abstract(path: Path) -> RealPaper:
    record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return RealPaper(title=record["title"], abstract=record["abstract"])


@pytest.fixture(scope="session")
def full_papers(peerread: Path) -> list[RealPaper]:
    """Return twenty papers of NeurIPS 2025 with their full text."""
    return [full_text(path) for path in sorted((peerread / "neurips_2025").glob("*/parsed_pdfs/*.json"))[:20]]


@pytest.fixture(scope="session")
def abstracts(peerread: Path) -> list[RealPaper]:
    """Return twenty papers of ICLR 2017, of which there is only the abstract."""
    return [only_abstract(path) for path in sorted((peerread / "iclr_2017").glob("dev/reviews/*.json"))[:20]]


@pytest.fixture(scope="session")
def full_reviews(full_papers: list[RealPaper]) -> list[Reviewed]:
    return [make_review(paper) for paper in full_papers]


@pytest.fixture(scope="session")
def abstract_reviews(abstracts: list[RealPaper]) -> list[Reviewed]:
    return [make_review(paper) for paper in abstracts]


@pytest.fixture(scope="session")
def review() -> Callable[..., Any]:
    """Return what makes a review of a paper made up for a test."""

    def make(title: str, abstract: str, sections: list[tuple[str, str]] | None = None) -> Reviewed:
        return make_review(RealPaper(title=title, abstract=abstract, sections=tuple(sections or ())))

    return make
