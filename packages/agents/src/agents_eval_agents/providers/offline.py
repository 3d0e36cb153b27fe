"""The provider `offline`: the review team without a language model, as the floor that one must beat."""

from dataclasses import dataclass
from typing import ClassVar, Final

from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.settings import ModelSettings
from pydantic_ai.usage import RequestUsage

from agents_eval_agents.providers.free_provider import FreeProvider
from agents_eval_agents.providers.offline_conversation import Conversation
from agents_eval_agents.providers.offline_roles import next_parts
from agents_eval_core.errors import UnknownNameError

OFFLINE_BASELINE: Final = "offline-baseline"


class OfflineModel(Model):
    """Answers as an extractive reviewer would, from nothing but the messages of the request.

    It reads, delegates and answers through the same tools as a language model, needs no network and gives the same
    answer to the same messages. Its usage is empty: without a language model there are no tokens to count, and an
    estimate would look like a measurement. Its name has no price.
    """

    @property
    def model_name(self) -> str:
        """The name under which it is shown and stored."""
        return OFFLINE_BASELINE

    @property
    def system(self) -> str:
        """The provider's name in traces."""
        return "offline"

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Return the next tool calls, or the answer in the form that was asked for."""
        _, parameters = self.prepare_request(model_settings, model_request_parameters)
        offered = frozenset(tool.name for tool in (*parameters.function_tools, *parameters.output_tools))
        return ModelResponse(
            parts=next_parts(Conversation.of(messages), offered),
            usage=RequestUsage(),
            model_name=self.model_name,
            provider_name=self.system,
            finish_reason="tool_call",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class OfflineProvider(FreeProvider):
    """Gives the extractive baseline as the model that drives agents; counting words is no judgement."""

    name: str = "offline"
    default_model: str | None = OFFLINE_BASELINE
    has_language_model: bool = False
    no_judge_because: ClassVar[str] = "it has no language model"

    def agent_model(self, name: str | None) -> OfflineModel:
        """Return the baseline.

        Raises:
            UnknownNameError: Another model was asked for.
        """
        if name not in (None, OFFLINE_BASELINE):
            raise UnknownNameError("offline model", str(name), [OFFLINE_BASELINE], hint="Other models need --provider")
        return OfflineModel()
