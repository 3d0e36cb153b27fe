"""The tool `cancel_review`."""

from typing import Annotated

from mcp.server.mcpserver import Context
from mcp.types import ToolAnnotations
from pydantic import Field

from agents_eval_mcp_server.principal import principal
from agents_eval_mcp_server.review_reply import ReviewReply, review_reply
from agents_eval_mcp_server.session import Session

ANNOTATIONS = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False)
TITLE = "End a review"


async def cancel_review(
    review_id: Annotated[str, Field(description="from run_review", max_length=100)], ctx: Context[Session]
) -> ReviewReply:
    """End a review that is under way; what its agents did until then is kept as an interrupted run."""
    session = ctx.request_context.lifespan_context
    review = session.reviews.of(review_id, principal=principal())
    await session.reviews.cancel(review)
    return review_reply(review, session.root)
