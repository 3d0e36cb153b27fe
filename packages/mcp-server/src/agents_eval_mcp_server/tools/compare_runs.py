"""The tool `compare_runs`."""

from typing import Annotated, Final

from mcp.server.mcpserver import Context
from mcp.types import ToolAnnotations
from pydantic import Field

from agents_eval_mcp_server.comparison_reply import ComparisonReply, comparison_reply
from agents_eval_mcp_server.session import Session
from agents_eval_mcp_server.sources import confined_selector

TITLE = "Compare runs"
ANNOTATIONS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
MOST_SIDES: Final = 8
Selector = Annotated[
    str,
    Field(
        description="run id or its beginning, run directory, sweep, sweep:composition, sweep:* (each of its "
        "compositions), or a query such as engine=mas,composition=full",
        max_length=500,
    ),
]


async def compare_runs(
    baseline: Selector,
    candidate: Selector,
    ctx: Context[Session],
    *,
    more: Annotated[
        list[Selector] | None, Field(description="further candidates; all pairs are compared", max_length=MOST_SIDES)
    ] = None,
    metrics: Annotated[
        list[Annotated[str, Field(max_length=100)]] | None,
        Field(description="what the claim is about; default is the composite, with all looked at", max_length=50),
    ] = None,
    margin: Annotated[
        float | None, Field(gt=0, lt=1, description="smallest difference of a score that matters; allows 'equivalent'")
    ] = None,
    unpaired: Annotated[bool, Field(description="compare sets of runs of different papers")] = False,
    confidence: Annotated[float, Field(gt=0.5, lt=1, description="of the intervals")] = 0.95,
) -> ComparisonReply:
    """Say whether a candidate set of runs is better than a baseline: better, worse, equivalent, or not enough data.

    Runs are paired by paper; differences are candidate minus baseline. What is worse stands first, and what is missing
    on a side beside it. Fewer than six papers decide nothing; what more it takes is said.
    """
    from agents_eval_core.use_cases import compare_runs as comparing  # noqa: PLC0415  the server answers before it loads

    session = ctx.request_context.lifespan_context
    selectors = (baseline, candidate, *(more or ()))
    async with session.work():
        confined = await session.read(lambda: [confined_selector(selector, session.root) for selector in selectors])
        comparison = await comparing.compare_runs(
            confined,
            settings=session.root.settings,
            metrics=metrics,
            margin=margin,
            paired=not unpaired,
            confidence=confidence,
        )
    return comparison_reply(comparison)
