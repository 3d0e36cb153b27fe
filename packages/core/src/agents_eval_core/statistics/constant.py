"""What can be said about a mean when every cluster gave the same value."""


def constant_interval(
    value: float, clusters: int, *, lowest: float, highest: float, confidence: float = 0.95
) -> tuple[float, float]:
    """Return an interval for the mean of a bounded quantity that was the same in all clusters seen.

    A t interval would have width 0, a certainty that a few equal values do not give. That n clusters of n agree leaves
    room for a share of 1 - (1 - confidence)^(1/n) of clusters that differ (the exact binomial bound for 0 of n; at 95 %
    about 3/n, the "rule of three"), and those may lie at either end of the range.

    Args:
        value: What all clusters gave, between `lowest` and `highest`.
        clusters: How many there are, at least 1.
        lowest: The least value the quantity can have.
        highest: The greatest.
        confidence: Between 0 and 1, both excluded.

    References:
        Hanley and Lippman-Hand, "If nothing goes wrong, is everything all right?", JAMA 249 (1983).

    >>> low, high = constant_interval(0.1, 100, lowest=-1, highest=1)
    >>> round(low, 2), round(high, 2)
    (0.07, 0.13)
    """
    differing = 1 - (1 - confidence) ** (1 / clusters)
    return value + differing * (lowest - value), value + differing * (highest - value)
