"""The providers of the table."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agents_eval_agents.providers.access import absence_of, access_to, is_local
from agents_eval_agents.providers.local_server import answers
from agents_eval_agents.providers.row import ProviderRow
from agents_eval_agents.providers.table import ROWS
from agents_eval_core.errors import UsageError
from agents_eval_core.ports.chat_model import ChatModel


@dataclass(frozen=True, slots=True, kw_only=True)
class HostedProvider:
    """A row of the table at work; what it needs is loaded when a model is wanted."""

    row: ProviderRow
    has_language_model: bool = True

    @property
    def name(self) -> str:
        """What users call it."""
        return self.row.name

    @property
    def default_model(self) -> str | None:
        """The model that is used where none is named."""
        return self.row.default_model

    @property
    def requests_at_once(self) -> int:
        """How many requests a process has open with it."""
        return self.row.most_at_once

    @property
    def run_tokens(self) -> int:
        """How many tokens a run may take where nobody says."""
        return self.row.run_tokens

    def knows_price(self, model: str) -> bool:
        """Return whether genai-prices knows the price of one of its models."""
        from agents_eval_agents.providers.price import price_of  # noqa: PLC0415  the price list is large

        return price_of(self.row, model) is not None

    def unavailable_because(self) -> str | None:
        """Return what is missing before it can be asked, and how to get it, or None.

        Nothing is sent; only of a server on this machine it is looked whether it takes connections.
        """
        absence = absence_of(self.row)
        if absence is not None:
            return absence
        place = access_to(self.row).base_url
        if is_local(place) and not answers(place):
            return f"nothing answers at {place}; start the server, or set {self.row.base_url_variable}"
        return None

    def context_tokens(self, model: str) -> int | None:
        """Return what the table knows about a model; None is not listed."""
        listed = self.row.listed(model)
        return listed.context_tokens if listed else None

    def fitting_model(self, paper_tokens: int) -> str:
        """Return the first of its models whose context takes a paper of so many tokens and the talk about it.

        Raises:
            UsageError: It has no model that is known to.
        """
        found = self.row.fitting(paper_tokens)
        if found is None:
            raise UsageError(
                f"provider {self.name!r} has no model that is known to take a paper of {paper_tokens} tokens; "
                "name one with --model"
            )
        return found.name

    def agent_model(self, name: str | None) -> Any:
        """Return the PydanticAI model that drives agents.

        Raises:
            UsageError: It cannot be used, has no default model, or calls no tools.
        """
        if "no_tools" in self.row.quirks:
            raise UsageError(
                f"provider {self.name!r} calls no tools and cannot drive a team; use --engine direct, or judge with it"
            )
        return self._model(name)

    def answering_model(self, name: str | None) -> Any:
        """Return the PydanticAI model that answers without tools.

        Raises:
            UsageError: It cannot be used, or has no default model.
        """
        return self._model(name)

    def chat_model(self, name: str | None) -> ChatModel:
        """Return a model that judges.

        Raises:
            UsageError: It cannot be used, or has no default model.
        """
        from agents_eval_agents.providers.chat import PydanticChatModel  # noqa: PLC0415  PydanticAI takes a second
        from agents_eval_agents.providers.patient_model import PatientModel  # noqa: PLC0415  as above
        from agents_eval_agents.providers.traffic import traffic_with  # noqa: PLC0415  as above

        model = PatientModel(self._model(name), traffic=traffic_with(self.name), at_once=self.requests_at_once)
        return PydanticChatModel(
            name=f"{self.name}:{model.model_name}",
            model=model,
            row=self.row,
            context_tokens=self.context_tokens(model.model_name),
            is_own=not self.row.price_source and is_local(access_to(self.row).base_url),
        )

    def _model(self, name: str | None) -> Any:
        from agents_eval_agents.providers.live_model import LiveModel  # noqa: PLC0415  PydanticAI takes a second

        absence = self.unavailable_because()
        if absence:
            raise UsageError(f"provider {self.name!r} cannot be used: {absence}")
        chosen = name or self.default_model
        if chosen is None:
            raise UsageError(f"provider {self.name!r} has the models its owner put there; name one with --model")
        return LiveModel(self.row, chosen, access_to(self.row))


@dataclass(frozen=True, slots=True, kw_only=True)
class HostedProviders:
    """The table as the registry reads it."""

    rows: tuple[ProviderRow, ...] = ROWS
    name: str = "hosted"
    names: tuple[str, ...] = field(init=False)
    aliases: Mapping[str, str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(row.name for row in self.rows))
        object.__setattr__(self, "aliases", {alias: row.name for row in self.rows for alias in row.aliases})

    def provider(self, name: str) -> HostedProvider:
        """Return the provider of a name in the table."""
        return HostedProvider(row=next(row for row in self.rows if row.name == name))
