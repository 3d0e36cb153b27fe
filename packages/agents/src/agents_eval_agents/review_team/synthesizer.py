"""The Synthesizer: writes the whole review from facts and points, and revises it when there are objections."""

from pydantic_ai import Agent, RunContext, Tool, ToolOutput

from agents_eval_agents.review_team.briefing import delegate_briefing
from agents_eval_agents.review_team.composition import SYNTHESIZER
from agents_eval_agents.review_team.delegation import delegate
from agents_eval_agents.review_team.desk import Desk
from agents_eval_agents.review_team.kit import RETRIES, Kit
from agents_eval_agents.review_team.outputs import Analysis, ResearchSummary, ReviewDraft


def synthesizer(kit: Kit) -> Agent[Desk, ReviewDraft]:
    """Return the agent, which has no tools: it works on what the others made."""
    return Agent(
        name=SYNTHESIZER,
        description="writes the review",
        deps_type=Desk,
        output_type=ToolOutput(ReviewDraft, name="give_review"),
        instructions=kit.prompts.texts[SYNTHESIZER],
        retries=RETRIES,
        capabilities=kit.capabilities,
    )


def synthesizer_tool(kit: Kit) -> Tool[Desk]:
    """Return the manager's tool that asks the synthesizer."""
    agent = synthesizer(kit)

    async def delegate_to_synthesizer(
        ctx: RunContext[Desk], task: str, findings: ResearchSummary | None = None, analysis: Analysis | None = None
    ) -> ReviewDraft:
        """Have the synthesizer write the review, or revise it after the critic's objections.

        Args:
            ctx: Who asks.
            task: What the review must bring out, in a sentence or two.
            findings: What you found in the paper yourself. Leave it out to hand on what was gathered as it is.
            analysis: The points you made yourself. Leave them out to hand on the analyst's as they are.
        """
        desk = ctx.deps
        desk.research = findings or desk.research
        desk.analysis = analysis or desk.analysis
        material = {"research": desk.research, "analysis": desk.analysis}
        revision = {"draft": desk.draft, "objections": desk.critique} if desk.critique else {}
        desk.draft = await delegate(ctx, agent, delegate_briefing(desk, task, {**material, **revision}))
        return desk.draft

    return Tool(delegate_to_synthesizer, sequential=True)
