"""ROUGE: how many words, pairs of words, and words in order two texts share."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any, Final, Protocol

from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Measure, Score, Tier
from agents_eval_evaluators.scoring import score, silent
from agents_eval_evaluators.text.reference_scores import MEANING, texts_to_compare, without_references

MOST_COMPARISONS: Final = 5e10  # pairs of words; about half a second
METRICS: Final = ("rouge_1", "rouge_2", "rouge_l")
_TOKEN: Final = re.compile(r"[a-z0-9]+")


class _Similarity(Protocol):
    def __call__(self, first: Sequence[Any], second: Sequence[Any], /) -> float: ...


@cache
def _common_subsequence() -> _Similarity:
    from rapidfuzz.distance.LCSseq import similarity  # noqa: PLC0415  30 ms that other tasks are spared

    return similarity


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlap:
    """Precision, recall and their harmonic mean."""

    precision: float
    recall: float

    @property
    def f_measure(self) -> float:
        """The harmonic mean; 0 where nothing is shared."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total > 0 else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tokens:
    in_order: tuple[str, ...]
    single: Counter[str]
    paired: Counter[tuple[str, str]]


@lru_cache(maxsize=64)  # the references of a paper are the same for all its runs
def _tokens(text: str) -> _Tokens:
    found = tuple(_TOKEN.findall(text.lower()))
    return _Tokens(in_order=found, single=Counter(found), paired=Counter(pairwise(found)))


def rouge(text: str, reference: str) -> dict[str, Overlap]:
    """Return ROUGE-1, ROUGE-2 and ROUGE-L of a text with a reference, without stemming.

    Equal to rouge-score 0.1.2 with `use_stemmer=False`. A text without words shares nothing.

    Raises:
        UndefinedMetricError: The texts are too long for the longest common subsequence.

    References:
        Lin (2004), ROUGE: a package for automatic evaluation of summaries.

    >>> {name: round(overlap.f_measure, 3) for name, overlap in rouge("the cat sat", "the cat ran").items()}
    {'rouge_1': 0.667, 'rouge_2': 0.5, 'rouge_l': 0.667}
    """
    ours, theirs = _tokens(text), _tokens(reference)
    if len(ours.in_order) * len(theirs.in_order) > MOST_COMPARISONS:
        raise UndefinedMetricError("rouge_l", because=f"{len(ours.in_order)} words take too long to align")
    common = _common_subsequence()(ours.in_order, theirs.in_order)
    return {
        "rouge_1": _of_counts(ours.single, theirs.single),
        "rouge_2": _of_counts(ours.paired, theirs.paired),
        "rouge_l": _overlap(common, len(ours.in_order), len(theirs.in_order)),
    }


def _of_counts(ours: Counter[Any], theirs: Counter[Any]) -> Overlap:
    shared = sum(min(ours[item], theirs[item]) for item in ours.keys() & theirs.keys())
    return _overlap(shared, ours.total(), theirs.total())


def _overlap(shared: float, ours: int, theirs: int) -> Overlap:
    return Overlap(precision=shared / max(ours, 1), recall=shared / max(theirs, 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rouge:
    """Scores a text by `rouge`: for each variant, the F-measure with the reference where it is highest."""

    name: str = "rouge"
    version: str = "1"
    tier: Tier = 1
    metrics: tuple[str, ...] = METRICS

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Compare the output with each reference."""
        references = texts_to_compare(run)
        absent = without_references(self, run, references)
        if absent is not None:
            return absent
        try:
            found = [rouge(run.text, reference) for reference in references]
        except UndefinedMetricError as problem:
            return silent(self, "not_measured", str(problem))
        return Evaluation(scores=tuple(self._score(name, [overlaps[name] for overlaps in found]) for name in METRICS))

    def _score(self, name: str, overlaps: Sequence[Overlap]) -> Score:
        best = max(overlaps, key=lambda overlap: overlap.f_measure)
        return score(
            self,
            name,
            value=best.f_measure,
            explanation=f"the best of {len(overlaps)} references; {MEANING}",
            measures=(
                Measure(name=f"{name}_precision", value=best.precision),
                Measure(name=f"{name}_recall", value=best.recall),
            ),
        )
