"""The prompts of the review team, as others may read and copy them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from agents_eval_agents.review_team.prompt_files import SUFFIX, Prompts


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewPrompts:
    """The instructions of each agent of the review team."""

    name: str = "prompts"

    def texts(self) -> Mapping[str, str]:
        """Return the shipped prompts by their files' names.

        >>> "manager.md" in ReviewPrompts().texts()
        True
        """
        return {f"{name}{SUFFIX}": text for name, text in sorted(Prompts.load().texts.items())}

    def check(self, file: Path) -> None:
        """Refuse a file that no agent could be instructed by.

        Raises:
            UsageError: It is empty, too long, or the prompt of no agent.
        """
        Prompts.load(file.parent)
