"""Evaluate whatever was named: one run by its scorecard, several by what can be said across them."""

from collections.abc import Sequence
from pathlib import Path

from agents_eval_core.errors import SeveralRunsError, UsageError
from agents_eval_core.score import Tier
from agents_eval_core.settings import Settings
from agents_eval_core.use_cases.evaluate_groups import EvaluatedGroups, evaluate_groups
from agents_eval_core.use_cases.evaluate_trace import EvaluatedRun, evaluate_trace


async def evaluate_sources(
    sources: Sequence[str],
    *,
    settings: Settings,
    tiers: Sequence[Tier] | None = None,
    judge: str | None = None,
    trace_format: str | None = None,
    trace_id: str | None = None,
    case: str | Path | None = None,
    same_task: bool = False,
) -> EvaluatedRun | EvaluatedGroups:
    """Return a run with its scorecard where the sources are one run; else what `evaluate_groups` says of them.

    Raises:
        UsageError: There is no such thing, or options for one run were given with several.
        UnreadableError: It is there but cannot be understood.
    """
    about_one = [name for name, given in _given(tiers, trace_id, case).items() if given]
    if len(sources) == 1 and not same_task:
        try:
            return await evaluate_trace(
                sources[0],
                settings=settings,
                tiers=tiers,
                judge=judge,
                trace_format=trace_format,
                trace_id=trace_id,
                case=case,
            )
        except SeveralRunsError:
            if about_one:
                raise
    if about_one:
        raise UsageError(f"{', '.join(about_one)} is about one run, and {len(sources)} sources were given; give one")
    return await evaluate_groups(
        sources, settings=settings, trace_format=trace_format, same_task=same_task, judge=judge
    )


def _given(tiers: Sequence[Tier] | None, trace_id: str | None, case: str | Path | None) -> dict[str, bool]:
    return {
        "--tiers": tiers is not None,
        "--trace": trace_id is not None,
        "--case": case is not None,
    }
