"""A model as a judge is handed it: messages in, an answer in a given shape out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from pydantic import BaseModel
from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, UserPromptPart
from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings

from agents_eval_agents.providers.failure import problem_of
from agents_eval_core.errors import ModelError, UsageError
from agents_eval_core.ports import ChatLimits, ChatMessage, Reply

TModel = TypeVar("TModel", bound=BaseModel)
REPAIRS: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class PydanticChatModel:
    """A PydanticAI model that answers in a given shape.

    It is offered no tool. An answer that does not have the shape is asked for once more, with what was wrong.
    """

    name: str
    model: Model

    async def complete(
        self, messages: Sequence[ChatMessage], schema: type[TModel], limits: ChatLimits
    ) -> Reply[TModel]:
        """Return the answer as a `schema`, with what all requests for it took.

        Raises:
            ModelError: It did not answer in time, refused, or did not give the shape twice; `error_type` says which.
            UsageError: The last message is not the user's.
        """
        if not messages or messages[-1].role != "user":
            raise UsageError("a model is asked by a user's message; the last one given is none")
        agent: Agent[None, TModel] = Agent(
            self.model,
            output_type=schema,
            deps_type=type(None),
            instructions="\n\n".join(each.text for each in messages if each.role == "system") or None,
            retries=REPAIRS,
        )
        settings = ModelSettings(max_tokens=limits.output_tokens)
        try:
            result = await agent.run(
                messages[-1].text,
                message_history=_history(messages[:-1]),
                model_settings=settings,
                timeout=limits.seconds,
            )
        except Exception as failure:
            problem = problem_of(failure)
            raise ModelError(problem.message, error_type=problem.error_type) from failure
        return Reply(
            value=result.output,
            model=result.response.model_name or self.model.model_name,
            **_took(result.usage),
        )


def _history(messages: Sequence[ChatMessage]) -> list[ModelMessage]:
    said: list[ModelMessage] = []
    for message in messages:
        if message.role == "user":
            said.append(ModelRequest(parts=[UserPromptPart(content=message.text)]))
        elif message.role == "assistant":
            said.append(ModelResponse(parts=[TextPart(content=message.text)]))
    return said


def _took(usage: Any) -> dict[str, Any]:
    """Return the tokens and the cost; a usage without tokens is one that the server did not tell."""
    known = usage.input_tokens or usage.output_tokens
    return {
        "input_tokens": usage.input_tokens if known else None,
        "output_tokens": usage.output_tokens if known else None,
        "cost_usd": float(usage.cost) if usage.cost is not None else None,
    }
