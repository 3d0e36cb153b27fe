"""A review team at work: the desk is laid out, and the manager begins."""

from dataclasses import dataclass, field
from typing import Final

from pydantic_ai import UsageLimits
from pydantic_ai.models import Model

from agents_eval_agents.review_team.briefing import manager_briefing
from agents_eval_agents.review_team.composition import Composition
from agents_eval_agents.review_team.desk import Desk
from agents_eval_agents.review_team.kit import Kit
from agents_eval_agents.review_team.manager import manager
from agents_eval_agents.review_team.outputs import ReviewDraft

PAPER_TOOLS: Final = ("paper_metadata", "list_sections", "read_section", "search_paper")
MOST_REQUESTS: Final = 80
MOST_TOOL_CALLS: Final = 200


def run_limits() -> UsageLimits:
    """Return what a whole run may take where nobody says, delegates included.

    >>> run_limits().request_limit
    80
    """
    return UsageLimits(request_limit=MOST_REQUESTS, tool_calls_limit=MOST_TOOL_CALLS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Team:
    """The agents of a composition, with what they are made of, their model, and how much they may take together."""

    composition: Composition
    kit: Kit
    model: Model
    limits: UsageLimits = field(default_factory=run_limits)
    seconds: float | None = None

    async def review(self, desk: Desk, task: str) -> ReviewDraft:
        """Review the paper on the desk and return the draft that the manager answers for."""
        agent = manager(self.kit, self.composition)
        briefing = manager_briefing(desk, self.composition, task)
        async with self.model:
            result = await agent.run(
                briefing, deps=desk, model=self.model, usage_limits=self.limits, timeout=self.seconds
            )
        if result.usage.unmeasured_requests:
            desk.notes.append("the provider did not tell all usage: no limit of tokens or cost could be kept")
        return result.output
