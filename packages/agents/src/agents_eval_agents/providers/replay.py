"""The provider `replay`: the replies of a run's model, played back."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from agents_eval_agents.providers.free_provider import FreeProvider
from agents_eval_core.errors import UsageError


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayProvider(FreeProvider):
    """Gives the model of a run that is kept, by the run's directory; it cannot judge.

    What agents do with the replies is done anew, and for nothing. Asked what the recorded run did not ask, it fails.
    """

    name: str = "replay"
    no_judge_because: ClassVar[str] = "it only has a run's replies"

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
