"""The desk of one review: the paper, what the agents have laid down so far, and what went wrong."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from agents_eval_agents.reading.allowance import Allowance
from agents_eval_agents.reading.excerpt import Excerpt
from agents_eval_agents.reading.plan import ReadingPlan
from agents_eval_agents.review_team.outputs import Analysis, Critique, ResearchSummary, ReviewDraft
from agents_eval_core.paper import Paper
from agents_eval_core.ports.engine import Progress
from agents_eval_core.review import Scale


@dataclass(slots=True, kw_only=True)
class Desk:
    """What the agents of one run share; it never holds what a review is held against.

    Attributes:
        query: What the user asks for in addition to the review.
        plan: How the paper is read, where it is too long to be read at once.
        excerpt: What the paper tools give now; None is all of it.
        pages: What an agent may still read of sections.
        passages: What an agent may still find by searching.
        asked: How often each delegate was asked.
        notes: What a reader of the run should know.
    """

    paper: Paper
    scale: Scale
    query: str = ""
    plan: ReadingPlan | None = None
    excerpt: Excerpt | None = None
    pages: Allowance = field(default_factory=Allowance)
    passages: Allowance = field(default_factory=Allowance)
    on_progress: Callable[[Progress], None] = field(default=lambda _: None)
    research: ResearchSummary | None = None
    analysis: Analysis | None = None
    draft: ReviewDraft | None = None
    critique: Critique | None = None
    asked: Counter[str] = field(default_factory=Counter[str])
    notes: list[str] = field(default_factory=list[str])

    def note(self, sentence: str) -> None:
        """Keep what a reader of the run should know, once."""
        if sentence not in self.notes:
            self.notes.append(sentence)

    def tell(self, agent: str, action: str) -> None:
        """Say what an agent is doing."""
        self.on_progress(Progress(agent=agent, action=action))
