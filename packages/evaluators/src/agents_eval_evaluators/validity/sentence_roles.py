"""How well word lists tell what a sentence of a review does, against human labels."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Final

from agents_eval_core.ports.validation import Half, ValidityFigure
from agents_eval_evaluators.text.sentence_role import SentenceRole, sentence_role
from agents_eval_evaluators.validity.intervals import bootstrap_interval, over_all
from agents_eval_evaluators.validity.repeatable import ByHalves
from agents_eval_evaluators.validity.review_quality import labelled_lines

REVIEWS: Final = "disapere/reviews.jsonl"
ROLES: Final[tuple[SentenceRole, ...]] = ("request", "weakness", "strength", "other")
TOLD: Final = ROLES[:3]
Pairs = Sequence[tuple[str, str]]
Papers = Sequence[Pairs]


def f_score(pairs: Pairs, role: str) -> float:
    """Return the F1 of one class over pairs of what people and what the rules say; 0 where neither says it.

    >>> f_score([("request", "request"), ("other", "request")], "request")
    0.6666666666666666
    """
    hits = sum(theirs == ours == role for theirs, ours in pairs)
    said = sum((theirs == role) + (ours == role) for theirs, ours in pairs)
    return 2 * hits / said if said else 0.0


def labelled_role(action: str, polarity: str) -> SentenceRole:
    """Return the role that DISAPERE's labels amount to."""
    if action == "arg_request":
        return "request"
    if action == "arg_evaluative" and polarity in ("pol_negative", "pol_positive"):
        return "weakness" if polarity == "pol_negative" else "strength"
    return "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceRolesValidity(ByHalves):
    """Measures `sentence_role` on the sentences of DISAPERE (ICLR 2019 and 2020), by its own split.

    All reviews were written before chat models became public, so nothing can be said here about machine text.
    """

    name: str = "sentence_roles"

    def of_half(self, data: Sequence[Path], half: Half) -> Iterator[ValidityFigure]:
        """Yield the F1 of each role and their mean of one half.

        Raises:
            PaperError: The data is not there.
        """
        papers: dict[str, list[tuple[str, str]]] = {}
        for line in labelled_lines(data, REVIEWS):
            if (line["split"] == "test") == (half == "test half"):
                pairs = [(labelled_role(said[1], said[4]), sentence_role(said[0])) for said in line["sentences"]]
                papers.setdefault(line["paper"], []).extend(pairs)
        groups = list(papers.values())
        for role in TOLD:
            yield self._figure(f"F1 of {role}", over_all(lambda pairs, role=role: f_score(pairs, role)), groups, half)
        yield self._figure("macro F1 with the rest", over_all(_macro_f_score), groups, half)

    def _figure(self, measure: str, figure: Callable[[Papers], float], papers: Papers, half: Half) -> ValidityFigure:
        return ValidityFigure(
            metric="sentence_role",
            measure=measure,
            value=figure(papers),
            interval=bootstrap_interval(papers, figure, resamples=self.resamples),
            n=sum(map(len, papers)),
            unit="sentences",
            data=f"DISAPERE, {len(papers)} papers",
            half=half,
            tuned="nothing: word lists written by judgement",
        )


def _macro_f_score(pairs: Pairs) -> float:
    return fmean(f_score(pairs, role) for role in ROLES)
