"""The desk of one review: the paper, what the agents have laid down so far, and what went wrong."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from agents_eval_agents.review_team.outputs import Analysis, Critique, ResearchSummary, ReviewDraft
from agents_eval_core.paper import Paper
from agents_eval_core.ports import Progress
from agents_eval_core.review import Scale


@dataclass(slots=True, kw_only=True)
class Desk:
    """What the agents of one run share; it never holds what a review is held against.

    Attributes:
        query: What the user asks for in addition to the review.
        asked: How often each delegate was asked.
        notes: What a reader of the run should know.
    """

    paper: Paper
    scale: Scale
    query: str = ""
    on_progress: Callable[[Progress], None] = field(default=lambda _: None)
    research: ResearchSummary | None = None
    analysis: Analysis | None = None
    draft: ReviewDraft | None = None
    critique: Critique | None = None
    asked: Counter[str] = field(default_factory=Counter[str])
    notes: list[str] = field(default_factory=list[str])

    def tell(self, agent: str, action: str) -> None:
        """Say what an agent is doing."""
        self.on_progress(Progress(agent=agent, action=action))
