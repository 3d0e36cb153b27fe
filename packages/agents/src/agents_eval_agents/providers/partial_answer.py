"""An answer as it comes: which of its fields is being written."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, Self, cast

from pydantic_ai.messages import (
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ToolCallPart,
    ToolCallPartDelta,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_core import from_json

STEP: Final = 60
ANSWER: Final = "answer"


@dataclass(slots=True, kw_only=True)
class PartialAnswer:
    """The structured answer in a stream of events; what is not part of it is passed over.

    Attributes:
        tools: The tools by which answers are given.
        is_text: Whether the answer is given as text that is JSON.
    """

    tools: frozenset[str]
    is_text: bool
    names: dict[int, str] = field(default_factory=dict[int, str])
    texts: dict[int, str] = field(default_factory=dict[int, str])
    read: dict[int, int] = field(default_factory=dict[int, int])
    told: str = ""

    @classmethod
    def to(cls, parameters: ModelRequestParameters) -> Self:
        """Return an answer to a question before any of it has come."""
        tools = frozenset(tool.name for tool in parameters.output_tools)
        return cls(tools=tools, is_text=parameters.output_object is not None)

    def news(self, event: Any) -> Iterator[str]:
        """Take an event and yield what is to be said about it: at most one line, and none twice in a row."""
        match event:
            case PartStartEvent(index=index, part=ToolCallPart(tool_name=name, args=args)) if name in self.tools:
                self._begin(index, name.removeprefix("give_").replace("_", " "), args)
            case PartStartEvent(index=index, part=TextPart(content=content)) if self.is_text:
                self._begin(index, ANSWER, content)
            case PartDeltaEvent(index=index, delta=ToolCallPartDelta(args_delta=str(more))) if index in self.names:
                self.texts[index] += more
            case PartDeltaEvent(index=index, delta=TextPartDelta(content_delta=more)) if index in self.names:
                self.texts[index] += more
            case _:
                return
        line = self._line(event.index)
        if line and line != self.told:
            self.told = line
            yield line

    def _begin(self, index: int, name: str, said: Any) -> None:
        self.names[index] = name
        self.texts[index] = said if isinstance(said, str) else ""
        self.read[index] = 0

    def _line(self, index: int) -> str:
        text = self.texts[index]
        if text and len(text) - self.read[index] < STEP:
            return ""
        self.read[index] = len(text)
        return f"writes the {self.names[index]}{written_field(text)}"


def written_field(text: str) -> str:
    """Return which field of a JSON object that is not yet whole is being written, "" before the first.

    >>> written_field('{"summary": "It cla'), written_field('{"summary": "S.", "weaknesses": [{"text": "No ba')
    (': summary', ': weaknesses (1)')
    """
    try:
        value = from_json(text, allow_partial="trailing-strings")
    except ValueError:
        return ""
    if not isinstance(value, dict) or not value:
        return ""
    name, content = list(cast("dict[str, Any]", value).items())[-1]
    return f": {name} ({len(content)})" if isinstance(content, list) and content else f": {name}"  # pyright: ignore[reportUnknownArgumentType]  JSON
