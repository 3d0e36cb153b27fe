"""The Critic: challenges a draft before it is handed in."""

from pydantic_ai import Agent, RunContext, Tool, ToolFailed, ToolOutput

from agents_eval_agents.review_team.briefing import delegate_briefing
from agents_eval_agents.review_team.composition import CRITIC
from agents_eval_agents.review_team.delegation import delegate
from agents_eval_agents.review_team.desk import Desk
from agents_eval_agents.review_team.kit import RETRIES, Kit
from agents_eval_agents.review_team.outputs import Critique, ReviewDraft


def critic(kit: Kit) -> Agent[Desk, Critique]:
    """Return the agent, which has no tools: it judges the draft by the facts it rests on."""
    return Agent(
        name=CRITIC,
        description="challenges a draft",
        deps_type=Desk,
        output_type=ToolOutput(Critique, name="give_critique"),
        instructions=kit.prompts.texts[CRITIC],
        retries=RETRIES,
        capabilities=kit.capabilities,
    )


def critic_tool(kit: Kit) -> Tool[Desk]:
    """Return the manager's tool that asks the critic; a draft is challenged once and may then be revised once."""
    agent = critic(kit)

    async def delegate_to_critic(ctx: RunContext[Desk], task: str, draft: ReviewDraft | None = None) -> Critique:
        """Have the critic challenge the draft before you hand it in; this can be done once.

        Args:
            ctx: Who asks.
            task: What to doubt above all, in a sentence or two.
            draft: The draft you wrote yourself. Leave it out to hand on the synthesizer's draft as it is.
        """
        desk = ctx.deps
        desk.draft = draft or desk.draft
        if desk.draft is None:
            raise ToolFailed("there is no draft to challenge yet; give yours, or have one written first")
        if desk.critique is not None:
            raise ToolFailed("the draft was challenged already; revise it where that was right, and hand it in")
        material = {"draft": desk.draft, "research": desk.research}
        desk.critique = await delegate(ctx, agent, delegate_briefing(desk, task, material))
        return desk.critique

    return Tool(delegate_to_critic, sequential=True)
