"""McNemar's test for pairs of passes and failures."""

from typing import Final

from scipy.special import bdtr, chdtrc  # pyright: ignore[reportMissingTypeStubs]  scipy has none

EXACT_BELOW: Final = 25


def mcnemar_p(gained: int, lost: int) -> float:
    """Return the two-sided p-value of McNemar's test from the papers whose outcome differs between the sides.

    It is the exact binomial below 25 such papers, else chi-squared with continuity correction.

    Args:
        gained: Papers that only the candidate passed.
        lost: Papers that only the baseline passed.

    Returns:
        In (0, 1]; 1 where none differs.

    References:
        McNemar, "Note on the sampling error of the difference between correlated proportions" (1947).

    >>> mcnemar_p(6, 0), mcnemar_p(0, 0)
    (0.03125, 1.0)
    """
    differing = gained + lost
    if not differing:
        return 1.0
    if differing < EXACT_BELOW:
        return min(1.0, 2 * float(bdtr(min(gained, lost), differing, 0.5)))
    return float(chdtrc(1, (abs(gained - lost) - 1) ** 2 / differing))
