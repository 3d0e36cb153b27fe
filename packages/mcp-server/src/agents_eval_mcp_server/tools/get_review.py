"""The tool `get_review`."""

from typing import Annotated

from mcp.server.mcpserver import Context
from mcp.types import ToolAnnotations
from pydantic import Field

from agents_eval_mcp_server.principal import principal
from agents_eval_mcp_server.review_reply import LONGEST_WAIT, ReviewReply, review_reply
from agents_eval_mcp_server.session import Session, relayed

ANNOTATIONS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
TITLE = "Go on waiting for a review"


async def get_review(
    review_id: Annotated[str, Field(description="from run_review", max_length=100)],
    ctx: Context[Session],
    wait_s: Annotated[float, Field(ge=0, le=LONGEST_WAIT, description="how long to wait for the end")] = 50.0,
) -> ReviewReply:
    """Wait for a review that run_review began, and return its state, or its scorecard when it has ended."""
    session = ctx.request_context.lifespan_context
    review = session.reviews.of(review_id, principal=principal())
    async with relayed(ctx) as tell:
        review.listeners.append(tell)
        try:
            await session.reviews.wait(review, wait_s)
        finally:
            review.listeners.remove(tell)
    return review_reply(review, session.root)
