"""The Reviewer: one who reads the paper in one go and writes the review, without colleagues or tools."""

from typing import Any, Final

from pydantic_ai import Agent, NativeOutput, ToolOutput

from agents_eval_agents.review_team.desk import Desk
from agents_eval_agents.review_team.kit import RETRIES, Kit
from agents_eval_agents.review_team.manager import substantial
from agents_eval_agents.review_team.outputs import ReviewDraft

REVIEWER: Final = "reviewer"


def reviewer(kit: Kit) -> Agent[Desk, ReviewDraft]:
    """Return the agent; a model that calls no tools is asked for the review in its native way."""
    calls_tools = kit.model.profile.get("supports_tools", True)
    in_shape: Any = ToolOutput(ReviewDraft, name="give_review") if calls_tools else NativeOutput(ReviewDraft)
    agent: Agent[Desk, ReviewDraft] = Agent(
        kit.model,
        name=REVIEWER,
        description="reads the paper and writes the review",
        deps_type=Desk,
        output_type=in_shape,
        instructions=kit.prompts.texts[REVIEWER],
        retries=RETRIES,
        capabilities=kit.capabilities,
    )
    agent.output_validator(substantial)
    return agent
