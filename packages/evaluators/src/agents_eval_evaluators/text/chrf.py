"""chrF: how many runs of one to six characters two texts share."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from agents_eval_core.ports import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Tier
from agents_eval_evaluators.text.reference_scores import best_of_references

LONGEST: Final = 6
BETA: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class _Runs:
    """The runs of one length: which there are, how often beyond once, and how many in all."""

    distinct: frozenset[str]
    repeated: Mapping[str, int]
    total: int


@lru_cache(maxsize=32)  # the references of a paper are the same for all its runs
def _runs(text: str) -> tuple[_Runs, ...]:
    joined = "".join(text.split())
    return tuple(_runs_of(joined, length) for length in range(1, LONGEST + 1))


def _runs_of(joined: str, length: int) -> _Runs:
    counts = Counter([joined[start : start + length] for start in range(len(joined) - length + 1)])
    return _Runs(
        distinct=frozenset(counts),
        repeated={run: count - 1 for run, count in counts.items() if count > 1},
        total=max(0, len(joined) - length + 1),
    )


def chrf(text: str, reference: str) -> float:
    """Return chrF2 of a text with a reference, from 0 to 1; white space does not count.

    Equal to sacrebleu's `sentence_chrf` over 100 (six characters, no words, beta 2, effective order).

    References:
        Popović (2015), chrF: character n-gram F-score for automatic MT evaluation.

    >>> round(chrf("a good paper", "a bad paper"), 4)
    0.5056
    """
    precisions: list[float] = []
    recalls: list[float] = []
    for ours, theirs in zip(_runs(text), _runs(reference), strict=True):
        if ours.total and theirs.total:
            shared = _shared(ours, theirs)
            precisions.append(shared / ours.total)
            recalls.append(shared / theirs.total)
    return _f_score(precisions, recalls)


def _shared(ours: _Runs, theirs: _Runs) -> int:
    # A run that both have counts once, and for the repetitions that both have: so most of it is one set operation.
    again = ours.repeated.keys() & theirs.repeated.keys()
    return len(ours.distinct & theirs.distinct) + sum(min(ours.repeated[run], theirs.repeated[run]) for run in again)


def _f_score(precisions: Sequence[float], recalls: Sequence[float]) -> float:
    if not any(precisions):
        return 0.0
    precision, recall = sum(precisions) / len(precisions), sum(recalls) / len(recalls)
    return (1 + BETA**2) * precision * recall / (BETA**2 * precision + recall)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chrf:
    """Scores a text by its best `chrf` with a reference."""

    name: str = "chrf"
    version: str = "1"
    tier: Tier = 1
    metrics: tuple[str, ...] = ("chrf",)

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Compare the output with each reference."""
        return best_of_references(self, run, chrf)
