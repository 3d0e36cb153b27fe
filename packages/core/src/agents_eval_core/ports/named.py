"""What every plug-in has."""

from __future__ import annotations

from typing import Protocol


class Named(Protocol):
    """A plug-in that knows the name it is declared under."""

    @property
    def name(self) -> str:
        """The name it is declared under."""
        ...
