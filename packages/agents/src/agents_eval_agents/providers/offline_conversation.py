"""What an agent can know without a model: the words of its messages, taken apart."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from agents_eval_agents.tools.quotation import Quotation, frame_of, quotations

T = TypeVar("T", bound=BaseModel)
SCALE: Final = re.compile(r"^Rating scale: from (-?[0-9.]+) to (-?[0-9.]+)", re.MULTILINE)
UNSTATED_SCALE: Final = (1.0, 10.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """A tool call and what came back; `answered` is false where it failed or nothing came back."""

    tool: str
    arguments: dict[str, Any]
    text: str
    answered: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """The task and the tool calls so far, in order."""

    prompt: str
    exchanges: tuple[Exchange, ...]

    @classmethod
    def of(cls, messages: Sequence[ModelMessage]) -> Self:
        """Return the conversation that the messages hold."""
        parts = [part for message in messages if isinstance(message, ModelRequest) for part in message.parts]
        prompts = [str(part.content) for part in parts if isinstance(part, UserPromptPart)]
        answers = {part.tool_call_id: part for part in parts if isinstance(part, ToolReturnPart)}
        calls = [
            part
            for message in messages
            if isinstance(message, ModelResponse)
            for part in message.parts
            if isinstance(part, ToolCallPart)
        ]
        exchanges = tuple(_exchange(call, answers.get(call.tool_call_id)) for call in calls)
        return cls(prompt="\n\n".join(prompts), exchanges=exchanges)

    def calls(self, tool: str) -> Iterator[Exchange]:
        """Yield the calls of a tool, in order."""
        return (exchange for exchange in self.exchanges if exchange.tool == tool)

    def called(self, tool: str) -> bool:
        """Whether a tool was called at all."""
        return any(True for _ in self.calls(tool))

    def answer(self, tool: str, kind: type[T]) -> T | None:
        """Return the last answer of a tool in its type, or None where there is none."""
        for exchange in reversed(tuple(self.calls(tool))):
            if exchange.answered and (value := _parsed(kind, exchange.text)) is not None:
                return value
        return None

    def material(self, quoted_as: str, kind: type[T]) -> T | None:
        """Return what the task hands over under a kind of quotation, or None where there is none."""
        texts = [item.text for item in quotations(self.prompt) if item.kind == quoted_as]
        return _parsed(kind, texts[-1]) if texts else None

    def quoted(self, kind: str) -> Iterator[Quotation]:
        """Yield what the task quotes as of a kind."""
        return (item for item in quotations(self.prompt) if item.kind == kind)

    @property
    def scale(self) -> tuple[float, float]:
        """The ends of the rating scale that the task states."""
        found = SCALE.search(frame_of(self.prompt))
        return (float(found[1]), float(found[2])) if found else UNSTATED_SCALE


def _exchange(call: ToolCallPart, answer: ToolReturnPart | None) -> Exchange:
    answered = answer is not None and answer.outcome == "success"
    text = answer.model_response_str() if answer else ""
    return Exchange(tool=call.tool_name, arguments=call.args_as_dict(), text=text, answered=answered)


def _parsed(kind: type[T], text: str) -> T | None:
    try:
        return kind.model_validate_json(text)
    except ValidationError:
        return None
