"""The engine `mas`: the review team of PydanticAI agents, recorded."""

from dataclasses import dataclass, field

from agents_eval_agents.engines.active_runs import RUNS_OF_PROCESS, ActiveRuns
from agents_eval_agents.engines.chosen_model import chosen_model
from agents_eval_agents.engines.recorded_work import Plan, Workplace, desk_of, versions
from agents_eval_agents.recorder import Recorder, process_recorder
from agents_eval_agents.review_team.composition import Composition, composition_names
from agents_eval_agents.review_team.kit import Kit
from agents_eval_agents.review_team.prompt_files import Prompts
from agents_eval_agents.review_team.team import PAPER_TOOLS, Team
from agents_eval_core.case import Case
from agents_eval_core.ports import EngineOptions, EngineResult
from agents_eval_core.run import System


@dataclass(frozen=True, slots=True, kw_only=True)
class MasEngine:
    """Reviews a paper with a team of agents; see `Composition` for the teams there are."""

    name: str = "mas"
    compositions: tuple[str, ...] = field(default_factory=composition_names)
    brings_its_own_model: bool = False
    recorder: Recorder = field(default_factory=process_recorder)
    active_runs: ActiveRuns = RUNS_OF_PROCESS

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
        seen = case.for_agents()
        desk_of(seen, options)
        team, plan = self._team(options)
        place = Workplace(recorder=self.recorder, active_runs=self.active_runs)
        return await place.done(case, options, plan, lambda desk: team.review(desk, seen.prompt))

    def _team(self, options: EngineOptions) -> tuple[Team, Plan]:
        composition = Composition.named(options.composition, critic=options.critic)
        prompts = Prompts.load(options.prompts_dir)
        chosen = chosen_model(options, self.recorder)
        kit = Kit(model=chosen.model, prompts=prompts, capabilities=[self.recorder.instrumentation])
        system = System(
            engine=self.name,
            composition=composition.name,
            agents=composition.agents,
            tools_offered=PAPER_TOOLS,
            provider=chosen.provider,
            model=chosen.name,
            has_language_model=chosen.has_language_model,
            prompts=prompts.digest,
            versions=versions(),
        )
        team = Team(composition=composition, kit=kit, limits=chosen.limits, seconds=chosen.seconds)
        return team, Plan(system=system, chosen=chosen)
