"""The Researcher: reads the paper and gathers what it says, and where."""

from pydantic_ai import Agent, RunContext, Tool, ToolFailed, ToolOutput

from agents_eval_agents.reading.plan import ReadingPlan
from agents_eval_agents.review_team.briefing import delegate_briefing
from agents_eval_agents.review_team.composition import RESEARCHER
from agents_eval_agents.review_team.delegation import delegate
from agents_eval_agents.review_team.desk import Desk
from agents_eval_agents.review_team.kit import RETRIES, Kit
from agents_eval_agents.review_team.merging import notes_on_parts
from agents_eval_agents.review_team.outputs import ResearchSummary
from agents_eval_agents.review_team.reading_tools import reading_tools


def researcher(kit: Kit) -> Agent[Desk, ResearchSummary]:
    """Return the agent that has the paper tools."""
    return Agent(
        name=RESEARCHER,
        description="reads the paper and gathers facts with their places",
        deps_type=Desk,
        output_type=ToolOutput(ResearchSummary, name="give_research"),
        instructions=kit.prompts.texts[RESEARCHER],
        toolsets=reading_tools(kit),
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
        plan = desk.plan
        if plan is None or len(plan.parts) == 1:
            desk.research = await delegate(ctx, agent, delegate_briefing(desk, task, {}))
        else:
            desk.research = await _read_in_parts(ctx, agent, task, plan)
        return desk.research

    return Tool(delegate_to_researcher, sequential=True)


async def _read_in_parts(
    ctx: RunContext[Desk], agent: Agent[Desk, ResearchSummary], task: str, plan: ReadingPlan
) -> ResearchSummary:
    """Have each part read by a run of its own, and put the notes together; what fails after the first is unread."""
    desk = ctx.deps
    notes: list[ResearchSummary] = []
    try:
        for excerpt in plan.parts:
            desk.excerpt = excerpt
            desk.tell(RESEARCHER, f"reads part {excerpt.part} of {excerpt.parts}")
            try:
                briefing = delegate_briefing(desk, task, {})
                notes.append(await delegate(ctx, agent, briefing, goes_on=excerpt.part > 1))
            except ToolFailed:
                if excerpt.part == 1:
                    raise
                desk.note(f"{excerpt.sentence} was not read: the {RESEARCHER} failed")
                notes.append(ResearchSummary(overview="", unread=[excerpt.sentence]))
    finally:
        desk.excerpt = None
    return notes_on_parts(desk, notes, plan)
