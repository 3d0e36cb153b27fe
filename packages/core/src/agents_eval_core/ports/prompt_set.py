"""Texts that models are instructed with."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from agents_eval_core.ports.named import Named


class PromptSet(Named, Protocol):
    """Texts that models are instructed with: the prompts of agents, the rubrics of judges."""

    def texts(self) -> Mapping[str, str]:
        """Return the shipped texts by their files' names."""
        ...

    def check(self, file: Path) -> None:
        """Refuse a file that could not take the place of the shipped one of its name.

        Raises:
            UsageError: It is no such text.
            UnreadableError: It is not in the form of one.
        """
        ...
