"""The engine `direct`: one model, one question with the whole paper in it, no tools. The floor for teams of agents."""

from dataclasses import dataclass, field
from typing import Final

from agents_eval_agents.engines.chosen_model import chosen_model
from agents_eval_agents.engines.inquiry import Inquiry
from agents_eval_agents.engines.recorded_work import Plan, Workplace, desk_of, versions
from agents_eval_agents.review_team.kit import Kit
from agents_eval_agents.review_team.prompt_files import Prompts
from agents_eval_agents.review_team.reviewer import REVIEWER
from agents_eval_core.case import Case
from agents_eval_core.errors import UnknownNameError, UsageError
from agents_eval_core.ports.engine import EngineOptions, EngineResult
from agents_eval_core.run import System

COMPOSITIONS: Final = (REVIEWER,)


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectEngine:
    """Reviews a paper by asking a model once; an answer that is no review is asked for again.

    A paper that is longer than the model can read at once is read in parts first, or cut.
    """

    name: str = "direct"
    compositions: tuple[str, ...] = COMPOSITIONS
    brings_its_own_model: bool = False
    place: Workplace = field(default_factory=Workplace)

    def unavailable_because(self) -> None:
        """Return None: it can be used everywhere."""

    def system(self, options: EngineOptions) -> System:
        """Return what the options ask for.

        Raises:
            UsageError: No such composition or provider, a critic, no key, unreadable prompts, a limit that cannot be
                kept.
        """
        return self._plan(options)[1].system

    async def run(self, case: Case, options: EngineOptions) -> EngineResult:
        """Review the case's paper.

        Raises:
            UsageError: The options or the case do not fit; nothing was started.
        """
        desk = desk_of(case.for_agents(), options)
        kit, plan = self._plan(options)
        inquiry = Inquiry(kit=kit, chosen=plan.chosen, in_parts=options.reading.in_parts)
        return await self.place.done(case, options, plan, desk, lambda: inquiry.answered(desk, case.prompt))

    def _plan(self, options: EngineOptions) -> tuple[Kit, Plan]:
        if options.composition not in (None, *COMPOSITIONS):
            raise UnknownNameError("composition of engine 'direct'", str(options.composition), COMPOSITIONS)
        if options.critic:
            raise UsageError("engine 'direct' has nobody to criticise a draft; use --engine mas for a critic")
        if options.web_search != "off":
            raise UsageError("engine 'direct' has no tool to search the web; use --engine mas for --web-search")
        prompts = Prompts.load(options.prompts_dir)
        chosen = chosen_model(options, self.place.recorder, for_team=False)
        system = System(
            engine=self.name,
            composition=REVIEWER,
            agents=(REVIEWER,),
            tools_offered=(),
            provider=chosen.provider,
            model=chosen.name,
            has_language_model=chosen.has_language_model,
            prompts=prompts.digest,
            versions=versions(),
        )
        kit = Kit(prompts=prompts, capabilities=[self.place.recorder.instrumentation])
        return kit, Plan(system=system, chosen=chosen)
