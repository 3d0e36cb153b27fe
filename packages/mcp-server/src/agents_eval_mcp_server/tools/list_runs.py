"""The tool `list_runs`."""

from datetime import datetime
from itertools import islice
from typing import Annotated, Final

from mcp.server.mcpserver import Context
from mcp.types import ToolAnnotations
from pydantic import BaseModel, Field

from agents_eval_core.run import RunRecord
from agents_eval_mcp_server.clean_text import one_line, shown_id
from agents_eval_mcp_server.cursor import cursor_at, place_of
from agents_eval_mcp_server.reply_size import that_fit
from agents_eval_mcp_server.session import Session

ANNOTATIONS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
TITLE = "List runs"
MOST: Final = 40


class StoredRun(BaseModel):
    """A run that is kept; `id` names it in the other tools."""

    id: str
    begun: datetime
    status: str
    engine: str
    composition: str
    model: str | None
    paper: str
    composite: float | None = Field(description="null where nothing was measured")
    verdict: str | None
    sweep: str | None = Field(description="names all runs of it in compare_runs, as does sweep:composition")


class RunsReply(BaseModel):
    """Runs, the newest first."""

    summary: str
    next_step: str
    runs: list[StoredRun]
    truncated: bool
    next_cursor: str | None


async def list_runs(
    ctx: Context[Session],
    query: Annotated[
        str | None,
        Field(description="field=value joined by commas: engine, composition, paper, model, status, sweep …"),
    ] = None,
    limit: Annotated[int, Field(ge=1, le=MOST)] = 20,
    cursor: Annotated[str | None, Field(description="next_cursor of the reply before")] = None,
) -> RunsReply:
    """List the runs that are kept under the server's data root, the newest first."""
    from agents_eval_core import registry  # noqa: PLC0415  the server answers before it loads
    from agents_eval_core.use_cases.run_query import run_query  # noqa: PLC0415  as above

    session = ctx.request_context.lifespan_context
    begin = place_of(cursor)
    asked = run_query(query) if query else None
    if not session.root.data.database.is_file():
        return RunsReply(
            summary="no run is kept here yet", next_step="run_review makes one", runs=[], truncated=False,
            next_cursor=None,
        )  # fmt: skip
    store = registry.store("sqlite", session.root.data.database)
    try:
        wanted = (record for record in store.records() if asked is None or asked(record))
        found = list(islice(wanted, begin, begin + limit + 1))
    finally:
        store.close()
    lines = that_fit([_line(record) for record in found[:limit]])
    more = len(found) > len(lines)
    return RunsReply(
        summary=f"{len(lines)} runs{', and there are more' if more else ''}",
        next_step="evaluate_trace or get_trace_steps with an id as source; compare_runs with two ids or queries",
        runs=list(lines),
        truncated=more,
        next_cursor=cursor_at(begin + len(lines)) if more else None,
    )


def _line(record: RunRecord) -> StoredRun:
    return StoredRun(
        id=shown_id(record.id),
        begun=record.created_at,
        status=record.status,
        engine=one_line(record.engine),
        composition=one_line(record.composition),
        model=one_line(record.model) if record.model else None,
        paper=one_line(record.paper),
        composite=None if record.composite is None else round(record.composite, 4),
        verdict=record.verdict,
        sweep=one_line(record.sweep) if record.sweep else None,
    )
