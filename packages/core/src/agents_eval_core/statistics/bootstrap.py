"""Bootstrap intervals over papers, bias-corrected and accelerated (BCa), of the mean and of the median."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri  # pyright: ignore[reportMissingTypeStubs]  scipy has none

from agents_eval_core.statistics.paper_sums import PaperSums

Array = NDArray[np.float64]
RESAMPLES: Final = 10_000
ROWS: Final = 1_000
SEED: Final = 20_170_425
FEWEST: Final = 3  # with two papers the jackknife has nothing to tell skewness from


@dataclass(frozen=True, slots=True, kw_only=True)
class BootstrapIntervals:
    """Intervals of the mean difference and of the median of the papers' differences; None below three papers."""

    mean: tuple[float, float] | None
    median: tuple[float, float] | None


def bootstrap_intervals(
    series: Sequence[PaperSums], confidence: float = 0.95, resamples: int = RESAMPLES
) -> list[BootstrapIntervals]:
    """Return BCa bootstrap intervals of each series, resampling whole papers.

    Series of the same number of papers share their resamples. The resampled median needs no resamples at all: its two
    middle order statistics follow a beta distribution, and are drawn from that.

    Coverage, measured by `make proof` (docs/proof/statistics.md), falls short of the t interval's below some 50
    papers, which is why it stands beside the headline and is not it.

    Args:
        series: Differences by paper.
        confidence: Between 0 and 1, both excluded.
        resamples: How many.

    References:
        Efron, "Better bootstrap confidence intervals", JASA 82 (1987).

    >>> (found,) = bootstrap_intervals([PaperSums(sums=(0.1, 0.2, 0.3, 0.2, 0.1, 0.3), sizes=(1,) * 6)])
    >>> found.mean is not None and 0.1 < found.mean[0] < 0.2 < found.mean[1] < 0.3
    True
    """
    places: defaultdict[int, list[int]] = defaultdict(list)
    for index, each in enumerate(series):
        places[len(each.sums)].append(index)
    found = [BootstrapIntervals(mean=None, median=None)] * len(series)
    for papers, indices in places.items():
        if papers < FEWEST:
            continue
        chosen = [series[index] for index in indices]
        means, medians = _means(chosen, confidence, resamples), _medians(chosen, confidence, resamples)
        for index, mean, median in zip(indices, means, medians, strict=True):
            found[index] = BootstrapIntervals(mean=mean, median=median)
    return found


def _means(series: Sequence[PaperSums], confidence: float, resamples: int) -> list[tuple[float, float]]:
    sums = np.array([each.sums for each in series]).T
    sizes = np.array([each.sizes for each in series], dtype=np.float64).T
    papers = len(sums)
    together = np.hstack([sums, sizes]).astype(np.float32)
    drawn = np.vstack([counts @ together for counts in _counts(papers, resamples)]).astype(np.float64)
    number = len(series)
    resampled = drawn[:, :number] / drawn[:, number:]
    left_out = (sums.sum(axis=0) - sums) / (sizes.sum(axis=0) - sizes)
    return _bca(resampled, sums.sum(axis=0) / sizes.sum(axis=0), left_out, confidence)


def _medians(series: Sequence[PaperSums], confidence: float, resamples: int) -> list[tuple[float, float]]:
    ordered = np.sort(np.array([each.means for each in series]).T, axis=0)
    papers = len(ordered)
    low, high = _middle_places(papers, resamples)
    resampled = (ordered[low] + ordered[high]) / 2
    return _bca(resampled, np.median(ordered, axis=0), _medians_without_one(ordered), confidence)


def _counts(papers: int, resamples: int) -> Iterator[NDArray[np.float32]]:
    """Yield how often each paper is in each resample."""
    generator = np.random.default_rng(SEED)
    for start in range(0, resamples, ROWS):
        rows = min(ROWS, resamples - start)
        places = generator.integers(papers, size=(rows, papers), dtype=np.int32)
        places += (np.arange(rows, dtype=np.int32) * papers)[:, None]
        counts = np.bincount(places.ravel(), minlength=rows * papers)
        yield counts.reshape(rows, papers).astype(np.float32)


def _middle_places(papers: int, resamples: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the ranks of the papers that are in the middle of each resample (twice the same if papers are odd)."""
    generator = np.random.default_rng(SEED)
    rank = (papers + 1) // 2
    lower = generator.beta(rank, papers - rank + 1, size=resamples)
    upper = lower
    if papers % 2 == 0:
        upper = lower + (1 - lower) * generator.beta(1, papers - rank, size=resamples)
    last = papers - 1
    return np.minimum(lower * papers, last).astype(np.intp), np.minimum(upper * papers, last).astype(np.intp)


def _medians_without_one(ordered: Array) -> Array:
    papers = len(ordered)
    middle = papers // 2
    if papers % 2 == 0:
        return np.repeat(ordered[[middle, middle - 1]], [middle, middle], axis=0)
    around = ordered[middle - 1 : middle + 2]
    medians = np.array([around[1] + around[2], around[0] + around[2], around[0] + around[1]]) / 2
    return np.repeat(medians, [middle, 1, middle], axis=0)


def _bca(resampled: Array, estimates: Array, left_out: Array, confidence: float) -> list[tuple[float, float]]:
    below = ((resampled < estimates).mean(axis=0) + (resampled <= estimates).mean(axis=0)) / 2
    pulls = left_out.mean(axis=0) - left_out
    squares = (pulls**2).sum(axis=0)
    steep = np.divide((pulls**3).sum(axis=0), 6 * squares**1.5, out=np.zeros_like(squares), where=squares > 0)
    resampled.sort(axis=0)
    return [
        _interval(resampled[:, column], _levels(float(below[column]), float(steep[column]), confidence), estimate)
        for column, estimate in enumerate(estimates)
    ]


def _levels(below: float, steep: float, confidence: float) -> tuple[float, float] | None:
    if not 0 < below < 1:
        return None
    bias = float(ndtri(below))
    ends = [bias + float(ndtri(level)) for level in ((1 - confidence) / 2, (1 + confidence) / 2)]
    low, high = (float(ndtr(bias + end / (1 - steep * end))) for end in ends)
    return low, high


def _interval(ordered: Array, levels: tuple[float, float] | None, estimate: float) -> tuple[float, float]:
    if levels is None:
        return float(estimate), float(estimate)
    last = len(ordered) - 1
    low, high = np.interp([level * last for level in levels], np.arange(len(ordered)), ordered)
    return float(low), float(high)
