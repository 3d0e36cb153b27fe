"""The provider `replay`: the replies of a run's model, played back."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from agents_eval_core.errors import UsageError


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayProvider:
    """Gives the model of a run that is kept, by the run's directory; it cannot judge.

    What agents do with the replies is done anew, and for nothing. Asked what the recorded run did not ask, it fails.
    """

    name: str = "replay"
    default_model: str | None = None
    has_language_model: bool = True
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
        """Return the model of a run.

        Args:
            name: The run's directory.

        Raises:
            UsageError: No run is named, or it has no replies.
            UnreadableError: Its replies are damaged.
        """
        from agents_eval_agents.providers.tape import Playback  # noqa: PLC0415  PydanticAI takes a second
        from agents_eval_agents.providers.taped_model import ReplayModel  # noqa: PLC0415  as above

        if name is None:
            raise UsageError("provider 'replay' plays back the replies of a run; name its directory with --model")
        return ReplayModel(Playback.of(Path(name)))

    def answering_model(self, name: str | None) -> Any:
        """Return the model of a run; see `agent_model`."""
        return self.agent_model(name)

    def chat_model(self, name: str | None) -> NoReturn:  # noqa: ARG002  the port's shape
        """Refuse: a run's model was asked for a review, not for a judgement.

        Raises:
            UsageError: Always.
        """
        raise UsageError(
            "provider 'replay' cannot judge: it only has a run's replies; name a judge of another provider"
        )
