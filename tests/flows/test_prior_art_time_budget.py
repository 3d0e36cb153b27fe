"""The text metrics keep their own time limit: on the longest real paper, with all of its reviews, by default."""

import asyncio
import time
from pathlib import Path

import pytest

from agents_eval_core import registry
from agents_eval_core.evaluation import evaluate
from agents_eval_core.ports.engine import EngineOptions
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.settings import Settings


@pytest.fixture(scope="module")
def longest(peerread: Path) -> Run:
    """Return a run on the paper with the most text, its longest human review in the place of the agents'."""
    file = max((peerread / "neurips_2025").glob("*/parsed_pdfs/*.json"), key=lambda file: file.stat().st_size)
    case = registry.dataset("peerread").case(f"neurips_2025/{file.name.removesuffix('.pdf.json')}", peerread)
    options = EngineOptions(run_id="r", composition="manager")
    run = asyncio.run(registry.engine("mas").run(case.for_agents(), options)).run
    first, *others = sorted(case.references, key=lambda review: len(review.text), reverse=True)
    return run.changed(case=case.changed(references=tuple(others)), output=None, output_text=first.text)


async def test_the_longest_real_paper_is_scored_within_the_default_limits(longest: Run) -> None:
    assert longest.case.paper is not None
    assert len(longest.case.paper.text) > 50_000
    card = await evaluate(longest, settings=Settings(), context=EvaluationContext(), tiers=[1])
    assert not [score for score in card.scores if score.reason == "failed"]
    for metric in ("output_similarity", "task_success"):
        score = card.score(metric)
        assert score is not None
        assert score.value is not None


async def test_the_time_grows_with_the_length_and_not_with_its_square(longest: Run) -> None:
    async def cpu_seconds(run: Run) -> float:
        fastest = float("inf")
        for _ in range(3):
            began = time.process_time()
            await evaluate(run, settings=Settings(), context=EvaluationContext(), tiers=[1])
            fastest = min(fastest, time.process_time() - began)
        return fastest

    await cpu_seconds(longest)
    review = longest.text
    once, eightfold = [await cpu_seconds(longest.changed(output_text=review * times)) for times in (1, 8)]
    assert eightfold < 24 * once
