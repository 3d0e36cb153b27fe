"""Judging texts whose order is known: each paper with tables fitted on the other half of the papers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from agents_eval_core.case import Case
from agents_eval_core.paper import Paper
from agents_eval_evaluators.calibration.agreement_fit import fit_table
from agents_eval_evaluators.calibration.agreement_table import AgreementTable
from agents_eval_evaluators.text.output_faults import output_faults
from agents_eval_evaluators.text.output_similarity import human_texts, output_similarity
from agents_eval_evaluators.text.task_success import task_success, text_duties
from agents_eval_evaluators.text.term_weights import cosine, term_weights
from agents_eval_evaluators.validity.known_texts import ALL, NEED_PAPER, Material
from agents_eval_evaluators.validity.predecessor import predecessor_similarity

FOLDS: Final = 2
FEWEST_REVIEWS: Final = 3
NO_PAPER: Final = Paper(id="", dataset="", title="")


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What tier 1 says of a text.

    Attributes:
        similarity: `output_similarity`; None without references.
        success: `task_success`; None without the paper.
        predecessor: What the program before this one would have said; None without references.
        critical: Names of the critical findings.
        warnings: Names of the warnings.
    """

    similarity: float | None
    success: float | None
    predecessor: float | None
    critical: frozenset[str]
    warnings: frozenset[str]

    @property
    def mean(self) -> float:
        """The mean of both scores; of one where there is only one."""
        return fmean(value for value in (self.similarity, self.success) if value is not None)

    @property
    def rank(self) -> tuple[bool, float]:
        """What texts are ordered by: without a critical finding first, then by the mean of both scores."""
        return not self.critical, self.mean


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """A paper: its reviews judged against one another, and the texts made from the one that was tested.

    Attributes:
        human: The tested review.
        reviews: All of them, the tested one among them.
        made: The texts made from it, by what they are.
    """

    human: Judged
    reviews: tuple[Judged, ...]
    made: Mapping[str, Judged]


def judge(text: str, case: Case, references: Sequence[str], table: AgreementTable) -> Judged:
    """Return what tier 1 says of a text; a rating is taken as given beside it, whatever the text."""
    paper = case.paper or NO_PAPER
    found = tuple(output_faults(text, case.paper, references, table))
    return Judged(
        similarity=output_similarity(text, paper, references, table) if references else None,
        success=None if case.paper is None else task_success(text_duties(text, paper, table.words, has_rating=True)),
        predecessor=predecessor_similarity(text, references, table.words.stop_words) if references else None,
        critical=frozenset(finding.name for finding in found if finding.severity == "critical"),
        warnings=frozenset(finding.name for finding in found if finding.severity == "warning"),
    )


def cross_fitted_ladders(cases: Sequence[Case], venue: str) -> Iterator[Ladder]:
    """Yield a ladder for each paper with three reviews or more, each judged with tables of the other half."""
    for fold in range(FOLDS):
        yield from half_ladders(cases, venue, fold)


def half_ladders(cases: Sequence[Case], venue: str, fold: int, every: int = 1) -> Iterator[Ladder]:
    """Yield the ladders of one half of the papers, or of every so many of them, with tables of the other half."""
    table = fit_table(cases[1 - fold :: FOLDS], venue, source="", licence="", fitted_on="")
    yield from ladders(cases[fold::FOLDS][::every], table)


def ladders(cases: Sequence[Case], table: AgreementTable, fewest_reviews: int = FEWEST_REVIEWS) -> Iterator[Ladder]:
    """Yield a ladder for each paper with three reviews or more; the tested review goes round by paper.

    Where the papers are not at hand, only texts that are made without them.
    """
    usable = [case for case in cases if len(human_texts(case)) >= fewest_reviews]
    abstracts = [term_weights((case.paper or NO_PAPER).abstract, table.words) for case in usable]
    for place, case in enumerate(usable):
        reviews = human_texts(case)
        tested = place % len(reviews)
        nearest = max(
            (other for other in range(len(usable)) if other != place),
            key=lambda other: cosine(abstracts[place], abstracts[other]),
        )
        made_from = Material(
            human=reviews[tested],
            paper=case.paper or NO_PAPER,
            stranger=_at(usable[place - 1], tested),
            neighbour=_at(usable[nearest], tested),
        )
        yield _ladder(case, tested, made_from, table)


def _ladder(case: Case, tested: int, made_from: Material, table: AgreementTable) -> Ladder:
    pairs = _each_and_others(case)
    others = pairs[tested][1]
    reviews = tuple(judge(text, case, rest, table) for text, rest in pairs)
    return Ladder(
        human=reviews[tested],
        reviews=reviews,
        made={
            name: judge(make(made_from, tested), case, others, table)
            for name, make in ALL.items()
            if case.paper is not None or name not in NEED_PAPER
        },
    )


def _each_and_others(case: Case) -> list[tuple[str, tuple[str, ...]]]:
    texts = human_texts(case)
    return [(text, (*texts[:place], *texts[place + 1 :])) for place, text in enumerate(texts)]


def _at(case: Case, place: int) -> str:
    reviews = human_texts(case)
    return reviews[place % len(reviews)]
