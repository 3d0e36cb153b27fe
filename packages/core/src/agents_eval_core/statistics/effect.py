"""How large a difference is, apart from how certain it is."""

from collections.abc import Sequence
from math import fsum, sqrt

from agents_eval_core.statistics.clustered import NO_SPREAD


def standardised_difference(differences: Sequence[float]) -> float | None:
    """Return the mean of the papers' differences in standard deviations of them (d_z), corrected for few papers.

    The correction is Hedges' 1 - 3 / (4 (n - 1) - 1). None with fewer than three papers or without spread.

    References:
        Lakens, "Calculating and reporting effect sizes", Frontiers in Psychology 4 (2013).

    >>> round(standardised_difference([0.1, 0.3, 0.2, 0.2]) or 0, 2)
    1.78
    """
    papers = len(differences)
    if papers < 3:  # noqa: PLR2004  the correction is not defined for two
        return None
    mean = fsum(differences) / papers
    deviation = sqrt(fsum((each - mean) ** 2 for each in differences) / (papers - 1))
    if deviation < NO_SPREAD:
        return None
    return mean / deviation * (1 - 3 / (4 * (papers - 1) - 1))


def superiority(differences: Sequence[float]) -> float | None:
    """Return the probability that the candidate does better on a paper; equal papers count half. None without papers.

    References:
        Vargha and Delaney, "A critique and improvement of the CL common language effect size statistics" (2000).

    >>> superiority([0.1, 0.2, 0.0, -0.1])
    0.625
    """
    if not differences:
        return None
    return fsum(0.5 if abs(each) < NO_SPREAD else float(each > 0) for each in differences) / len(differences)


def superiority_unpaired(baseline: Sequence[float], candidate: Sequence[float]) -> float | None:
    """Return the probability that a paper of the candidate does better than a paper of the baseline, ties half.

    >>> superiority_unpaired([0.1, 0.2], [0.2, 0.3])
    0.875
    """
    return superiority([better - than for better in candidate for than in baseline])
