"""What tier 1 costs: all of it for one review and three references, a batch of 500, and ROUGE and chrF beside others.

python benchmarks/text_metrics.py
"""

import asyncio
import time
import warnings
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from statistics import fmean, median
from typing import Any, cast

from agents_eval_core import registry
from agents_eval_core.case import Case
from agents_eval_core.paper import Paper, Section
from agents_eval_core.ports.evaluator import EvaluationContext, Evaluator
from agents_eval_core.registry import BrokenPlugin
from agents_eval_core.review import HumanReview
from agents_eval_core.run import Run, System
from agents_eval_evaluators.calibration.agreement_table import shipped_table
from agents_eval_evaluators.text.chrf import chrf
from agents_eval_evaluators.text.rouge import rouge

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # the libraries' own
    import sacrebleu
    from rouge_score.rouge_scorer import RougeScorer  # pyright: ignore[reportMissingTypeStubs]  it has none

WORDS = 380  # the median human review of NeurIPS 2025
REFERENCES = 3
WARM = 100
BATCH = 500
PAIRS = 60
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
COMMON = ("the", "of", "and", "to", "is", "that", "this", "it", "with", "not", "but", "as", "they", "however", "paper")


def prose(count: int, seed: int) -> str:
    """Return so many words in sentences: every second one common, the others of the table's own vocabulary."""
    vocabulary = sorted(shipped_table().words.document_frequency)
    rare = (vocabulary[(seed * 7919 + place * place * 31 + place * 17) % len(vocabulary)] for place in range(count))
    said = [COMMON[(seed + place * 7) % len(COMMON)] if place % 2 else word for place, word in enumerate(rare)]
    lines = (" ".join(said[start : start + 18]).capitalize() + "." for start in range(0, count, 18))
    return " ".join(lines)


def a_run(seed: int) -> Run:
    """Return a review of one paper with full text and three references; another review for each seed."""
    sections = tuple(Section(heading=f"{number} Part", text=prose(800, number)) for number in range(10))
    paper = Paper(id="p", dataset="d", venue="iclr_2017", title=prose(9, 1), abstract=prose(180, 2), sections=sections)
    references = tuple(HumanReview(id=str(n), text=prose(WORDS, 50 + n)) for n in range(REFERENCES))
    return Run(
        id=f"r{seed}",
        status="complete",
        case=Case(id="p", paper=paper, references=references),
        system=System(engine="mas", agents=("manager",)),
        output_text=prose(WORDS, 1000 + seed),
        created_at=NOON,
    )


def tier_1() -> list[Evaluator]:
    """Return the installed evaluators of tier 1."""
    found = (plugin for plugin in registry.evaluators() if not isinstance(plugin, BrokenPlugin))
    return [plugin for plugin in found if plugin.tier == 1]


def milliseconds(runs: Sequence[Run], evaluators: Sequence[Evaluator]) -> list[float]:
    """Return the CPU time of each run, the references of its paper known."""
    context = EvaluationContext()

    async def evaluate(run: Run) -> None:
        for evaluator in evaluators:
            await evaluator.evaluate(run, context)

    times: list[float] = []
    with asyncio.Runner() as runner:
        runner.run(evaluate(a_run(-1)))
        for run in runs:
            start = time.process_time()
            runner.run(evaluate(run))
            times.append(1000 * (time.process_time() - start))
    return times


def ratio(theirs: Callable[[str, str], object], ours: Callable[[str, str], object]) -> float:
    """Return how many times as long theirs takes for reviews against three references each."""
    pairs = [
        (prose(WORDS, 2000 + place // REFERENCES), prose(WORDS, 50 + place % REFERENCES)) for place in range(PAIRS)
    ]
    taken: list[float] = []
    for work in (theirs, ours):
        work(*pairs[0])
        start = time.process_time()
        for text, reference in pairs:
            work(text, reference)
        taken.append(time.process_time() - start)
    return taken[0] / taken[1]


def main() -> None:
    """Print what was measured, and the limits."""
    evaluators = tier_1()
    warm = sorted(milliseconds([a_run(seed) for seed in range(WARM)], evaluators))
    batch = milliseconds([a_run(WARM + seed) for seed in range(BATCH)], evaluators)
    scorer = cast("Any", RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=False))
    their_chrf = cast("Any", sacrebleu).CHRF()
    rouge_ratio = ratio(lambda text, reference: scorer.score(reference, text), rouge)
    chrf_ratio = ratio(lambda text, reference: their_chrf.sentence_score(text, [reference]), chrf)
    for name, value, unit, limit in (
        ("tier 1, one review, median", median(warm), "ms", "at most 8"),
        ("tier 1, one review, 95th percentile", warm[int(0.95 * len(warm))], "ms", "at most 15"),
        (f"a batch of {BATCH}, each", fmean(batch), "ms", "at most 5"),
        ("ROUGE, times as fast as rouge-score", rouge_ratio, "", "at least 25"),
        ("chrF, times as fast as sacrebleu", chrf_ratio, "", "at least 5"),
    ):
        print(f"{name:40} {value:8.2f} {unit:3} {limit}")
    for evaluator in evaluators:
        each = fmean(milliseconds([a_run(seed) for seed in range(5000, 5020)], [evaluator]))
        print(f"  {evaluator.name:38} {each:8.2f} ms")


if __name__ == "__main__":
    main()
