"""The engine `mas`: the review team of PydanticAI agents, recorded."""

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Final, cast

import pydantic_ai
from pydantic_ai.models import Model

from agents_eval_agents.engines.active_runs import RUNS_OF_PROCESS, ActiveRuns
from agents_eval_agents.peak_memory import peak_memory_bytes
from agents_eval_agents.providers.failure import problem_of
from agents_eval_agents.publishing import publish
from agents_eval_agents.recorder import FILE_NAME, Recorder, Recording, process_recorder
from agents_eval_agents.review_team.composition import Composition, composition_names
from agents_eval_agents.review_team.desk import Desk
from agents_eval_agents.review_team.final_review import review_of
from agents_eval_agents.review_team.kit import Kit
from agents_eval_agents.review_team.prompt_files import Prompts
from agents_eval_agents.review_team.team import PAPER_TOOLS, Team
from agents_eval_core import registry
from agents_eval_core.case import Case
from agents_eval_core.errors import PaperError, UsageError
from agents_eval_core.paper import Paper
from agents_eval_core.ports import EngineOptions, EngineResult
from agents_eval_core.review import Review, Scale
from agents_eval_core.run import Problem, Run, RunStatus, System

DEFAULT_SCALE: Final = Scale(lowest=1, highest=10)
DISTRIBUTIONS: Final = ("agents-eval-agents", "pydantic-ai-slim")

pydantic_ai.BANNER_ENABLED = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How the agents' work ended."""

    status: RunStatus
    output: Review | None = None
    problem: Problem | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MasEngine:
    """Reviews a paper with a team of agents; see `Composition` for the teams there are."""

    name: str = "mas"
    compositions: tuple[str, ...] = field(default_factory=composition_names)
    recorder: Recorder = field(default_factory=process_recorder)
    active_runs: ActiveRuns = RUNS_OF_PROCESS

    def system(self, options: EngineOptions) -> System:
        """Return the team that the options ask for.

        Raises:
            UsageError: No such composition or provider, no key, unreadable prompts.
        """
        return self._team(options)[1]

    async def run(self, case: Case, options: EngineOptions) -> EngineResult:
        """Review the case's paper.

        A failure of the model is a run with status `failed`, being cancelled is `interrupted`; both keep the trace so
        far.

        Raises:
            UsageError: The options or the case do not fit; nothing was started.
        """
        created_at = datetime.now(UTC)
        seen = case.for_agents()
        desk = _desk(_paper(seen), seen, options)
        team, system = self._team(options)
        with self.active_runs.entered() as occupancy:
            recording, ending = await self._recorded(team, desk, seen.prompt, options, system)
            peak = peak_memory_bytes() if occupancy.alone else None
        run = Run(
            id=options.run_id,
            status=ending.status,
            case=case,
            system=system,
            trace=recording.trace(),
            output=ending.output,
            created_at=created_at,
            finished_at=datetime.now(UTC),
            problem=ending.problem,
            notes=tuple(desk.notes),
            peak_memory_bytes=peak,
        )
        notes = (*run.notes, *await publish(recording.lines, options.viewers))
        return EngineResult(run=run.changed(notes=notes), files={FILE_NAME: recording.lines})

    def _team(self, options: EngineOptions) -> tuple[Team, System]:
        composition = Composition.named(options.composition, critic=options.critic)
        prompts = Prompts.load(options.prompts_dir)
        provider = registry.provider(options.provider)
        absence = provider.unavailable_because()
        if absence:
            raise UsageError(f"provider {options.provider!r} cannot be used: {absence}")
        model = cast("Model", provider.agent_model(options.model))
        kit = Kit(model=model, prompts=prompts, capabilities=[self.recorder.instrumentation])
        system = System(
            engine=self.name,
            composition=composition.name,
            agents=composition.agents,
            tools_offered=PAPER_TOOLS,
            provider=provider.name,
            model=model.model_name,
            has_language_model=provider.has_language_model,
            prompts=prompts.digest,
            versions={name: version(name) for name in DISTRIBUTIONS},
        )
        return Team(composition=composition, kit=kit), system

    async def _recorded(
        self, team: Team, desk: Desk, task: str, options: EngineOptions, system: System
    ) -> tuple[Recording, Ending]:
        about = {"agents_eval.engine": self.name, "agents_eval.composition": system.composition}
        kept: list[Recording] = []
        try:
            with self.recorder.recording(run_id=options.run_id, attributes=about) as recording:
                kept.append(recording)
                draft = await team.review(desk, task)
            ending = Ending(status="complete", output=review_of(draft, desk.scale))
        except asyncio.CancelledError as interruption:
            ending = Ending(status="interrupted", problem=_interruption(interruption))
        except Exception as failure:
            if not kept:
                raise
            ending = Ending(status="failed", problem=problem_of(failure))
        return kept[0], ending


def _paper(case: Case) -> Paper:
    if case.paper is None:
        raise PaperError(f"case {case.id!r} has no paper; the review team needs one")
    if not case.paper.text.strip():
        raise PaperError(f"paper {case.paper.id!r} has no text, not even an abstract; there is nothing to review")
    return case.paper


def _desk(paper: Paper, case: Case, options: EngineOptions) -> Desk:
    scale = case.rating_scale or DEFAULT_SCALE
    return Desk(paper=paper, scale=scale, query=options.query, on_progress=options.on_progress)


def _interruption(interruption: asyncio.CancelledError) -> Problem:
    return Problem(error_type=type(interruption).__name__, message="the run was interrupted before it ended")
