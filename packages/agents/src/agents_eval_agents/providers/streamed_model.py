"""A model whose answers are taken as they come, so that a user sees what is being written."""

from collections.abc import Callable
from typing import Any, Final

import httpx
import httpx2
from opentelemetry.trace import get_current_span
from pydantic_ai.exceptions import ModelConnectionError, ModelHTTPError, UnexpectedModelBehavior
from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings
from pydantic_core import from_json

from agents_eval_agents.providers.partial_answer import PartialAnswer
from agents_eval_core.ports.engine import Progress

NO_STREAM_HERE: Final = frozenset({400, 404, 405, 415, 422, 501})
ENDS_OF_CUT_STREAMS: Final = (None, "stop")  # a stream that just ends is taken for one that was at its end
CUT: Final = (httpx.TransportError, httpx2.TransportError)


class StreamedModel(WrapperModel):
    """A model that is asked for a whole answer and takes it piece by piece.

    Whoever asks gets the answer when it is whole, and may ask again where the connection was cut amid it. A provider
    that cannot stream is noticed once, and then asked for whole answers.
    """

    def __init__(self, wrapped: Model, *, tell: Callable[[Progress], None] = lambda _: None) -> None:
        super().__init__(wrapped)
        self._tell = tell
        self._can_stream = True

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Return the model's answer, having told what was being written."""
        asked = (messages, model_settings, model_request_parameters)
        if self._can_stream:
            try:
                return await self._streamed(*asked)
            except (NotImplementedError, ModelHTTPError, UnexpectedModelBehavior) as problem:
                if not _cannot_stream(problem):
                    raise
                self._can_stream = False
                self._tell(Progress(agent="", action="the provider does not stream: its answers come whole"))
        return await self.wrapped.request(*asked)

    async def _streamed(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        speaker = _speaker()
        answer = PartialAnswer.to(model_request_parameters)
        try:
            async with self.wrapped.request_stream(messages, model_settings, model_request_parameters) as stream:
                async for event in stream:
                    for action in answer.news(event):
                        self._tell(Progress(agent=speaker, action=action))
                whole = stream.get()
        except CUT as problem:
            raise ModelConnectionError(self.model_name, f"the answer was cut off: {problem}") from problem
        if whole.finish_reason in ENDS_OF_CUT_STREAMS and any(_is_cut(part) for part in whole.parts):
            raise ModelConnectionError(self.model_name, "the answer was cut off amid a call")
        return whole


def _cannot_stream(problem: Exception) -> bool:
    """Whether a failure says that there is no streaming, or nothing at all was streamed."""
    if isinstance(problem, ModelHTTPError):
        return problem.status_code in NO_STREAM_HERE and "stream" in f"{problem.body}".lower()
    return isinstance(problem, NotImplementedError) or "ended without content" in str(problem)


def _is_cut(part: Any) -> bool:
    """Whether a call's arguments are the beginning of JSON and not the whole."""
    if not isinstance(part, ToolCallPart) or not isinstance(part.args, str) or not part.args:
        return False
    try:
        from_json(part.args, allow_partial=True)
    except ValueError:
        return False
    try:
        from_json(part.args)
    except ValueError:
        return True
    return False


def _speaker() -> str:
    """Return the agent that asks, as the open span of its request has it; "" outside a recorded run."""
    attributes: Any = getattr(get_current_span(), "attributes", None) or {}
    return str(attributes.get("gen_ai.agent.name", ""))
