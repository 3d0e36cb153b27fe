"""Models with a tape: one that records what another replies, and one that plays it back."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, cast

from pydantic_ai import RunContext
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import CompletedStreamedResponse, Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.profiles import ModelProfile
from pydantic_ai.settings import ModelSettings

from agents_eval_agents.providers.tape import Header, Playback, Tape


class RecordingModel(WrapperModel):
    """A model whose replies are kept on a tape; of a chain, the first is the one that it names."""

    def __init__(self, wrapped: Model, first: Model) -> None:
        super().__init__(wrapped)
        mode: Any = cast("dict[str, Any]", first.profile).get("default_structured_output_mode", "tool")
        self.tape = Tape(header=Header(model=first.model_name, system=first.system, structured_output=mode))

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Return the model's answer, and keep it."""
        response = await self.wrapped.request(messages, model_settings, model_request_parameters)
        self.tape.keep(messages, response)
        return response

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,
    ) -> AsyncGenerator[StreamedResponse]:
        """Yield the model's answer as it comes, and keep it when it is whole."""
        streamed = self.wrapped.request_stream(messages, model_settings, model_request_parameters, run_context)
        async with streamed as stream:
            yield stream
        self.tape.keep(messages, stream.get())


class ReplayModel(Model):
    """Replies what a run's model replied to the same; nothing else can be asked of it."""

    def __init__(self, playback: Playback) -> None:
        header = playback.header
        is_native = header.structured_output == "native"
        super().__init__(
            profile=ModelProfile(
                default_structured_output_mode=header.structured_output, supports_json_schema_output=is_native
            )
        )
        self.playback = playback

    @property
    def model_name(self) -> str:
        """The recorded model's name."""
        return self.playback.header.model

    @property
    def system(self) -> str:
        """The recorded provider's name in traces."""
        return self.playback.header.system

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,  # noqa: ARG002  the model's shape
        model_request_parameters: ModelRequestParameters,  # noqa: ARG002
    ) -> ModelResponse:
        """Return the reply that was given to the same."""
        return self.playback.reply_to(messages)

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,  # noqa: ARG002  the model's shape
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,  # noqa: ARG002
    ) -> AsyncGenerator[StreamedResponse]:
        """Yield the reply that was given to the same, all at once."""
        yield CompletedStreamedResponse(
            self.playback.reply_to(messages), model_request_parameters=model_request_parameters, replay_events=True
        )
