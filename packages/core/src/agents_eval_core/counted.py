"""Numbers with their nouns, and shares as percentages."""


def count(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> count(1, "paper"), count(3, "paper"), count(10_000, "run")
    ('1 paper', '3 papers', '10,000 runs')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def percent(share: float) -> str:
    """Return a share as a whole percentage.

    >>> percent(0.054)
    '5 %'
    """
    return f"{100 * share:.0f} %"
