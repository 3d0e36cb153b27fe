"""What a server is asked and what it says, in no provider's dialect."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelRequest, SystemPromptPart, UserPromptPart

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One request for an answer.

    Attributes:
        messages: The conversation, as PydanticAI's messages.
        tools: The schemas of the tools on offer, by name.
        schema: The schema that a text answer must have, where one is asked for.
        number: Which request to this server it is, from 1.
    """

    dialect: str
    path: str
    model: str
    messages: list[ModelMessage]
    tools: Mapping[str, Json]
    schema: Json | None
    is_streamed: bool
    headers: Mapping[str, str]
    body: Json
    number: int = 0

    @property
    def instructions(self) -> str:
        """The system's words."""
        return "\n\n".join(str(part.content) for part in self._parts() if isinstance(part, SystemPromptPart))

    @property
    def prompt(self) -> str:
        """The user's words."""
        return "\n\n".join(str(part.content) for part in self._parts() if isinstance(part, UserPromptPart))

    @property
    def characters(self) -> int:
        """How long the conversation is."""
        return sum(len(repr(message)) for message in self.messages)

    def _parts(self) -> list[Any]:
        return [part for message in self.messages if isinstance(message, ModelRequest) for part in message.parts]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool call."""

    tool: str
    arguments: Json
    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Say:
    """An answer: text, tool calls or both; `stop` is why it ends, in OpenAI's words.

    Attributes:
        cut_after: After how many events of a stream the connection is cut; None is not at all.
    """

    text: str = ""
    calls: tuple[Call, ...] = ()
    stop: str = ""
    tells_usage: bool = True
    cut_after: int | None = None
    after_seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """An error, or a connection that is cut: before anything is said, or amid the answer."""

    status: int = 500
    code: str = ""
    message: str = "something went wrong"
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    cuts: bool = False
    after_seconds: float = 0.0
    raw: bytes | None = None


def within(body: Json, *names: str) -> Json:
    """Return the object at a path of names, empty where there is none."""
    place: Any = body
    for name in names:
        place = place.get(name) or {}
    return place


Script = Callable[[Ask], Say | Fault]
