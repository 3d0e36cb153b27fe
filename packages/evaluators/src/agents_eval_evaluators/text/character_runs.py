"""How many runs of one to six characters two texts share, counted by sorting numbers."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

LONGEST: Final = 6
MOST_CHARACTERS: Final = 1023
PLAIN: Final = chr(MOST_CHARACTERS)
_BITS: Final = np.uint64(10)
_SIDE: Final = np.uint64(1)
_LENGTH_AT: Final = 61
Numbers = NDArray[np.uint64]


def shared_runs(first: str, second: str) -> Sequence[int] | None:
    """Return for each length from one to six how many runs both texts have, as often as both have them.

    A run becomes one number of 64 bits: its length (3), its characters (10 each) and which text it is of (1). So one
    sort puts equal runs side by side, with no number standing for two runs.

    Returns:
        None where the texts have more than 1,023 different characters together, which do not fit.

    >>> list(shared_runs("abab", "abc"))
    [2, 1, 0, 0, 0, 0]
    """
    if not first or not second:
        return [0] * LONGEST
    if max(first) <= PLAIN and max(second) <= PLAIN:
        return _in_both(_counted_runs(first), _counted_runs(second))
    codes = np.frombuffer((first + second).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    numbered = np.zeros(int(codes.max()) + 1, dtype=np.uint64)
    numbered[codes] = 1
    np.cumsum(numbered, out=numbered)
    if numbered[-1] > MOST_CHARACTERS:
        return None
    small = numbered[codes]
    runs = np.concatenate([*_runs(small[: len(first)], 0), *_runs(small[len(first) :], 1)])
    runs.sort()
    return _shared(runs)


class _Counted(NamedTuple):
    """The different runs of a text in order, and how often it has each."""

    runs: Numbers
    counts: NDArray[np.int64]


@lru_cache(maxsize=64)  # the references of a paper are the same for all its runs
def _counted_runs(text: str) -> _Counted:
    """Count the runs of a text whose characters are their own numbers, so that they compare with any other text's."""
    characters = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32).astype(np.uint64)
    return _Counted(*np.unique(np.concatenate(_runs(characters, 0)), return_counts=True))


def _in_both(first: _Counted, second: _Counted) -> Sequence[int]:
    runs = np.concatenate((first.runs, second.runs))
    order = runs.argsort(
        kind="stable"
    )  # two halves in order are only merged, equal ones the first's before the second's
    ordered = runs[order]
    at = np.flatnonzero(ordered[1:] == ordered[:-1])
    counts = np.minimum(first.counts[order[at]], second.counts[order[at + 1] - len(first.runs)])
    lengths = (ordered[at] >> np.uint64(_LENGTH_AT)).astype(np.int64)
    return [int(count) for count in np.bincount(lengths, counts, LONGEST + 1)[1:]]


def _runs(characters: Numbers, side: int) -> list[Numbers]:
    packed = characters[:0]
    made: list[Numbers] = []
    for length in range(1, min(LONGEST, len(characters)) + 1):
        packed = characters if length == 1 else (packed[:-1] << _BITS) | characters[length - 1 :]
        made.append((packed << _SIDE) | np.uint64((length << _LENGTH_AT) + side))
    return made


def _shared(runs: Numbers) -> Sequence[int]:
    """Return per length (all runs - sum of differences of counts) / 2: what both have, counted once."""
    kinds = runs >> _SIDE
    begins = np.flatnonzero(np.concatenate(([True], kinds[1:] != kinds[:-1])))
    before = np.concatenate(([0], np.cumsum((runs & _SIDE).astype(np.int64))))
    ends = np.append(begins[1:], len(runs))
    differences: NDArray[Any] = np.abs((ends - begins) - 2 * (before[ends] - before[begins]))
    apart = np.concatenate(([0], np.cumsum(differences)))
    borders = [np.uint64(length << _LENGTH_AT) for length in range(1, LONGEST + 1)]
    run_at = [*np.searchsorted(runs, borders).tolist(), len(runs)]
    kind_at = np.searchsorted(begins, run_at)
    return [
        int(run_at[place + 1] - run_at[place] - (apart[kind_at[place + 1]] - apart[kind_at[place]])) // 2
        for place in range(LONGEST)
    ]
