"""All that the values of one metric on two sides say about their difference."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from statistics import median

from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.statistics.bootstrap import BootstrapIntervals, bootstrap_intervals
from agents_eval_core.statistics.clustered import ClusteredMean, clustered_mean
from agents_eval_core.statistics.effect import standardised_difference, superiority, superiority_unpaired
from agents_eval_core.statistics.equivalence import equivalence_p, non_inferiority_p
from agents_eval_core.statistics.mcnemar import mcnemar_p
from agents_eval_core.statistics.paired import difference_p, paired_difference
from agents_eval_core.statistics.paper_sums import PaperSums, paper_sums
from agents_eval_core.statistics.sign_flip import sign_flip_ps
from agents_eval_core.statistics.unpaired import relabelling_p, unpaired_difference
from agents_eval_core.statistics.variance import VarianceSplit, variance_split
from agents_eval_core.statistics.wilcoxon import wilcoxon_p

NO_INTERVALS = BootstrapIntervals(mean=None, median=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedValues:
    """Pairs of a baseline's and a candidate's value, each with its paper.

    Attributes:
        is_bounded: Whether the values lie in [0, 1]; times and costs do not.
    """

    values: Sequence[tuple[float, float]]
    papers: Sequence[Hashable]
    is_bounded: bool = True

    @property
    def differences(self) -> list[float]:
        """The candidate's value minus the baseline's."""
        return [candidate - baseline for baseline, candidate in self.values]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What is known of a difference, candidate minus baseline.

    Attributes:
        estimate: With its clustered t interval; None with fewer than two papers.
        median: Of the papers' mean differences.
        t_p: Two-sided, of the same model as the interval.
        permutation_p: Of the sign-flip test; for unpaired values, of the exchange of papers between the sides.
        mcnemar_p: Only for passes and failures, one pair a paper.
        effect: Standardised mean difference.
        equivalence_p: Of two one-sided tests; None where no margin was stated.
    """

    estimate: ClusteredMean | None = None
    median: float | None = None
    bootstrap: BootstrapIntervals = NO_INTERVALS
    t_p: float = 1.0
    permutation_p: float = 1.0
    wilcoxon_p: float | None = None
    mcnemar_p: float | None = None
    effect: float | None = None
    superiority: float | None = None
    equivalence_p: float | None = None
    non_inferiority_p: float | None = None
    variance: VarianceSplit | None = None

    @property
    def p(self) -> float:
        """What a conclusion rests on: the larger of the two, since t leans on the normal distribution with few papers.

        The other tests stand beside it and decide nothing: choosing among tests afterwards is how chance gets in.
        """
        return max(self.t_p, self.permutation_p)


def paired_evidence(
    series: Sequence[PairedValues], *, margin: float | None = None, confidence: float = 0.95
) -> list[Evidence]:
    """Return the evidence of each series; what is drawn at random is shared by those of the same number of papers.

    Args:
        series: Each may be empty.
        margin: The smallest difference that matters, for values in [0, 1].
        confidence: Of the intervals.
    """
    sums = [paper_sums(each.differences, each.papers) for each in series]
    flipped = sign_flip_ps([each.sums for each in sums])
    resampled = bootstrap_intervals(sums, confidence)
    return [
        _evidence(each, of_papers, (flip, intervals), margin=margin, confidence=confidence)
        for each, of_papers, flip, intervals in zip(series, sums, flipped, resampled, strict=True)
    ]


def unpaired_evidence(
    baseline: Sequence[float],
    baseline_papers: Sequence[Hashable],
    candidate: Sequence[float],
    candidate_papers: Sequence[Hashable],
    *,
    margin: float | None = None,
    confidence: float = 0.95,
    is_bounded: bool = True,
) -> Evidence:
    """Return the evidence of two sides whose runs have no partners: Welch's interval on clustered errors.

    Args:
        baseline: The values of one side.
        baseline_papers: The paper of each, in the same order.
        candidate: Those of the other side.
        candidate_papers: Their papers.
        margin: The smallest difference that matters, for values in [0, 1].
        confidence: Of the interval.
        is_bounded: Whether the values lie in [0, 1]; times and costs do not.
    """
    means = [paper_sums(*side).means for side in ((baseline, baseline_papers), (candidate, candidate_papers))]
    try:
        found = unpaired_difference(
            baseline, baseline_papers, candidate, candidate_papers, confidence, is_bounded=is_bounded
        )
    except UndefinedMetricError:
        return Evidence()
    estimate = ClusteredMean(
        mean=found.mean,
        standard_error=found.standard_error,
        low=found.low,
        high=found.high,
        n=len(baseline) + len(candidate),
        clusters=found.papers,
    )
    return Evidence(
        estimate=estimate,
        median=median(means[1]) - median(means[0]),
        t_p=found.p,
        permutation_p=relabelling_p(*means),
        superiority=superiority_unpaired(*means),
        equivalence_p=None if margin is None else equivalence_p(estimate, margin),
        non_inferiority_p=None if margin is None else non_inferiority_p(estimate, margin),
    )


def _evidence(
    pairs: PairedValues,
    of_papers: PaperSums,
    resampled: tuple[float, BootstrapIntervals],
    *,
    margin: float | None,
    confidence: float,
) -> Evidence:
    differences, means = pairs.differences, of_papers.means
    estimate = _estimate(pairs, confidence)
    if estimate is None:
        return Evidence(median=median(means) if means else None, superiority=superiority(means))
    against = margin if pairs.is_bounded else None
    return Evidence(
        estimate=estimate,
        median=median(means),
        bootstrap=resampled[1],
        t_p=difference_p(estimate),
        permutation_p=resampled[0],
        wilcoxon_p=wilcoxon_p(means),
        mcnemar_p=_mcnemar(pairs, of_papers),
        effect=standardised_difference(means),
        superiority=superiority(means),
        equivalence_p=None if against is None else equivalence_p(estimate, against),
        non_inferiority_p=None if against is None else non_inferiority_p(estimate, against),
        variance=variance_split(differences, pairs.papers),
    )


def _estimate(pairs: PairedValues, confidence: float) -> ClusteredMean | None:
    try:
        if pairs.is_bounded:
            return paired_difference(pairs.differences, pairs.papers, confidence)
        found = clustered_mean(pairs.differences, pairs.papers, confidence)
    except UndefinedMetricError:
        return None
    return None if found.is_constant else found


def _mcnemar(pairs: PairedValues, of_papers: PaperSums) -> float | None:
    is_binary = all(value in (0.0, 1.0) for both in pairs.values for value in both)
    if not is_binary or any(size > 1 for size in of_papers.sizes):
        return None
    return mcnemar_p(sum(each > 0 for each in of_papers.sums), sum(each < 0 for each in of_papers.sums))
