"""BLEU: how many runs of one to four words a text has from its references."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, fsum, log
from typing import Final

from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Measure, Tier
from agents_eval_evaluators.scoring import measured
from agents_eval_evaluators.text.reference_scores import MEANING, texts_to_compare, without_references

LONGEST: Final = 4
# The tokeniser of mteval-v13a: these characters stand alone, then one rule after the other.
_ALONE: Final = str.maketrans({character: f" {character} " for character in '{|}~[\\]^_`!"#$%&()*+:;<=>?@/'})
_RULES: Final = (
    (re.compile(r"([^0-9])([\.,])"), r"\1 \2 "),
    (re.compile(r"([\.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)
_ENTITIES: Final = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Counted:
    runs: Counter[tuple[str, ...]]
    length: int


def tokens(text: str) -> tuple[str, ...]:
    """Return the tokens of a text as mteval-v13a cuts them, case kept.

    >>> tokens("It isn't 3.5, is it?")
    ('It', "isn't", '3.5', ',', 'is', 'it', '?')
    """
    line = text.rstrip().replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, character in _ENTITIES:
        line = line.replace(entity, character)
    line = f" {line} ".translate(_ALONE)
    for pattern, replacement in _RULES:
        line = pattern.sub(replacement, line)
    return tuple(line.split())


@lru_cache(maxsize=64)  # the references of a paper are the same for all its runs
def _counted(text: str) -> _Counted:
    found = tokens(text)
    runs: Counter[tuple[str, ...]] = Counter()
    for length in range(1, LONGEST + 1):
        runs.update(zip(*(found[start:] for start in range(length)), strict=False))
    return _Counted(runs=runs, length=len(found))


def bleu(text: str, references: Sequence[str]) -> float:
    """Return BLEU-4 of a text with its references, from 0 to 1.

    Equal to sacrebleu's `sentence_bleu` over 100: tokeniser 13a, exponential smoothing, effective order. Nothing
    shared, or no words, is 0.

    References:
        Papineni et al. (2002); Post (2018), A call for clarity in reporting BLEU scores.

    >>> round(bleu("the cat sat on the mat", ["the cat sat on a mat"]), 4)
    0.5373
    """
    ours = _counted(text)
    theirs = [_counted(reference) for reference in references]
    most: Counter[tuple[str, ...]] = Counter()
    for counted in theirs:
        for run in counted.runs.keys() & ours.runs.keys():
            most[run] = max(most[run], counted.runs[run])
    correct = [0] * LONGEST
    for run, count in most.items():
        correct[len(run) - 1] += min(count, ours.runs[run])
    if not any(correct):
        return 0.0
    nearest = min((counted.length for counted in theirs), key=lambda length: (abs(length - ours.length), length))
    brevity = exp(1 - nearest / ours.length) if ours.length < nearest else 1.0
    return brevity * exp(_mean_log_precision(correct, ours.length))


def _mean_log_precision(correct: Sequence[int], length: int) -> float:
    logs: list[float] = []
    smoothing = 1
    for order, count in enumerate(correct):
        total = length - order
        if total <= 0:
            break
        if count == 0:
            smoothing *= 2
        logs.append(log(count / total) if count else -log(smoothing * total))
    return fsum(logs) / len(logs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bleu:
    """Scores a text by `bleu` with all references together."""

    name: str = "bleu"
    version: str = "1"
    tier: Tier = 1
    metrics: tuple[str, ...] = ("bleu",)

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Compare the output with the references."""
        references = texts_to_compare(run)
        absent = without_references(self, run, references)
        if absent is not None:
            return absent
        return measured(
            self,
            bleu(run.text, references),
            explanation=f"with {len(references)} references together; {MEANING}",
            measures=(Measure(name="references", value=len(references), unit="texts"),),
        )
