"""The engine `mas`: the review team of PydanticAI agents, recorded."""

from dataclasses import dataclass, field

from agents_eval_agents.engines.chosen_model import ChosenModel, chosen_model
from agents_eval_agents.engines.recorded_work import Plan, Workplace, desk_of, versions
from agents_eval_agents.review_team.composition import RESEARCHER, Composition, composition_names
from agents_eval_agents.review_team.kit import Kit
from agents_eval_agents.review_team.outputs import ReviewDraft
from agents_eval_agents.review_team.prompt_files import Prompts
from agents_eval_agents.review_team.reading_desk import OF_A_READER, OF_ONE_WHO_LEADS, lay_out
from agents_eval_agents.review_team.team import PAPER_TOOLS, Team
from agents_eval_agents.tools.web_search import TOOL as WEB_SEARCH
from agents_eval_agents.tools.web_search import Searcher, searcher_for
from agents_eval_core.case import Case
from agents_eval_core.errors import UsageError
from agents_eval_core.ports.engine import EngineOptions, EngineResult
from agents_eval_core.run import System


@dataclass(frozen=True, slots=True, kw_only=True)
class MasEngine:
    """Reviews a paper with a team of agents; see `Composition` for the teams there are."""

    name: str = "mas"
    compositions: tuple[str, ...] = field(default_factory=composition_names)
    brings_its_own_model: bool = False
    place: Workplace = field(default_factory=Workplace)

    def unavailable_because(self) -> None:
        """Return None: it can be used everywhere."""

    def system(self, options: EngineOptions) -> System:
        """Return the team that the options ask for.

        Raises:
            UsageError: No such composition or provider, no key, unreadable prompts, a limit that cannot be kept.
        """
        return self._team(options)[1].system

    async def run(self, case: Case, options: EngineOptions) -> EngineResult:
        """Review the case's paper.

        A failure of the model is a run with status `failed`, being cancelled is `interrupted`; both keep the trace so
        far.

        Raises:
            UsageError: The options or the case do not fit; nothing was started.
        """
        desk = desk_of(case.for_agents(), options)
        team, plan = self._team(options)

        async def reviewed() -> ReviewDraft:
            room = await plan.chosen.room(desk.paper)
            agents = plan.system.agents
            has_reader = RESEARCHER in agents
            pages = OF_A_READER if has_reader or len(agents) == 1 else OF_ONE_WHO_LEADS
            lay_out(desk, room, in_parts=options.reading.in_parts and has_reader, pages=pages)
            return await team.review(desk, case.prompt)

        return await self.place.done(case, options, plan, desk, reviewed)

    def _team(self, options: EngineOptions) -> tuple[Team, Plan]:
        composition = Composition.named(options.composition, critic=options.critic)
        prompts = Prompts.load(options.prompts_dir)
        chosen = chosen_model(options, self.place.recorder)
        searcher = _searcher(options, chosen)
        kit = Kit(prompts=prompts, searcher=searcher, capabilities=[self.place.recorder.instrumentation])
        system = System(
            engine=self.name,
            composition=composition.name,
            agents=composition.agents,
            tools_offered=PAPER_TOOLS if searcher is None else (*PAPER_TOOLS, WEB_SEARCH),
            provider=chosen.provider,
            model=chosen.name,
            has_language_model=chosen.has_language_model,
            prompts=prompts.digest,
            versions=versions(),
        )
        team = Team(composition=composition, kit=kit, model=chosen.model, limits=chosen.limits, seconds=chosen.seconds)
        return team, Plan(system=system, chosen=chosen)


def _searcher(options: EngineOptions, chosen: ChosenModel) -> Searcher | None:
    if options.web_search != "off" and (not chosen.has_language_model or chosen.replayed is not None):
        raise UsageError(
            f"provider {chosen.provider!r} cannot search the web: it asks no model; leave --web-search out "
            "(AGENTS_EVAL_WEB_SEARCH), or name another provider"
        )
    return searcher_for(options.web_search)
