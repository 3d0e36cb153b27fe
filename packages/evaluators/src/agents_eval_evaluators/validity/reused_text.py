"""How much human reviewers of different papers have in common word for word, and how much templates have."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Final

from agents_eval_core.case import Case
from agents_eval_core.paper import Paper
from agents_eval_core.ports.validation import ValidityFigure
from agents_eval_evaluators.text.reused_text import MUCH_REUSED, reused_share
from agents_eval_evaluators.validity.data_folders import cases_among
from agents_eval_evaluators.validity.intervals import bootstrap_interval
from agents_eval_evaluators.validity.known_texts import TEMPLATE
from agents_eval_evaluators.validity.made_reviews import fluent
from agents_eval_evaluators.validity.repeatable import Repeatable

VENUE: Final = "iclr_2017"
SET_SIZE: Final = 20
Shares = Sequence[float]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReusedTextValidity(Repeatable):
    """Measures `reused_text` on sets of twenty papers: one human review of each, and one text made for each."""

    name: str = "reused_text"

    def figures(self, data: Sequence[Path]) -> Iterator[ValidityFigure]:
        """Yield the shares that human reviews, templates and fluent texts reuse, and how many are warned of.

        Raises:
            PaperError: The data is not there.
        """
        cases = [case for case in cases_among(data, VENUE) if case.paper is not None]
        makers: tuple[tuple[str, Callable[[Case, Paper], str]], ...] = (
            ("human reviews", lambda case, _: case.references[0].text),
            ("templates with the title", lambda _, paper: TEMPLATE.format(title=paper.title)),
            ("fluent texts that know the title", lambda _, paper: fluent(paper)),
        )
        for what, make in makers:
            shares = list(_largest_shares(cases, make))
            for measure, figure in (
                (f"{what}: share of words reused", _mean),
                (f"{what}: warned of", _warned),
            ):
                yield ValidityFigure(
                    metric=self.name,
                    measure=measure,
                    value=figure(shares),
                    interval=bootstrap_interval(shares, figure, resamples=self.resamples),
                    n=len(shares),
                    unit="reviews",
                    data=f"{VENUE}, sets of {SET_SIZE} papers",
                    tuned="a pilot on these reviews (the 30 %)",
                )


def _mean(shares: Shares) -> float:
    return fmean(shares)


def _warned(shares: Shares) -> float:
    return fmean(share >= MUCH_REUSED for share in shares)


def _largest_shares(cases: Sequence[Case], make: Callable[[Case, Paper], str]) -> Iterator[float]:
    made = [(make(case, case.paper), case.paper.text) for case in cases if case.paper is not None]
    for start in range(0, len(made) - SET_SIZE + 1, SET_SIZE):
        part = made[start : start + SET_SIZE]
        for place, (text, paper) in enumerate(part):
            yield max(reused_share(text, other, paper) for number, (other, _) in enumerate(part) if number != place)
