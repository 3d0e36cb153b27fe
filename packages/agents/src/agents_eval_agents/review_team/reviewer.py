"""The Reviewer: one who reads the paper in one go and writes the review, without colleagues or tools."""

from typing import Any, Final

from pydantic import BaseModel
from pydantic_ai import Agent, NativeOutput, ToolOutput

from agents_eval_agents.review_team.desk import Desk
from agents_eval_agents.review_team.kit import RETRIES, Kit
from agents_eval_agents.review_team.manager import substantial
from agents_eval_agents.review_team.outputs import ResearchSummary, ReviewDraft

REVIEWER: Final = "reviewer"
READER: Final = "reader"


def reviewer(kit: Kit, *, calls_tools: bool) -> Agent[Desk, ReviewDraft]:
    """Return the agent; a model that calls no tools is asked for the review in its native way."""
    agent: Agent[Desk, ReviewDraft] = Agent(
        name=REVIEWER,
        description="reads the paper and writes the review",
        deps_type=Desk,
        output_type=_in_shape(ReviewDraft, "give_review", calls_tools=calls_tools),
        instructions=kit.prompts.texts[REVIEWER],
        retries=RETRIES,
        capabilities=kit.capabilities,
    )
    agent.output_validator(substantial)
    return agent


def reader_of_parts(kit: Kit, *, calls_tools: bool) -> Agent[Desk, ResearchSummary]:
    """Return the same agent as it reads a part of a paper that is too long to be read at once, and takes notes."""
    return Agent(
        name=REVIEWER,
        description="reads a part of the paper and takes notes",
        deps_type=Desk,
        output_type=_in_shape(ResearchSummary, "give_research", calls_tools=calls_tools),
        instructions=kit.prompts.texts[READER],
        retries=RETRIES,
        capabilities=kit.capabilities,
    )


def _in_shape(shape: type[BaseModel], tool: str, *, calls_tools: bool) -> Any:
    return ToolOutput(shape, name=tool) if calls_tools else NativeOutput(shape)
