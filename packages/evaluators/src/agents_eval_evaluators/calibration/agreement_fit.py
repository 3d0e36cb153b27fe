"""Fitting the table of a venue from its reviews: what they read like, and how alike those of one paper are."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Final

from agents_eval_core.case import Case
from agents_eval_core.errors import PaperError
from agents_eval_core.paper import Paper
from agents_eval_core.score import Quartiles
from agents_eval_evaluators.calibration.agreement_table import (
    AgreementTable,
    FaultThresholds,
    Provenance,
    percentile,
)
from agents_eval_evaluators.calibration.human_scales import HumanScales, human_scales, joined
from agents_eval_evaluators.calibration.language_fit import Cut, negation_rates, word_counts, word_order
from agents_eval_evaluators.calibration.sentence_fit import sentence_model
from agents_eval_evaluators.calibration.venue_tables import quartiles_of, table_bytes
from agents_eval_evaluators.text.output_similarity import human_texts
from agents_eval_evaluators.text.words import sentence_words

FEWEST_PAPERS: Final = 30
ENOUGH_FOR_TAILS: Final = 300
FOLDS: Final = 10
RARE: Final = 0.01
ORDER_MARGIN: Final = 0.3
ORDER_CEILING: Final = -0.45
DIGITS: Final = 6
METHOD: Final = (
    "words, word order, negation and sentence model from all reviews (and the papers' texts); scales and thresholds "
    "from reviews weighed with tables of the other nine of ten folds of papers"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cutting:
    case: Case
    texts: tuple[str, ...]
    reviews: tuple[Cut, ...]


def _cut(case: Case) -> _Cutting:
    texts = human_texts(case)
    return _Cutting(case=case, texts=texts, reviews=tuple(map(sentence_words, texts)))


def fit_table(cases: Sequence[Case], venue: str, *, source: str, licence: str, fitted_on: str) -> AgreementTable:
    """Return the table of a venue; the same cases in the same order give the same table.

    The words are counted over all reviews. Scales and thresholds are made with each paper's own reviews left out: the
    papers are dealt into ten folds, and each fold is weighed with tables of the other nine.

    Raises:
        PaperError: There are too few papers with two or more reviews for percentiles to mean anything.
    """
    cuttings = [_cut(case) for case in cases]
    usable = [cutting for cutting in cuttings if len(cutting.reviews) > 1]
    if len(usable) < FEWEST_PAPERS:
        raise PaperError(
            f"venue {venue!r} has {len(usable)} papers with a text and two or more reviews; a scale of human "
            f"agreement needs {FEWEST_PAPERS}: choose a larger venue or data folder"
        )
    reviews = [review for cutting in cuttings for review in cutting.reviews]
    scales = joined(_cross_fitted(cuttings))
    rounded = scales.rounded(DIGITS)
    return AgreementTable(
        schema="agents-eval/human-agreement/2",
        venue=venue,
        provenance=Provenance(
            source=source,
            papers=len(usable),
            reviews=len(reviews),
            fitted_on=fitted_on,
            versions={name: version(name) for name in ("agents-eval-evaluators", "scikit-learn")},
            licence=licence,
            method=METHOD,
            warnings=_warnings(len(scales.matches)),
        ),
        words=word_counts([text for cutting in cuttings for text in cutting.texts]),
        order=word_order(reviews),
        sentences=sentence_model(reviews, [sentence_words(_body(cutting.case)) for cutting in cuttings]),
        negation=negation_rates(reviews),
        thresholds=_thresholds(scales),
        pair_scale=rounded.pairs,
        match_scale=rounded.matches,
        said_pair_scale=rounded.said_pairs,
        said_scale=rounded.said,
        humans=_humans(rounded, venue),
    )


def table_file(table: AgreementTable) -> bytes:
    """Return a table as its file."""
    parts = table.model_dump(mode="json", by_alias=True)
    parts["words"]["stop_words"].sort()
    return table_bytes(parts)


def _cross_fitted(cuttings: Sequence[_Cutting]) -> Iterator[HumanScales]:
    for fold in range(FOLDS):
        others = [cutting for place, cutting in enumerate(cuttings) if place % FOLDS != fold]
        reviews = [review for cutting in others for review in cutting.reviews]
        counts = word_counts([text for cutting in others for text in cutting.texts])
        order, rates = word_order(reviews), negation_rates(reviews)
        for cutting in cuttings[fold::FOLDS]:
            yield human_scales(cutting.case, cutting.reviews, counts, order, rates)


def _body(case: Case) -> str:
    """Return the sentences of a paper, without its headings."""
    paper = case.paper or Paper(id="", dataset="", title="")
    return "\n".join((paper.abstract, *(section.text for section in paper.sections)))


def _thresholds(scales: HumanScales) -> FaultThresholds:
    return FaultThresholds(
        off_paper=_tail(scales.totals, RARE),
        generic_match=_tail(scales.matches, RARE),
        generic_cosine=_tail(scales.nearest, RARE),
        negation=_tail(scales.negation, 1 - RARE),
        word_order=round(min(ORDER_CEILING, _tail(scales.order, RARE) - ORDER_MARGIN), DIGITS),
        reviews=len(scales.matches),
    )


def _tail(values: Sequence[float], share: float) -> float:
    """Return a percentile by linear interpolation between the values in order."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return round(ordered[low] + (place - low) * (ordered[high] - ordered[low]), DIGITS)


def _warnings(reviews: int) -> tuple[str, ...]:
    if reviews >= ENOUGH_FOR_TAILS:
        return ()
    sentence = (
        f"the thresholds of faults rest on {reviews} reviews; below {ENOUGH_FOR_TAILS} a percentile so near the end is "
        f"uncertain, and more human reviews than intended may be accused"
    )
    return (sentence,)


def _humans(scales: HumanScales, venue: str) -> dict[str, Quartiles]:
    return {
        "output_similarity": quartiles_of([percentile(value, scales.matches) for value in scales.matches], venue),
        "reference_coverage": quartiles_of([percentile(value, scales.said) for value in scales.said], venue),
        "task_success": quartiles_of(scales.duties, venue),
    }
