"""Evaluate what a run left behind: a run directory, a stored run, or anybody's trace file."""

from collections.abc import Sequence
from pathlib import Path

from agents_eval_core.score import Tier
from agents_eval_core.settings import Settings
from agents_eval_core.use_cases.run_review import EvaluatedRun


async def evaluate_trace(
    source: str | Path,
    *,
    settings: Settings,
    tiers: Sequence[Tier] | None = None,
    judge: str | None = None,
    trace_format: str | None = None,
) -> EvaluatedRun:
    """Evaluate (stub)."""
    raise NotImplementedError
