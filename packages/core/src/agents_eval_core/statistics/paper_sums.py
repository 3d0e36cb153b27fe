"""Differences gathered by paper: what is resampled, flipped and ranked is a paper, never a repetition of one."""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import fsum


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperSums:
    """For each paper, in the order in which they appear, the sum of its differences and their number."""

    sums: tuple[float, ...]
    sizes: tuple[int, ...]

    @property
    def means(self) -> tuple[float, ...]:
        """The mean difference of each paper."""
        return tuple(total / size for total, size in zip(self.sums, self.sizes, strict=True))


def paper_sums(differences: Sequence[float], papers: Sequence[Hashable]) -> PaperSums:
    """Return the differences by paper.

    >>> paper_sums([0.25, 0.5, 0.5], ["a", "b", "a"])
    PaperSums(sums=(0.75, 0.5), sizes=(2, 1))
    """
    of_paper: defaultdict[Hashable, list[float]] = defaultdict(list)
    for difference, paper in zip(differences, papers, strict=True):
        of_paper[paper].append(difference)
    return PaperSums(
        sums=tuple(fsum(values) for values in of_paper.values()),
        sizes=tuple(len(values) for values in of_paper.values()),
    )
