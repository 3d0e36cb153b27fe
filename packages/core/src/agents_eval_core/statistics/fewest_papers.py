"""The number of papers below which nothing can be concluded."""


def fewest_papers(confidence: float = 0.95) -> int:
    """Return the least number of papers that can decide anything at this confidence.

    With n independent pairs, the smallest two-sided p that a test without assumptions about the distribution can reach
    is that of n differences with the same sign: 2 / 2^n. Below that number, an interval that excludes 0 rests on the
    normal distribution alone.

    >>> fewest_papers(0.95), fewest_papers(0.99)
    (6, 8)
    """
    papers = 1
    while 2 / 2**papers > 1 - confidence + 1e-12:
        papers += 1
    return papers
