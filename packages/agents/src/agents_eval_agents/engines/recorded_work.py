"""Work on a review, recorded: whatever happens to it, what was done is kept."""

import asyncio
import warnings
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from typing import Final

import pydantic_ai
from pydantic_ai.exceptions import ModelAPIError, RunTimedOut, UsageLimitExceeded, UsageLimitUnavailableWarning

from agents_eval_agents.engines.active_runs import RUNS_OF_PROCESS, ActiveRuns
from agents_eval_agents.engines.chosen_model import ChosenModel
from agents_eval_agents.engines.replayed_trace import recorded_instead, recorded_peak
from agents_eval_agents.peak_memory import peak_memory_bytes
from agents_eval_agents.providers.failure import problem_of
from agents_eval_agents.providers.tape import FILE_NAME as TAPE_NAME
from agents_eval_agents.publishing import publish
from agents_eval_agents.recorder import FILE_NAME, Recorder, Recording, process_recorder, trace_of
from agents_eval_agents.review_team.desk import Desk
from agents_eval_agents.review_team.final_review import review_of
from agents_eval_agents.review_team.outputs import ReviewDraft
from agents_eval_core.case import Case
from agents_eval_core.errors import PaperError
from agents_eval_core.paper import Paper
from agents_eval_core.ports.engine import EngineOptions, EngineResult
from agents_eval_core.review import Review, Scale
from agents_eval_core.run import Problem, Run, RunStatus, System

DEFAULT_SCALE: Final = Scale(lowest=1, highest=10)
DISTRIBUTIONS: Final = ("agents-eval-agents", "pydantic-ai-slim")
LEAVES_A_PART: Final = (UsageLimitExceeded, RunTimedOut, ModelAPIError)

pydantic_ai.BANNER_ENABLED = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How the work ended."""

    status: RunStatus
    output: Review | None = None
    problem: Problem | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What will do the work, and with which model."""

    system: System
    chosen: ChosenModel


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What is kept of how the work was done."""

    lines: bytes
    peak_memory_bytes: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Workplace:
    """Where work is recorded."""

    recorder: Recorder = field(default_factory=process_recorder)
    active_runs: ActiveRuns = RUNS_OF_PROCESS

    async def done(
        self, case: Case, options: EngineOptions, plan: Plan, desk: Desk, do: Callable[[], Awaitable[ReviewDraft]]
    ) -> EngineResult:
        """Do the work and return what came of it.

        A failure is a run with status `failed`, being cancelled is `interrupted`; both keep the trace so far, and where
        a limit ended it, the review as far as it had come, marked in the notes.
        """
        created_at = datetime.now(UTC)
        with self.active_runs.entered() as occupancy:
            recording, ending = await self._recorded(desk, options, plan.system, do)
            record = _record(recording, plan.chosen, peak_memory_bytes() if occupancy.alone else None, desk)
        run = Run(
            id=options.run_id,
            status=ending.status,
            case=case,
            system=plan.system,
            trace=trace_of(record.lines, options.run_id),
            output=ending.output,
            created_at=created_at,
            finished_at=datetime.now(UTC),
            problem=ending.problem,
            notes=tuple(desk.notes),
            peak_memory_bytes=record.peak_memory_bytes,
        )
        notes = (*run.notes, *await publish(recording.lines, options.viewers))
        tape = plan.chosen.tape
        files = {FILE_NAME: record.lines} if tape is None else {FILE_NAME: record.lines, TAPE_NAME: tape}
        return EngineResult(run=run.changed(notes=notes), files=files)

    async def _recorded(
        self, desk: Desk, options: EngineOptions, system: System, do: Callable[[], Awaitable[ReviewDraft]]
    ) -> tuple[Recording, Ending]:
        about = {"agents_eval.engine": system.engine, "agents_eval.composition": system.composition}
        kept: list[Recording] = []
        try:
            with self.recorder.recording(run_id=options.run_id, attributes=about) as recording, _no_usage_tolerated():
                kept.append(recording)
                draft = await do()
            ending = Ending(status="complete", output=_review(draft, desk))
        except asyncio.CancelledError as interruption:
            ending = Ending(status="interrupted", problem=_interruption(interruption))
        except Exception as failure:
            if not kept:
                raise
            output = _part(desk) if isinstance(failure, LEAVES_A_PART) else None
            ending = Ending(status="failed", problem=problem_of(failure), output=output)
        return kept[0], ending


def _record(recording: Recording, chosen: ChosenModel, peak: int | None, desk: Desk) -> Record:
    """Return what was recorded now, or, for a replay that did the same again, what was recorded then."""
    if chosen.replayed is None:
        return Record(lines=recording.lines, peak_memory_bytes=peak)
    then = recorded_instead(chosen.replayed, recording.lines)
    if then is None:
        desk.notes.append(
            "the agents did not do the same as in the recorded run: times and ids are those of the replay"
        )
        return Record(lines=recording.lines, peak_memory_bytes=peak)
    return Record(lines=then, peak_memory_bytes=recorded_peak(chosen.replayed))


def versions() -> dict[str, str]:
    """Return the versions of the packages that matter."""
    return {name: _version(name) for name in DISTRIBUTIONS}


@cache
def _version(name: str) -> str:
    return version(name)


def desk_of(case: Case, options: EngineOptions) -> Desk:
    """Return the desk on which a case's paper lies.

    Raises:
        PaperError: The case has no paper, or it has no text.
    """
    scale = case.rating_scale or DEFAULT_SCALE
    return Desk(paper=_paper(case), scale=scale, query=options.query, on_progress=options.on_progress)


def _paper(case: Case) -> Paper:
    if case.paper is None:
        raise PaperError(f"case {case.id!r} has no paper; the review team needs one")
    if not case.paper.text.strip():
        raise PaperError(f"paper {case.paper.id!r} has no text, not even an abstract; there is nothing to review")
    return case.paper


def _part(desk: Desk) -> Review | None:
    """Return the review as far as it had come: the draft, else the points that were found; None for neither."""
    draft = desk.draft
    if draft is None and desk.analysis is not None:
        overview = desk.research.overview if desk.research is not None else ""
        draft = ReviewDraft(summary=overview, **desk.analysis.model_dump())
    if draft is None:
        return None
    desk.notes.append("the review is partial: it is what the team had when it was stopped")
    return _review(draft, desk)


def _review(draft: ReviewDraft, desk: Desk) -> Review:
    review = review_of(draft, desk.scale)
    return review.changed(reading=desk.plan.sentence) if desk.plan is not None else review


def _no_usage_tolerated() -> warnings.catch_warnings:
    """Keep quiet where a server tells no usage: the figures then say that they are unknown."""
    return warnings.catch_warnings(action="ignore", category=UsageLimitUnavailableWarning)


def _interruption(interruption: asyncio.CancelledError) -> Problem:
    return Problem(error_type=type(interruption).__name__, message="the run was interrupted before it ended")
