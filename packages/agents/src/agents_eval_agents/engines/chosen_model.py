"""The model that options ask for: of its provider, with patience, and with those that take over where it fails."""

from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import cast

from pydantic_ai import UsageLimits
from pydantic_ai.models import Model
from pydantic_ai.models.fallback import FallbackModel

from agents_eval_agents.providers.patient_model import PatientModel
from agents_eval_agents.providers.streamed_model import StreamedModel
from agents_eval_agents.providers.taped_model import RecordingModel, ReplayModel
from agents_eval_agents.providers.traffic import traffic_with
from agents_eval_agents.reading.room import Room, room_for
from agents_eval_agents.recorder import Recorder
from agents_eval_agents.review_team.team import run_limits
from agents_eval_core import registry
from agents_eval_core.errors import UsageError
from agents_eval_core.paper import Paper
from agents_eval_core.ports.engine import EngineOptions, Progress
from agents_eval_core.ports.provider import Provider


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenModel:
    """A model to work with, what a run may take of it, and what is said about it.

    Attributes:
        replayed: The directory of the run whose replies are played back.
        context_tokens: What the model can read at once, of a chain the one that reads least; None is not known.
    """

    model: Model
    provider: str
    name: str
    has_language_model: bool
    limits: UsageLimits
    seconds: float | None
    replayed: Path | None = None
    context_tokens: int | None = None

    async def room(self, paper: Paper) -> Room | None:
        """Return how much of a paper the model can read at once; None is not known, so nothing bounds it.

        A replay has the room of its recorded run.
        """
        if self.replayed is not None:
            return cast("ReplayModel", self.model).playback.header.room
        if self.context_tokens is None:
            return None
        room = await room_for(paper, self.model, self.context_tokens)
        if isinstance(self.model, RecordingModel):
            self.model.tape.header = self.model.tape.header.changed(room=room)
        return room

    @property
    def tape(self) -> bytes | None:
        """What the model replied so far, to be played back; None where no language model was asked."""
        return self.model.tape.lines() if isinstance(self.model, RecordingModel) else None


def chosen_model(options: EngineOptions, recorder: Recorder, *, for_team: bool = True) -> ChosenModel:
    """Return the model that the options ask for.

    Args:
        options: Provider, model, fallbacks, patience and limits.
        recorder: Whose trace shows the waits.
        for_team: Whether it must be able to call tools.

    Raises:
        UsageError: A provider cannot be used, or a limit cannot be kept.
    """
    provider = registry.provider(options.provider)
    first = _model(provider, options.model, for_team=for_team)
    others = [_named(each, for_team=for_team) for each in options.fallbacks]
    chain = [(provider, first), *others]
    patient = [_patient(each, model, options, recorder) for each, model in chain]
    whole = FallbackModel(*patient) if others else patient[0]
    is_replay = isinstance(first, ReplayModel)
    return ChosenModel(
        model=whole if is_replay or not provider.has_language_model else RecordingModel(whole, first),
        provider=provider.name,
        name=first.model_name,
        has_language_model=provider.has_language_model,
        limits=_limits(options, chain),
        seconds=options.limits.seconds,
        replayed=first.playback.folder if is_replay else None,
        context_tokens=options.reading.context_tokens
        or _least([each.context_tokens(model.model_name) for each, model in chain]),
    )


def _named(name: str, *, for_team: bool) -> tuple[Provider, Model]:
    provider, _, model = name.partition(":")
    found = registry.provider(provider)
    return found, _model(found, model or None, for_team=for_team)


def _model(provider: Provider, name: str | None, *, for_team: bool) -> Model:
    absence = provider.unavailable_because()
    if absence:
        raise UsageError(f"provider {provider.name!r} cannot be used: {absence}")
    return cast("Model", provider.agent_model(name) if for_team else provider.answering_model(name))


def _patient(provider: Provider, model: Model, options: EngineOptions, recorder: Recorder) -> Model:
    if not provider.has_language_model or isinstance(model, ReplayModel):
        return model
    if options.is_streamed:
        model = StreamedModel(model, tell=options.on_progress)
    return PatientModel(
        model,
        traffic=traffic_with(provider.name),
        at_once=provider.requests_at_once,
        patience=options.patience,
        tell=lambda action: options.on_progress(Progress(agent="", action=action)),
        tracer=recorder.tracer,
    )


def _limits(options: EngineOptions, chain: list[tuple[Provider, Model]]) -> UsageLimits:
    cost = options.limits.cost_usd
    for provider, model in chain if cost is not None else ():
        if not provider.knows_price(model.model_name):
            raise UsageError(
                f"a limit of {cost:g} USD cannot be kept: no price is known of model {model.model_name!r} "
                f"of {provider.name}; set a limit of tokens instead"
            )
    usual = run_limits()
    return replace(
        usual,
        request_limit=options.limits.requests or usual.request_limit,
        total_tokens_limit=options.limits.tokens or _least([each.run_tokens for each, _ in chain]),
        cost_limit=None if cost is None else Decimal(str(cost)),
    )


def _least(values: list[int | None]) -> int | None:
    return min((value for value in values if value is not None), default=None)
