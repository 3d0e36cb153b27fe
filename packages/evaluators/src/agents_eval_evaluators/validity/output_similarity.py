"""How well `output_similarity` tells a review of a paper from a review of another, on real reviews."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from agents_eval_core.case import Case
from agents_eval_core.errors import PaperError
from agents_eval_core.ports.validation import ValidityFigure
from agents_eval_evaluators.calibration.language_fit import word_counts
from agents_eval_evaluators.calibration.word_counts import WordCounts
from agents_eval_evaluators.text.output_similarity import human_texts, raw_similarity
from agents_eval_evaluators.text.term_weights import cosine, term_weights
from agents_eval_evaluators.text.words import words
from agents_eval_evaluators.validity.data_folders import cases_among
from agents_eval_evaluators.validity.intervals import bootstrap_interval
from agents_eval_evaluators.validity.ranks import area_under_curve, rank_correlation

VENUES: Final = ("iclr_2017", "neurips_2025")
TEST_HALF: Final = 1
EVERY: Final = 4
FEWEST_REVIEWS: Final = 3
HALVES: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperProbe:
    """What was measured at one paper.

    Attributes:
        own: Similarity of each of its reviews with its others.
        stranger: The same of a review of any other paper in that review's place.
        neighbour: The same of a review of the paper with the nearest abstract.
        lengths: Length of each of its reviews, in words.
    """

    own: tuple[float, ...]
    stranger: tuple[float, ...]
    neighbour: tuple[float, ...]
    lengths: tuple[int, ...]


def probe_papers(cases: Sequence[Case], halves: Sequence[int] = range(HALVES), every: int = 1) -> Iterator[PaperProbe]:
    """Yield what was measured at each paper, or at every so many; words were counted in the other half of the papers.

    Each review, and in its place one of another paper, is held against the paper's other reviews.
    """
    usable = [case for case in cases if len(human_texts(case)) >= FEWEST_REVIEWS]
    for half in halves:
        fold = usable[half::HALVES][::every]
        counts = word_counts([text for case in usable[1 - half :: HALVES] for text in human_texts(case)])
        abstracts = [term_weights(case.paper.abstract if case.paper else "", counts) for case in fold]
        for place, case in enumerate(fold):
            nearest = max(
                (other for other in range(len(fold)) if other != place),
                key=lambda other: cosine(abstracts[place], abstracts[other]),
            )
            reviews = human_texts(case)
            yield PaperProbe(
                own=_in_place(reviews, case, counts),
                stranger=_in_place(human_texts(fold[place - 1]), case, counts),
                neighbour=_in_place(human_texts(fold[nearest]), case, counts),
                lengths=tuple(len(words(text)) for text in reviews),
            )


def _in_place(texts: Sequence[str], case: Case, counts: WordCounts) -> tuple[float, ...]:
    """Return the similarity that a text has with the paper's reviews but one, for each of them."""
    reviews = human_texts(case)
    return tuple(
        raw_similarity(texts[place % len(texts)], case.paper, [*reviews[:place], *reviews[place + 1 :]], counts)
        for place in range(len(reviews))
    )


def _against_strangers(probes: Sequence[PaperProbe]) -> float:
    return area_under_curve(_all(probe.own for probe in probes), _all(probe.stranger for probe in probes))


def _against_neighbours(probes: Sequence[PaperProbe]) -> float:
    return area_under_curve(_all(probe.own for probe in probes), _all(probe.neighbour for probe in probes))


def _with_length(probes: Sequence[PaperProbe]) -> float:
    return rank_correlation(_all(probe.own for probe in probes), _all(probe.lengths for probe in probes))


def _all(groups: Iterable[Sequence[float]]) -> list[float]:
    return [value for group in groups for value in group]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputSimilarityValidity:
    """Measures `output_similarity` on the reviews of ICLR 2017 and NeurIPS 2025, cross-fitted by paper.

    The figures are about the raw similarity; over papers with three reviews or more the percentile has its order. All
    reviews are taken for human: the data does not say otherwise, and those of 2025 may in part be a machine's.
    """

    name: str = "output_similarity"
    resamples: int = 1000

    def figures(self, data: Sequence[Path]) -> Iterator[ValidityFigure]:
        """Yield how well a paper's own reviews are told from others, and how much length is rewarded.

        Raises:
            PaperError: The data is not there.
        """
        for place, venue in enumerate(VENUES):
            try:
                cases = cases_among(data, venue)
            except PaperError:
                if place == 0:
                    raise
                continue
            yield from self._of_venue(tuple(probe_papers(cases)), venue)

    def checks(self, data: Sequence[Path]) -> Iterator[ValidityFigure]:
        """Yield the figures on every fourth paper of one half of ICLR 2017, with words of the other half.

        Raises:
            PaperError: The venue is not there.
        """
        some = tuple(probe_papers(cases_among(data, VENUES[0]), [TEST_HALF], EVERY))
        for figure in replace(self, resamples=0)._of_venue(some, VENUES[0]):  # noqa: SLF001  its own
            yield replace(figure, half="test half", data=f"{figure.data}, every fourth")

    def _of_venue(self, probes: Sequence[PaperProbe], venue: str) -> Iterator[ValidityFigure]:
        reviews = sum(len(probe.own) for probe in probes)
        for measure, unit, figure in (
            ("a paper's own review against one of another paper", "AUC", _against_strangers),
            ("a paper's own review against one of the paper with the nearest abstract", "AUC", _against_neighbours),
            ("length of human reviews", "Spearman", _with_length),
        ):
            yield ValidityFigure(
                metric=self.name,
                measure=measure,
                value=figure(probes),
                interval=bootstrap_interval(probes, figure, resamples=self.resamples),
                n=reviews,
                unit=f"reviews, {unit}",
                data=f"{venue}, {len(probes)} papers",
                fitted="the other half of the venue's papers",
                tuned="a pilot on one half of iclr_2017",
                chance=0.5 if unit == "AUC" else None,
            )
