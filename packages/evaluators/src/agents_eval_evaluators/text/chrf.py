"""chrF: how many runs of one to six characters two texts share."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Tier
from agents_eval_evaluators.text.reference_scores import best_of_references

LONGEST: Final = 6
BETA: Final = 2


def chrf(text: str, reference: str) -> float:
    """Return chrF2 of a text with a reference, from 0 to 1; white space does not count.

    Equal to sacrebleu's `sentence_chrf` over 100 (six characters, no words, beta 2, effective order).

    References:
        Popović (2015), chrF: character n-gram F-score for automatic MT evaluation.

    >>> round(chrf("a good paper", "a bad paper"), 4)
    0.5056
    """
    ours, theirs = _joined(text), _joined(reference)
    precisions: list[float] = []
    recalls: list[float] = []
    for length, shared in enumerate(_shared(ours, theirs), start=1):
        if len(ours) >= length <= len(theirs):
            precisions.append(shared / (len(ours) - length + 1))
            recalls.append(shared / (len(theirs) - length + 1))
    return _f_score(precisions, recalls)


@lru_cache(maxsize=64)  # the references of a paper are the same for all its runs
def _joined(text: str) -> str:
    return "".join(text.split())


def _shared(ours: str, theirs: str) -> Sequence[int]:
    from agents_eval_evaluators.text.character_runs import shared_runs  # noqa: PLC0415  numpy; others are spared it

    found = shared_runs(ours, theirs)
    return tuple(_counted(ours, theirs)) if found is None else found


def _counted(ours: str, theirs: str) -> Iterator[int]:
    """Yield the same for texts of many different characters, such as those in Chinese."""
    for length in range(1, LONGEST + 1):
        first, second = (
            Counter(text[start : start + length] for start in range(len(text) - length + 1)) for text in (ours, theirs)
        )
        yield (first & second).total()


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
