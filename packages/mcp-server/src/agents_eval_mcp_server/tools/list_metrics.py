"""The tool `list_metrics`."""

from typing import TYPE_CHECKING, Annotated, Final

from mcp.types import ToolAnnotations
from pydantic import BaseModel, Field

from agents_eval_core.score import Tier
from agents_eval_mcp_server.clean_text import one_line
from agents_eval_mcp_server.cursor import cursor_at, place_of
from agents_eval_mcp_server.reply_size import that_fit

if TYPE_CHECKING:
    from agents_eval_core.use_cases.metric_catalogue import CatalogueEntry

ANNOTATIONS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
TITLE = "List metrics"
SHOWN: Final = 15


class Metric(BaseModel):
    """A metric and how far it can be trusted."""

    name: str
    tier: int
    version: str
    definition: str
    in_composite: bool
    worth: str = Field(description="predictive; diagnostic, not predictive; or not held against labels")
    figure: str | None = Field(description="a published figure of its validity, with interval and n; null is none")


class MetricsReply(BaseModel):
    """Metrics, those of the composite first."""

    summary: str
    next_step: str
    metrics: list[Metric]
    truncated: bool
    next_cursor: str | None


async def list_metrics(
    tier: Annotated[Tier | None, Field(description="1 text, 2 judge, 3 behaviour; default all")] = None,
    cursor: Annotated[str | None, Field(description="next_cursor of the reply before")] = None,
) -> MetricsReply:
    """List the metrics with their validity: what each was held against, and whether it told good from bad."""
    from agents_eval_core.use_cases.metric_catalogue import metric_catalogue  # noqa: PLC0415  the server answers first

    begin = place_of(cursor)
    found = [entry for entry in metric_catalogue() if tier is None or entry.tier == tier]
    shown = that_fit([_line(entry) for entry in found[begin : begin + SHOWN]])
    end = begin + len(shown)
    return MetricsReply(
        summary=f"{len(found)} metrics; one that was not held against labels describes, it does not grade",
        next_step="evaluate_trace gives their scores for a run",
        metrics=list(shown),
        truncated=len(found) > end,
        next_cursor=cursor_at(end) if len(found) > end else None,
    )


def _line(entry: "CatalogueEntry") -> Metric:
    return Metric(
        name=entry.name,
        tier=entry.tier,
        version=entry.version,
        definition=one_line(entry.definition),
        in_composite=entry.in_composite,
        worth=entry.worth,
        figure=one_line(entry.figure) or None,
    )
