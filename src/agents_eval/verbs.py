"""The three verbs, with the user's settings read where none are given."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from agents_eval_core.case import Case
from agents_eval_core.comparison import Comparison
from agents_eval_core.ports.engine import Progress
from agents_eval_core.score import Tier
from agents_eval_core.settings import Settings, load_settings
from agents_eval_core.use_cases import compare_runs as comparing
from agents_eval_core.use_cases import evaluate_trace as evaluating
from agents_eval_core.use_cases import run_review as reviewing
from agents_eval_core.use_cases.evaluate_trace import EvaluatedRun


async def run_review(
    paper: str | Path,
    *,
    dataset: str | None = None,
    data_dir: str | Path | None = None,
    references: Sequence[str | Path] = (),
    composition: str | None = None,
    engine: str = "mas",
    provider: str | None = None,
    model: str | None = None,
    critic: bool = False,
    query: str = "",
    prompts_dir: str | Path | None = None,
    judge: str | None = None,
    evaluate: bool = True,
    on_progress: Callable[[Progress], None] = lambda _: None,
    settings: Settings | None = None,
) -> EvaluatedRun:
    """Let agents review a paper of a dataset or in a file, keep the run, and evaluate it.

    See `agents_eval_core.use_cases.run_review`.
    """
    return await reviewing.run_review(
        paper,
        settings=settings or load_settings(Path.cwd()),
        dataset=dataset,
        data_dir=_path(data_dir),
        references=[Path(reference) for reference in references],
        composition=composition,
        engine=engine,
        provider=provider,
        model=model,
        critic=critic,
        query=query,
        prompts_dir=_path(prompts_dir),
        judge=judge,
        evaluate=evaluate,
        on_progress=on_progress,
    )


async def evaluate_trace(
    source: str | Path,
    *,
    tiers: Sequence[Tier] | None = None,
    judge: str | None = None,
    trace_format: str | None = None,
    trace_id: str | None = None,
    case: str | Path | Case | None = None,
    settings: Settings | None = None,
) -> EvaluatedRun:
    """Return the scorecard of a run directory, a trace file or a stored run, held against a case where one is given."""
    return await evaluating.evaluate_trace(
        source,
        settings=settings or load_settings(Path.cwd()),
        tiers=tiers,
        judge=judge,
        trace_format=trace_format,
        trace_id=trace_id,
        case=case,
    )


async def compare_runs(
    *selectors: str,
    metrics: Sequence[str] | None = None,
    margin: float | None = None,
    paired: bool = True,
    confidence: float = 0.95,
    settings: Settings | None = None,
) -> Comparison:
    """Compare sets of runs, each candidate with the baseline named before it.

    See `agents_eval_core.use_cases.compare_runs`.
    """
    return await comparing.compare_runs(
        selectors,
        settings=settings or load_settings(Path.cwd()),
        metrics=metrics,
        margin=margin,
        paired=paired,
        confidence=confidence,
    )


def run_review_sync(paper: str | Path, **options: Any) -> EvaluatedRun:
    """Do `run_review` where no event loop runs."""
    return asyncio.run(run_review(paper, **options))


def evaluate_trace_sync(source: str | Path, **options: Any) -> EvaluatedRun:
    """Do `evaluate_trace` where no event loop runs."""
    return asyncio.run(evaluate_trace(source, **options))


def compare_runs_sync(*selectors: str, **options: Any) -> Comparison:
    """Do `compare_runs` where no event loop runs."""
    return asyncio.run(compare_runs(*selectors, **options))


def _path(given: str | Path | None) -> Path | None:
    return None if given is None else Path(given)
