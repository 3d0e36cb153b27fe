"""Whether the calls made are the calls expected, by the seven questions that are in use."""

from collections.abc import Hashable, Sequence


def exact_match(expected: Sequence[Hashable], called: Sequence[Hashable]) -> bool:
    """Whether the calls are the expected ones, in their order, and no others (ADK, Vertex, Azure: exact match).

    >>> exact_match("abc", "abc"), exact_match("abc", "acb"), exact_match("", "")
    (True, False, True)
    """
    return list(expected) == list(called)


def in_order_match(expected: Sequence[Hashable], called: Sequence[Hashable]) -> bool:
    """Whether the expected calls were made in their order, others allowed between (ADK, Vertex, Azure: in order).

    Where nothing is expected, any calls will do, as in ADK.

    >>> in_order_match("abc", "axbc"), in_order_match("abc", "acb"), in_order_match("", "a")
    (True, False, True)
    """
    rest = iter(called)
    return all(wanted in rest for wanted in expected)


def any_order_match(expected: Sequence[Hashable], called: Sequence[Hashable]) -> bool:
    """Whether each expected call was made, as often as expected, others allowed (ADK, Vertex, Azure: any order).

    >>> any_order_match("aab", "baca"), any_order_match("aab", "ab")
    (True, False)
    """
    return unmatched(expected, called) == 0


def superset_match(expected: Sequence[Hashable], called: Sequence[Hashable]) -> bool:
    """Whether the calls hold the expected ones (agentevals: superset); it is `any_order_match` by another name."""
    return any_order_match(expected, called)


def subset_match(expected: Sequence[Hashable], called: Sequence[Hashable]) -> bool:
    """Whether no call was made that is not expected, each as often at most (agentevals: subset).

    >>> subset_match("aab", "ab"), subset_match("aab", "abc")
    (True, False)
    """
    return any_order_match(called, expected)


def unordered_match(expected: Sequence[Hashable], called: Sequence[Hashable]) -> bool:
    """Whether the calls are the expected ones in any order, each as often (agentevals: unordered).

    >>> unordered_match("aab", "baa"), unordered_match("ab", "aab")
    (True, False)
    """
    return len(expected) == len(called) and any_order_match(expected, called)


def strict_match(expected: Sequence[Hashable], turns: Sequence[Sequence[Hashable]]) -> bool:
    """Whether the calls are the expected ones in order, those of one turn in any order (agentevals: strict).

    A turn is what one reply of the model asked for; the expected calls are cut as the turns made are.

    >>> strict_match("abc", ["a", "cb"]), strict_match("abc", ["b", "ac"]), strict_match("abc", ["a", "b"])
    (True, False, False)
    """
    start = 0
    for turn in turns:
        if not unordered_match(expected[start : start + len(turn)], turn):
            return False
        start += len(turn)
    return start == len(expected)


def unmatched(expected: Sequence[Hashable], called: Sequence[Hashable]) -> int:
    """Return how many expected calls have no call of their own."""
    left: dict[Hashable, int] = {}
    for call in called:
        left[call] = left.get(call, 0) + 1
    missing = 0
    for wanted in expected:
        if left.get(wanted, 0):
            left[wanted] -= 1
        else:
            missing += 1
    return missing
