"""What providers have in common that ask nobody: nothing is paid, nothing is missing, and there is nobody to judge."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, NoReturn

from agents_eval_core.errors import UsageError


@dataclass(frozen=True, slots=True, kw_only=True)
class FreeProvider(ABC):
    """A provider whose one model costs nothing and reads whatever it is given."""

    name: str
    default_model: str | None = None
    has_language_model: bool = True
    requests_at_once: int = 1000
    run_tokens: int | None = None
    no_judge_because: ClassVar[str]

    def knows_price(self, model: str) -> bool:  # noqa: ARG002  the port's shape
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

    @abstractmethod
    def agent_model(self, name: str | None) -> Any:
        """Return the PydanticAI model that drives agents."""

    def answering_model(self, name: str | None) -> Any:
        """Return the same model; see `agent_model`."""
        return self.agent_model(name)

    def chat_model(self, name: str | None) -> NoReturn:  # noqa: ARG002  the port's shape
        """Refuse.

        Raises:
            UsageError: Always.
        """
        raise UsageError(
            f"provider {self.name!r} cannot judge: {self.no_judge_because}; name a judge of another provider"
        )
