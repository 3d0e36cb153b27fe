"""What is told about a review, while it runs and when it has ended."""

from typing import Final

from pydantic import BaseModel, Field

from agents_eval_mcp_server.clean_text import one_line
from agents_eval_mcp_server.evaluation_reply import EvaluationReply, evaluation_reply
from agents_eval_mcp_server.reviews import ReviewTask, Status
from agents_eval_mcp_server.root import Root

LONGEST_WAIT: Final = 240.0


class ReviewReply(BaseModel):
    """A review under way or ended."""

    summary: str
    next_step: str
    review_id: str = Field(description="for get_review and cancel_review; the run's own id stands in evaluation.run")
    status: Status
    progress: list[str] = Field(description="what the agents did last")
    evaluation: EvaluationReply | None = Field(description="null until it has ended, or when it did not come to a run")


def review_reply(review: ReviewTask, root: Root) -> ReviewReply:
    """Return what a client needs to know of a review."""
    evaluation = None
    if review.done is not None:
        run_id = review.done.run.id
        evaluation = evaluation_reply(
            review.done,
            root,
            next_step=f"get_trace_steps with source {run_id} shows what the agents did; compare_runs holds this run "
            "against another of the same paper",
        )
    return ReviewReply(
        summary=_summary(review, evaluation),
        next_step=_next_step(review, evaluation),
        review_id=review.id,
        status=review.status,
        progress=[one_line(text) for text in review.newest] if review.status == "working" else [],
        evaluation=evaluation,
    )


def _summary(review: ReviewTask, evaluation: EvaluationReply | None) -> str:
    if evaluation is not None:
        return evaluation.summary
    if review.status == "working":
        last = f"; last: {one_line(review.newest[-1])}" if review.newest else ""
        return f"the review is under way, {len(review.said)} steps so far{last}"
    return f"the review is {review.status}: {one_line(review.problem, 400)}"


def _next_step(review: ReviewTask, evaluation: EvaluationReply | None) -> str:
    if evaluation is not None:
        return evaluation.next_step
    if review.status == "working":
        return f"get_review with review_id {review.id} waits on; cancel_review ends it"
    return "run_review begins another"
