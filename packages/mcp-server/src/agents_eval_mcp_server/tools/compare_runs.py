"""The tool `compare_runs`."""

from typing import Annotated

from mcp.server.mcpserver import Context
from mcp.types import ToolAnnotations
from pydantic import Field

from agents_eval_mcp_server.replies import ComparisonReply, comparison_reply
from agents_eval_mcp_server.session import Session, confined_selector, correctable

TITLE = "Compare runs"
ANNOTATIONS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
SELECTOR = Field(description="run id, unique prefix, or a query such as composition=full,paper=…", max_length=500)


async def compare_runs(
    baseline: Annotated[str, SELECTOR],
    candidate: Annotated[str, SELECTOR],
    ctx: Context[Session],
    *,
    metrics: Annotated[
        list[str] | None, Field(description="what the claim is about; default is the composite, with all looked at")
    ] = None,
    margin: Annotated[
        float | None, Field(gt=0, lt=1, description="smallest difference of a score that matters; allows 'equivalent'")
    ] = None,
    confidence: Annotated[float, Field(gt=0.5, lt=1, description="of the intervals")] = 0.95,
) -> ComparisonReply:
    """Say whether a candidate set of runs is better than a baseline: better, worse, equivalent, or not enough data.

    Runs are paired by paper; differences are candidate minus baseline. Fewer than six papers decide nothing; what more
    it takes is said.
    """
    from agents_eval_core.use_cases import compare_runs as comparing  # noqa: PLC0415  the server answers before it loads

    session = ctx.request_context.lifespan_context
    with correctable():
        comparison = await comparing.compare_runs(
            [confined_selector(selector, session.root) for selector in (baseline, candidate)],
            settings=session.root.settings,
            metrics=metrics,
            margin=margin,
            confidence=confidence,
        )
        return comparison_reply(comparison)
