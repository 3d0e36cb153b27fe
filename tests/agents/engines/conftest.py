"""Providers whose model goes wrong in one place, in the place of the registry's."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.settings import ModelSettings

from agents_eval_agents.providers.offline import OfflineModel, OfflineProvider
from agents_eval_core import registry
from agents_eval_core.ports.provider import Provider


class FaultyModel(OfflineModel):
    """The offline baseline, but for the agent that is asked for a certain answer: that one fails."""

    def __init__(self, answer: str, failure: BaseException) -> None:
        super().__init__()
        self.answer = answer
        self.failure = failure

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        tools = {tool.name for tool in model_request_parameters.output_tools}
        if self.answer in tools:
            raise self.failure
        return await super().request(messages, model_settings, model_request_parameters)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderOf(OfflineProvider):
    """Gives one ready model."""

    model: Model | None = None
    absence: str | None = None

    def unavailable_because(self) -> str | None:
        return self.absence

    def agent_model(self, name: str | None) -> Any:  # noqa: ARG002  the port's shape
        return self.model


@pytest.fixture
def provided(monkeypatch: pytest.MonkeyPatch) -> Callable[[Model | None, str | None], None]:
    """Let the registry answer every provider's name with a ready model, or one that is not to be had."""

    def use(model: Model | None, absence: str | None) -> None:
        provider: Provider = ProviderOf(model=model, absence=absence)

        def always(_: str) -> Provider:
            return provider

        monkeypatch.setattr(registry, "provider", always)

    return use


@pytest.fixture
def failing_at() -> Callable[[str, BaseException], Model]:
    return FaultyModel
