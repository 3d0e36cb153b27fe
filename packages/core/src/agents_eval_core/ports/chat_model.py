"""Models that judge: what they are asked and what they answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Literal, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    from pydantic import BaseModel

T = TypeVar("T")
TModel = TypeVar("TModel", bound="BaseModel")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage:
    """One message to a model."""

    role: Literal["system", "user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatLimits:
    """What one question may take."""

    seconds: float = 60.0
    output_tokens: int = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply(Generic[T]):
    """A model's answer, with who gave it and what it took. None is unknown.

    Attributes:
        text: The answer as it came, where the provider shows it; else the value stands for it.
    """

    value: T
    model: str
    text: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None


class ChatModel(Protocol):
    """A model that answers in a given shape."""

    @property
    def name(self) -> str:
        """The model's name as it is stored with each judgement."""
        ...

    async def complete(
        self, messages: Sequence[ChatMessage], schema: type[TModel], limits: ChatLimits
    ) -> Reply[TModel]:
        """Return the answer as a `schema`, from one request: whoever asks counts requests and decides on a second.

        Raises:
            UnreadableReplyError: What came is not of that shape; its text is with the error.
            RefusedReplyError: The model declined to answer.
            ModelError: Nothing came; its `error_type` says why.
            TimeoutError: Nothing came in time.
        """
        ...


@runtime_checkable
class SizedModel(ChatModel, Protocol):
    """A model of which it is known how much it can read at once."""

    @property
    def context_tokens(self) -> int | None:
        """The tokens that a request and its answer may have together; None is unknown."""
        ...


@runtime_checkable
class PricedModel(ChatModel, Protocol):
    """A model of which it is known what it costs."""

    def price_usd(self, input_tokens: int, output_tokens: int) -> float | None:
        """Return what a request of that size costs; 0 for a model of one's own, None where it is unknown."""
        ...
