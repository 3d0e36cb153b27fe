"""The Manager: plans the review, hands out the parts, and answers for the whole."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

from pydantic_ai import Agent, ModelRetry, RunContext, Tool, ToolOutput

from agents_eval_agents.review_team.analyst import analyst_tool
from agents_eval_agents.review_team.composition import ANALYST, CRITIC, MANAGER, RESEARCHER, SYNTHESIZER, Composition
from agents_eval_agents.review_team.critic import critic_tool
from agents_eval_agents.review_team.desk import Desk
from agents_eval_agents.review_team.kit import RETRIES, Kit
from agents_eval_agents.review_team.outputs import POINTS, ReviewDraft
from agents_eval_agents.review_team.reading_tools import reading_tools
from agents_eval_agents.review_team.researcher import researcher_tool
from agents_eval_agents.review_team.synthesizer import synthesizer_tool

TEAMS_KEPT: Final = 32
DELEGATION_TOOLS: Final[Mapping[str, Callable[[Kit], Tool[Desk]]]] = {
    RESEARCHER: researcher_tool,
    ANALYST: analyst_tool,
    SYNTHESIZER: synthesizer_tool,
    CRITIC: critic_tool,
}


@lru_cache(maxsize=TEAMS_KEPT)
def manager(kit: Kit, composition: Composition) -> Agent[Desk, ReviewDraft]:
    """Return the agent in charge: with the paper tools if nobody else has them, and a tool for each colleague.

    It is made once for all runs, since making the schemas of a team's tools takes longer than an offline review.
    """
    reads = RESEARCHER not in composition.specialists
    agent: Agent[Desk, ReviewDraft] = Agent(
        name=MANAGER,
        description="plans the review and answers for it",
        deps_type=Desk,
        output_type=_answers(composition),
        instructions=kit.prompts.texts[MANAGER],
        tools=[DELEGATION_TOOLS[name](kit) for name in composition.delegates],
        toolsets=reading_tools(kit) if reads else [],
        retries=RETRIES,
        capabilities=kit.capabilities,
    )
    agent.output_validator(substantial)
    return agent


def hand_on_draft(ctx: RunContext[Desk], reason: str) -> ReviewDraft:
    """Hand in the draft that lies on the desk, word for word, instead of writing it out again.

    Args:
        ctx: Who hands it in.
        reason: Why it can stand as it is, in a sentence.
    """
    if ctx.deps.draft is None:
        raise ModelRetry(f"there is no draft to hand in ({reason[:80]}); have one written, or give the review yourself")
    return ctx.deps.draft


def substantial(draft: ReviewDraft) -> ReviewDraft:
    """Ask again for a review that says nothing at all."""
    if not draft.summary.strip() and not any(point.text.strip() for part in POINTS for point in getattr(draft, part)):
        raise ModelRetry("the review is empty; write a summary and points, each with its place in the paper")
    return draft


def _answers(composition: Composition) -> list[ToolOutput[ReviewDraft]]:
    review = ToolOutput(ReviewDraft, name="give_review", description="Hand in a review that you wrote yourself.")
    if composition.critic or SYNTHESIZER in composition.specialists:
        return [ToolOutput(hand_on_draft, name="hand_on_draft"), review]
    return [review]
