"""Compare sets of runs of the same cases."""

from collections.abc import Sequence

from agents_eval_core.comparison import Comparison
from agents_eval_core.settings import Settings


async def compare_runs(
    selectors: Sequence[str],
    *,
    settings: Settings,
    metrics: Sequence[str] | None = None,
    confidence: float = 0.95,
) -> Comparison:
    """Compare (stub)."""
    raise NotImplementedError
