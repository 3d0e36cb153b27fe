"""Short papers with reviews, written for Agents-eval, so that everything can be tried without data of others."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct, field

from agents_eval_core.case import Case
from agents_eval_core.datasets.json_file import decode_json
from agents_eval_core.datasets.venues import ONE_TO_FIVE, ONE_TO_TEN
from agents_eval_core.errors import UnknownNameError
from agents_eval_core.paper import Paper, Section
from agents_eval_core.ports.dataset import PaperEntry, PaperText
from agents_eval_core.review import HumanReview, Rating

VENUE: Final = "sample"


class SampleSection(Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a sample paper."""

    heading: str
    text: str


class SampleReview(Struct, frozen=True, forbid_unknown_fields=True):
    """A review of a sample paper, with a rating of 1 to 10 and a confidence of 1 to 5."""

    text: str
    rating: int
    confidence: int


class SamplePaper(Struct, frozen=True, forbid_unknown_fields=True):
    """One file of the `sample` folder."""

    schema: Literal["agents-eval/sample-paper/1"]
    provenance: Literal["written for Agents-eval; not a real paper"]
    licence: Literal["CC0-1.0"]
    id: str
    field_of_study: str = field(name="field")
    title: str
    abstract: str
    keywords: tuple[str, ...]
    sections: tuple[SampleSection, ...]
    reviews: tuple[SampleReview, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleDataset:
    """The papers in this package; a data folder is not needed, and ignored where one is given."""

    name: str = "sample"

    def entries(self, data_dir: Path | None) -> Iterator[PaperEntry]:
        """Yield the papers by id.

        >>> next(SampleDataset().entries(None)).id
        'alloy-cracks'
        """
        return (text.entry for text in self.texts(data_dir))

    def texts(self, data_dir: Path | None) -> Iterator[PaperText]:  # noqa: ARG002  the port hands it to all
        """Yield titles and abstracts by id."""
        for paper in _papers().values():
            entry = PaperEntry(
                id=paper.id,
                venue=VENUE,
                split="",
                title=paper.title,
                usable_references=len(paper.reviews),
                has_full_text=True,
            )
            yield PaperText(entry=entry, abstract=paper.abstract)

    def case(self, paper_id: str, data_dir: Path | None) -> Case:  # noqa: ARG002  the port hands it to all
        """Return a paper with its reviews.

        Args:
            paper_id: `<id>` or `sample/<id>`.
            data_dir: Ignored.

        Raises:
            UnknownNameError: No paper has that id.

        >>> SampleDataset().case("sparse-gates", None).id
        'sample/sparse-gates'
        """
        stem = paper_id.removeprefix(f"{VENUE}/")
        paper = _papers().get(stem)
        if paper is None:
            raise UnknownNameError("sample paper", stem[:200], _papers(), hint="'agents-eval papers list' shows all")
        return Case(
            id=f"{VENUE}/{paper.id}",
            dataset=self.name,
            paper=_paper(paper, self.name),
            references=tuple(_human_review(n, review) for n, review in enumerate(paper.reviews, 1)),
            rating_scale=ONE_TO_TEN,
            needs_tools=True,
        )


@cache
def _papers() -> dict[str, SamplePaper]:
    folder = files("agents_eval_core.datasets") / "sample"
    resources = sorted((file for file in folder.iterdir() if file.name.endswith(".json")), key=lambda file: file.name)
    papers = (decode_json(file.read_bytes(), SamplePaper, name=file.name) for file in resources)
    return {paper.id: paper for paper in papers}


def _paper(paper: SamplePaper, dataset: str) -> Paper:
    return Paper(
        id=paper.id,
        dataset=dataset,
        venue=VENUE,
        title=paper.title,
        abstract=paper.abstract,
        keywords=(paper.field_of_study, *paper.keywords),
        sections=tuple(Section(heading=part.heading, text=part.text) for part in paper.sections),
        text_source="sample",
    )


def _human_review(position: int, review: SampleReview) -> HumanReview:
    return HumanReview(
        id=f"review-{position}",
        text=review.text,
        rating=Rating(value=review.rating, scale=ONE_TO_TEN),
        confidence=Rating(value=review.confidence, scale=ONE_TO_FIVE),
    )
