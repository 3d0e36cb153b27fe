"""How much of the spread lies between papers and how much between repetitions of one paper."""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import fsum


@dataclass(frozen=True, slots=True, kw_only=True)
class VarianceSplit:
    """Variances of single differences.

    Attributes:
        papers: Between papers; not below 0.
        repetitions: Between repetitions of one paper; None where no paper was repeated.
        per_paper: Repetitions a paper, on average as they count in the variance of a mean.
    """

    papers: float
    repetitions: float | None
    per_paper: float

    @property
    def correlation(self) -> float | None:
        """The share that lies between papers: how alike two repetitions of one paper are (intra-class correlation)."""
        if self.repetitions is None or not self.papers + self.repetitions:
            return None
        return self.papers / (self.papers + self.repetitions)

    def of_paper_mean(self, repetitions: float | None = None) -> float:
        """Return the variance of one paper's mean over so many repetitions; by default over those there are."""
        return self.papers + (self.repetitions or 0.0) / (repetitions or self.per_paper)


def variance_split(values: Sequence[float], papers: Sequence[Hashable]) -> VarianceSplit | None:
    """Return the variance between and within papers, by analysis of variance; None with fewer than two papers.

    Without repetitions the two cannot be told apart, and all of it is `papers`.

    References:
        Searle, Casella and McCulloch, Variance Components (1992), section 3.6.

    >>> split = variance_split([0.0, 0.2, 1.0, 1.2], ["a", "a", "b", "b"])
    >>> split and (round(split.papers, 3), round(split.repetitions or 0, 3), split.per_paper)
    (0.49, 0.02, 2.0)
    """
    groups: defaultdict[Hashable, list[float]] = defaultdict(list)
    for value, paper in zip(values, papers, strict=True):
        groups[paper].append(value)
    count, total = len(groups), len(values)
    if count < 2:  # noqa: PLR2004  a spread takes two
        return None
    grand = fsum(values) / total
    means = {paper: fsum(group) / len(group) for paper, group in groups.items()}
    between = fsum(len(group) * (means[paper] - grand) ** 2 for paper, group in groups.items()) / (count - 1)
    if total == count:
        return VarianceSplit(papers=between, repetitions=None, per_paper=1.0)
    within = fsum((value - means[paper]) ** 2 for paper, group in groups.items() for value in group) / (total - count)
    per_paper = (total - fsum(len(group) ** 2 for group in groups.values()) / total) / (count - 1)
    return VarianceSplit(papers=max(0.0, (between - within) / per_paper), repetitions=within, per_paper=per_paper)
