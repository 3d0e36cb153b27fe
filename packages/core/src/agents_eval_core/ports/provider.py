"""Where models come from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from agents_eval_core.ports.chat_model import ChatModel
from agents_eval_core.ports.named import Named


class Provider(Named, Protocol):
    """Where models come from."""

    @property
    def default_model(self) -> str | None:
        """The model that is used where none is named."""
        ...

    @property
    def has_language_model(self) -> bool:
        """False for the offline baseline."""
        ...

    @property
    def requests_at_once(self) -> int:
        """How many requests a process has open with it, unless settings say otherwise."""
        ...

    @property
    def run_tokens(self) -> int | None:
        """How many tokens a run may take where nobody says; None is no limit."""
        ...

    def context_tokens(self, model: str) -> int | None:
        """Return how many tokens one of its models can read at once, its answer included; None is not known."""
        ...

    def fitting_model(self, paper_tokens: int) -> str | None:
        """Return a model that takes a paper of so many tokens; None is the default.

        Raises:
            UsageError: There is none.
        """
        ...

    def knows_price(self, model: str) -> bool:
        """Whether the price of one of its models is known, so that a limit of cost can be kept."""
        ...

    def unavailable_because(self) -> str | None:
        """Return why it cannot be used now (no key, no extra installed), or None."""
        ...

    def agent_model(self, name: str | None) -> Any:
        """Return the PydanticAI model that drives agents."""
        ...

    def answering_model(self, name: str | None) -> Any:
        """Return the PydanticAI model that answers without tools."""
        ...

    def chat_model(self, name: str | None) -> ChatModel:
        """Return a model that judges.

        Raises:
            UsageError: This provider has no model that can judge.
        """
        ...


class ProviderTable(Named, Protocol):
    """Many providers in one table, so that one more is one more row."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its providers."""
        ...

    @property
    def aliases(self) -> Mapping[str, str]:
        """What else they are called."""
        ...

    def provider(self, name: str) -> Provider:
        """Return the provider of one of its names."""
        ...
