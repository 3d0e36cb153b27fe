"""The Researcher: reads the paper and gathers what it says, and where."""

from pydantic_ai import Agent, RunContext, Tool, ToolOutput

from agents_eval_agents.review_team.briefing import delegate_briefing
from agents_eval_agents.review_team.composition import RESEARCHER
from agents_eval_agents.review_team.delegation import delegate
from agents_eval_agents.review_team.desk import Desk
from agents_eval_agents.review_team.kit import RETRIES, Kit
from agents_eval_agents.review_team.outputs import ResearchSummary
from agents_eval_agents.tools.paper import paper_tools
from agents_eval_agents.tools.search import search_tools


def researcher(kit: Kit) -> Agent[Desk, ResearchSummary]:
    """Return the agent that has the paper tools."""
    return Agent(
        kit.model,
        name=RESEARCHER,
        description="reads the paper and gathers facts with their places",
        deps_type=Desk,
        output_type=ToolOutput(ResearchSummary, name="give_research"),
        instructions=kit.prompts.texts[RESEARCHER],
        toolsets=[paper_tools(), search_tools()],
        retries=RETRIES,
        capabilities=kit.capabilities,
    )


def researcher_tool(kit: Kit) -> Tool[Desk]:
    """Return the manager's tool that asks the researcher."""
    agent = researcher(kit)

    async def delegate_to_researcher(ctx: RunContext[Desk], task: str) -> ResearchSummary:
        """Have the researcher read the paper and return facts with their places in it.

        Args:
            ctx: Who asks.
            task: What to look for, in a sentence or two.
        """
        desk = ctx.deps
        desk.research = await delegate(ctx, agent, delegate_briefing(desk, task, {}))
        return desk.research

    return Tool(delegate_to_researcher, sequential=True)
