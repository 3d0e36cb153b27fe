"""Ways to write a run down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from agents_eval_core.ports.named import Named

if TYPE_CHECKING:
    from agents_eval_core.run import Run
    from agents_eval_core.score import Scorecard


class View(Named, Protocol):
    """A way to write a run and its scorecard down."""

    @property
    def file_name(self) -> str:
        """What the file beside the run is called: `report.md`."""
        ...

    def render(self, run: Run, scorecard: Scorecard) -> str:
        """Return the report."""
        ...
