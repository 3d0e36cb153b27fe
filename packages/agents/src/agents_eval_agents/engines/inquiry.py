"""The questions that a model is asked for a review without tools: one, or one a part of a long paper and a last one."""

import asyncio
from dataclasses import dataclass
from typing import TypeVar

from pydantic_ai import Agent
from pydantic_ai.usage import RunUsage

from agents_eval_agents.engines.chosen_model import ChosenModel
from agents_eval_agents.reading.plan import ReadingPlan
from agents_eval_agents.review_team.briefing import merging_briefing, part_briefing, reviewer_briefing
from agents_eval_agents.review_team.desk import Desk
from agents_eval_agents.review_team.kit import Kit
from agents_eval_agents.review_team.merging import notes_on_parts
from agents_eval_agents.review_team.outputs import ResearchSummary, ReviewDraft
from agents_eval_agents.review_team.reading_desk import lay_out
from agents_eval_agents.review_team.reviewer import REVIEWER, reader_of_parts, reviewer

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Inquiry:
    """One model and what may be asked of it.

    Attributes:
        in_parts: Whether a paper that is too long is read part by part; else it is cut.
    """

    kit: Kit
    chosen: ChosenModel
    in_parts: bool

    async def answered(self, desk: Desk, task: str) -> ReviewDraft:
        """Return the review of the paper on a desk."""
        asking = _Asking(desk=desk, chosen=self.chosen, began=_now(), usage=RunUsage())
        async with self.chosen.model:
            room = await self.chosen.room(desk.paper)
            plan = lay_out(desk, room, in_parts=self.in_parts)
            briefing = await self._briefing(asking, task, plan)
            desk.tell(REVIEWER, "reads the paper and writes the review")
            return await asking.ask(reviewer(self.kit, calls_tools=self._calls_tools), briefing)

    @property
    def _calls_tools(self) -> bool:
        return self.chosen.model.profile.get("supports_tools", True)

    async def _briefing(self, asking: "_Asking", task: str, plan: ReadingPlan | None) -> str:
        desk = asking.desk
        if plan is None or len(plan.parts) == 1:
            return reviewer_briefing(desk, task)
        agent = reader_of_parts(self.kit, calls_tools=self._calls_tools)
        notes: list[ResearchSummary] = []
        for excerpt in plan.parts:
            desk.tell(REVIEWER, f"reads part {excerpt.part} of {excerpt.parts}")
            notes.append(await asking.ask(agent, part_briefing(desk, excerpt)))
        return merging_briefing(desk, task, notes_on_parts(desk, notes, plan))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asking:
    desk: Desk
    chosen: ChosenModel
    began: float
    usage: RunUsage

    async def ask(self, agent: Agent[Desk, T], briefing: str) -> T:
        """Ask within what is left of the run's limits."""
        whole = self.chosen.seconds
        left = None if whole is None else max(whole - (_now() - self.began), 0.001)
        limits = self.chosen.limits
        result = await agent.run(
            briefing, deps=self.desk, model=self.chosen.model, usage=self.usage, usage_limits=limits, timeout=left
        )
        return result.output


def _now() -> float:
    return asyncio.get_running_loop().time()
