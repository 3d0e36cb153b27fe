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
    first: Annotated[str, SELECTOR],
    second: Annotated[str, SELECTOR],
    ctx: Context[Session],
    metrics: Annotated[
        list[str] | None, Field(description="only these; default is all that both sides measured")
    ] = None,
    confidence: Annotated[float, Field(gt=0.5, lt=1, description="of the intervals")] = 0.95,
) -> ComparisonReply:
    """Say whether one set of runs is better than another: better, worse, or not enough data, with intervals.

    Runs are paired by paper; differences are the first set minus the second. Fewer than six papers decide nothing.
    """
    from agents_eval_core.use_cases import compare_runs as comparing  # noqa: PLC0415  the server answers before it loads

    session = ctx.request_context.lifespan_context
    with correctable():
        comparison = await comparing.compare_runs(
            [confined_selector(selector, session.root) for selector in (first, second)],
            settings=session.root.settings,
            metrics=metrics,
            confidence=confidence,
        )
        return comparison_reply(comparison)
