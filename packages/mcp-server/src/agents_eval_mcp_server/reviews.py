"""Reviews under way: each goes on when its caller stops waiting, and is found again by a handle."""

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from agents_eval_core.errors import AgentsEvalError, UsageError

if TYPE_CHECKING:
    from agents_eval_core.use_cases.evaluate_trace import EvaluatedRun

LOG: Final = logging.getLogger(__name__)
MOST_KEPT: Final = 64
KEPT_SECONDS: Final = 6 * 3600.0
SAID_SHOWN: Final = 8
Status = Literal["working", "complete", "failed", "cancelled"]
Work = Callable[[Callable[[str], None]], Awaitable["EvaluatedRun"]]


@dataclass(slots=True, kw_only=True)
class ReviewTask:
    """One review and what is known of it so far."""

    id: str
    principal: str
    began: float
    task: asyncio.Task[None]
    status: Status = "working"
    said: list[str] = field(default_factory=list[str])
    done: "EvaluatedRun | None" = None
    problem: str = ""
    listeners: list[Callable[[str], None]] = field(default_factory=list[Callable[[str], None]])

    @property
    def newest(self) -> tuple[str, ...]:
        """What the agents did last."""
        return tuple(self.said[-SAID_SHOWN:])


class Reviews:
    """The reviews of a server process. Handles cannot be guessed, belong to who began them, and expire."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._kept: dict[str, ReviewTask] = {}

    def begin(self, work: Work, *, principal: str) -> ReviewTask:
        """Start a review; its handle stays good for six hours.

        Raises:
            UsageError: Too many are under way.
        """
        self._forget_old()
        if sum(review.status == "working" for review in self._kept.values()) >= MOST_KEPT:
            raise UsageError(f"{MOST_KEPT} reviews are under way; wait for one with get_review, or cancel_review")
        review_id = secrets.token_urlsafe(16)

        async def run() -> None:
            await self._run(review_id, work)

        task = asyncio.create_task(run())
        review = ReviewTask(id=review_id, principal=principal, began=self._clock(), task=task)
        self._kept[review_id] = review
        return review

    def of(self, review_id: str, *, principal: str) -> ReviewTask:
        """Return a review by its handle.

        Raises:
            UsageError: There is none, it has expired, or it belongs to somebody else.
        """
        self._forget_old()
        review = self._kept.get(review_id)
        if review is None or review.principal != principal:
            raise UsageError(
                f"there is no review {review_id!r}; its id came from run_review and ends with the server or after "
                "six hours. list_runs shows the finished ones"
            )
        return review

    async def wait(self, review: ReviewTask, seconds: float) -> None:
        """Wait until a review ends, but not longer than that; it goes on either way."""
        await asyncio.wait({review.task}, timeout=seconds)

    async def cancel(self, review: ReviewTask) -> None:
        """End a review; what was done until then is kept as an interrupted run."""
        if review.status == "working":
            review.task.cancel()
            await asyncio.wait({review.task})
        if review.status == "working":  # it was cancelled before it came to its first step
            review.status, review.problem = "cancelled", "it was cancelled"

    async def close(self) -> None:
        """End all that is under way."""
        for review in tuple(self._kept.values()):
            await self.cancel(review)

    async def _run(self, review_id: str, work: Work) -> None:
        review = self._kept[review_id]

        def say(text: str) -> None:
            review.said.append(text)
            for listener in tuple(review.listeners):
                listener(text)

        try:
            review.done = await work(say)
            review.status = "complete" if review.done.run.status == "complete" else "failed"
        except asyncio.CancelledError:
            review.status, review.problem = "cancelled", "it was cancelled"
        except AgentsEvalError as problem:
            review.status, review.problem = "failed", str(problem)
        except Exception:
            LOG.exception("a review ended by a mistake of ours")
            review.status, review.problem = "failed", "it ended by an internal error; the server's log has it"

    def _forget_old(self) -> None:
        now = self._clock()
        ended = [review for review in self._kept.values() if review.status != "working"]
        for place, review in enumerate(sorted(ended, key=lambda one: -one.began)):
            if place >= MOST_KEPT or now - review.began > KEPT_SECONDS:
                del self._kept[review.id]
