"""A model as a judge is handed it: messages in, an answer in a given shape out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_ai import Agent, capture_run_messages
from pydantic_ai.exceptions import ContentFilterError, UnexpectedModelBehavior
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, ToolCallPart, UserPromptPart
from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings

from agents_eval_agents.providers.failure import problem_of
from agents_eval_agents.providers.price import price_of
from agents_eval_agents.providers.row import ProviderRow
from agents_eval_core.errors import ModelError, RefusedReplyError, UnreadableReplyError, UsageError
from agents_eval_core.ports.chat_model import ChatLimits, ChatMessage, Reply

TModel = TypeVar("TModel", bound=BaseModel)
REPAIRS: Final = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PydanticChatModel:
    """A PydanticAI model that answers in a given shape. It is offered no tool.

    Attributes:
        context_tokens: How many tokens a request and its answer may have together; None is not known.
        row: The provider, whose prices apply; None has none.
        is_own: Whether it runs on a machine of the user's, and costs nothing by the request.
    """

    name: str
    model: Model
    context_tokens: int | None = None
    row: ProviderRow | None = None
    is_own: bool = False

    def price_usd(self, input_tokens: int, output_tokens: int) -> float | None:
        """Return what a request of that size costs; None where it is not known."""
        if self.is_own:
            return 0.0
        if self.row is None:
            return None
        price = price_of(self.row, self.model.model_name, input_tokens=input_tokens, output_tokens=output_tokens)
        return None if price is None else float(price)

    async def complete(
        self, messages: Sequence[ChatMessage], schema: type[TModel], limits: ChatLimits
    ) -> Reply[TModel]:
        """Return the answer as a `schema`, from one request.

        Raises:
            UnreadableReplyError: The answer does not have that shape.
            RefusedReplyError: The model or the provider's filter declined to answer.
            ModelError: It did not answer, or not in time; `error_type` says which.
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
        with capture_run_messages() as said:
            try:
                result = await agent.run(
                    messages[-1].text,
                    message_history=_history(messages[:-1]),
                    model_settings=settings,
                    timeout=limits.seconds,
                )
            except ContentFilterError as refusal:
                raise RefusedReplyError(f"the model declined to answer: {problem_of(refusal).message}") from refusal
            except UnexpectedModelBehavior as failure:
                raise UnreadableReplyError(_why(failure), text=_last_words(said)) from failure
            except Exception as failure:
                problem = problem_of(failure)
                raise ModelError(problem.message, error_type=problem.error_type) from failure
        return Reply(
            value=result.output,
            model=result.response.model_name or self.model.model_name,
            text=_last_words(said),
            **_took(result.usage),
        )


def _why(failure: UnexpectedModelBehavior) -> str:
    cause = failure.__cause__
    while cause is not None and not isinstance(cause, ValidationError):
        cause = cause.__cause__
    if cause is None:
        return problem_of(failure).message
    first = cause.errors(include_input=False, include_url=False)[0]
    return f"{'.'.join(map(str, first['loc'])) or 'it'}: {first['msg']}"


def _last_words(said: Sequence[ModelMessage]) -> str:
    """Return the last answer as it came: its words, and the arguments of its calls."""
    answers = [message for message in said if isinstance(message, ModelResponse)]
    parts = answers[-1].parts if answers else ()
    words = (
        part.content if isinstance(part, TextPart) else part.args_as_json_str()
        for part in parts
        if isinstance(part, TextPart | ToolCallPart)
    )
    return "\n".join(words)


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
