"""The provider `offline`: the review team without a language model, as the floor that one must beat."""

from dataclasses import dataclass
from typing import Any, Final, NoReturn

from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.settings import ModelSettings
from pydantic_ai.usage import RequestUsage

from agents_eval_agents.providers.offline_conversation import Conversation
from agents_eval_agents.providers.offline_roles import next_parts
from agents_eval_core.errors import UnknownNameError, UsageError

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
class OfflineProvider:
    """Gives the extractive baseline as the model that drives agents; it cannot judge."""

    name: str = "offline"
    default_model: str | None = OFFLINE_BASELINE
    has_language_model: bool = False
    requests_at_once: int = 1000
    run_tokens: int | None = None

    def costs(self, model: str) -> bool:  # noqa: ARG002  the port's shape
        """Return True: it costs nothing, which no limit can be under."""
        return True

    def context_tokens(self, model: str) -> int | None:  # noqa: ARG002  the port's shape
        """Return None: nothing bounds it."""
        return None

    def fitting_model(self, paper_tokens: int) -> str | None:  # noqa: ARG002  the port's shape
        """Return the only model there is."""
        return self.default_model

    def unavailable_because(self) -> str | None:
        """Return None: nothing is needed."""
        return None

    def agent_model(self, name: str | None) -> Any:
        """Return the baseline.

        Raises:
            UnknownNameError: Another model was asked for.
        """
        if name not in (None, OFFLINE_BASELINE):
            raise UnknownNameError("offline model", str(name), [OFFLINE_BASELINE], hint="Other models need --provider")
        return OfflineModel()

    def answering_model(self, name: str | None) -> Any:
        """Return the baseline.

        Raises:
            UnknownNameError: Another model was asked for.
        """
        return self.agent_model(name)

    def chat_model(self, name: str | None) -> NoReturn:  # noqa: ARG002  the port's shape
        """Refuse: counting words is no judgement.

        Raises:
            UsageError: Always.
        """
        raise UsageError("provider 'offline' cannot judge: it has no language model; name a judge of another provider")
