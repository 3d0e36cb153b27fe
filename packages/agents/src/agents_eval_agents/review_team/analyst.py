"""The Analyst: weighs the facts and makes strengths, weaknesses, questions and suggestions of them."""

from pydantic_ai import Agent, RunContext, Tool, ToolOutput

from agents_eval_agents.review_team.briefing import delegate_briefing
from agents_eval_agents.review_team.composition import ANALYST
from agents_eval_agents.review_team.delegation import delegate
from agents_eval_agents.review_team.desk import Desk
from agents_eval_agents.review_team.kit import RETRIES, Kit
from agents_eval_agents.review_team.outputs import Analysis, ResearchSummary


def analyst(kit: Kit) -> Agent[Desk, Analysis]:
    """Return the agent, which has no tools: it works on the facts it is given."""
    return Agent(
        name=ANALYST,
        description="weighs facts and makes the points of a review of them",
        deps_type=Desk,
        output_type=ToolOutput(Analysis, name="give_analysis"),
        instructions=kit.prompts.texts[ANALYST],
        retries=RETRIES,
        capabilities=kit.capabilities,
    )


def analyst_tool(kit: Kit) -> Tool[Desk]:
    """Return the manager's tool that asks the analyst."""
    agent = analyst(kit)

    async def delegate_to_analyst(
        ctx: RunContext[Desk], task: str, findings: ResearchSummary | None = None
    ) -> Analysis:
        """Have the analyst turn facts into strengths, weaknesses, questions and suggestions.

        Args:
            ctx: Who asks.
            task: What to weigh above all, in a sentence or two.
            findings: What you found in the paper yourself. Leave it out to hand on the researcher's summary as it is.
        """
        desk = ctx.deps
        desk.research = findings or desk.research
        desk.analysis = await delegate(ctx, agent, delegate_briefing(desk, task, {"research": desk.research}))
        return desk.analysis

    return Tool(delegate_to_analyst, sequential=True)
