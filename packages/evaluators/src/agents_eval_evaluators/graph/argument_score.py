"""How far the arguments of a call are the expected ones."""

from collections.abc import Mapping, Sequence
from math import fsum
from typing import Any, cast

from agents_eval_evaluators.graph.calls import normal, value_key


def argument_score(expected: Any, given: Any) -> float:
    """Return the share of argument names, expected or given, that have equal values; nested objects by their parts.

    Two calls without arguments agree: 1. Lists are compared whole. Values are compared as JSON, so `1` is not `"1"`.

    References:
        DeepEval, tool correctness with input parameters: equal keys over the union of keys, recursively.

    >>> argument_score({"to": "Rome", "seats": {"adults": 2, "class": "first"}}, {"to": "Rome", "seats": {"adults": 2}})
    0.75
    """
    wanted, found = normal(expected), normal(given)
    if isinstance(wanted, Mapping) and isinstance(found, Mapping):
        first, second = cast("Mapping[str, Any]", wanted), cast("Mapping[str, Any]", found)
        names = first.keys() | second.keys()
        shared = first.keys() & second.keys()
        return fsum(argument_score(first[name], second[name]) for name in shared) / len(names) if names else 1.0
    return float(value_key(wanted) == value_key(found))


def best_argument_scores(expected: Sequence[tuple[str, Any]], called: Sequence[tuple[str, Any]]) -> list[float]:
    """Return the score of each expected call with the call of the same tool that fits it best; 0 without one.

    Each call serves once, the best fit first; equal fits go to the earlier calls.

    >>> calls = [("book", {"to": "Oslo"}), ("book", {"to": "Rome"})]
    >>> best_argument_scores([("book", {"to": "Rome"}), ("pay", {})], calls)
    [1.0, 0.0]
    """
    fits = sorted(
        (-argument_score(wanted, given), place, other)
        for place, (name, wanted) in enumerate(expected)
        for other, (called_name, given) in enumerate(called)
        if name == called_name
    )
    scores = [0.0] * len(expected)
    placed, taken = set[int](), set[int]()
    for negative, place, other in fits:
        if place not in placed and other not in taken:
            placed.add(place)
            taken.add(other)
            scores[place] = -negative
    return scores
