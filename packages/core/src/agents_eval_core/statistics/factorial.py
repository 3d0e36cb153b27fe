"""What each part of a system adds, from runs with every combination of parts: main effects, interactions, Shapley."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import factorial, fsum

Parts = frozenset[str]


def subsets(parts: Sequence[str]) -> tuple[Parts, ...]:
    """Return all combinations of parts, the smaller first.

    >>> [sorted(subset) for subset in subsets(["a", "b"])]
    [[], ['a'], ['b'], ['a', 'b']]
    """
    return tuple(frozenset(chosen) for size in range(len(parts) + 1) for chosen in combinations(parts, size))


def shapley_value(values: Mapping[Parts, float], parts: Sequence[str], part: str) -> float:
    """Return what a part adds, averaged over all orders in which the parts could join.

    The values of all parts sum to the value of the whole minus that of nothing.

    References:
        Shapley, "A value for n-person games" (1953).

    >>> values = {frozenset(): 0.0, frozenset("a"): 1.0, frozenset("b"): 2.0, frozenset("ab"): 5.0}
    >>> shapley_value(values, "ab", "a"), shapley_value(values, "ab", "b")
    (2.0, 3.0)
    """
    size = len(parts)
    return fsum(
        factorial(len(without)) * factorial(size - 1 - len(without)) / factorial(size)
        * (values[without | {part}] - values[without])
        for without in subsets([each for each in parts if each != part])
    )  # fmt: skip


def factorial_effect(values: Mapping[Parts, float], parts: Sequence[str], of: Parts) -> float:
    """Return a main effect (one part) or an interaction (several) of a two-level factorial design.

    A main effect is the mean with the part minus the mean without it. An interaction of two is half of how much more
    the one adds where the other is present; of three accordingly, so that all
    effects are on the scale of a main effect.

    References:
        Box, Hunter and Hunter, Statistics for Experimenters (2005), chapter 5.

    >>> values = {frozenset(): 0.0, frozenset("a"): 1.0, frozenset("b"): 2.0, frozenset("ab"): 5.0}
    >>> [factorial_effect(values, "ab", frozenset(of)) for of in ("a", "b", "ab")]
    [2.0, 3.0, 1.0]
    """
    signed = (
        value if len(of - present) % 2 == 0 else -value
        for present, value in ((subset, values[subset]) for subset in subsets(parts))
    )
    return fsum(signed) / 2 ** (len(parts) - 1)
