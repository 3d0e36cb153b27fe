"""A batch: stored traces and runs that are evaluated in bulk."""

from hashlib import sha256
from typing import Annotated

from pydantic import Field
from pydantic_core import to_json

from agents_eval_core.frozen import Frozen
from agents_eval_core.run import TraceReference
from agents_eval_core.score import Tier
from agents_eval_core.sweep import NAME
from agents_eval_core.work import WorkOrder


class BatchOrder(WorkOrder):
    """A batch as it was begun.

    Attributes:
        sources: Run directories, trace files, folders of them, and selectors of stored runs, as they were named.
        unread: Files that hold no trace, and why.
    """

    name: Annotated[str, Field(pattern=f"^{NAME}$")]
    sources: tuple[str, ...]
    tiers: tuple[Tier, ...] | None = None
    judge: str | None = None
    trace_format: str | None = None
    concurrency: Annotated[int, Field(ge=1, le=10_000)] | None = None
    scheduler: str = "auto"
    unread: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The name that it was given."""
        return self.name


class BatchItem(Frozen):
    """One thing to be evaluated, and all that its scores depend on: a run of ours by its directory, or a trace.

    Attributes:
        evaluators: Names and versions.
    """

    directory: str | None = None
    trace: TraceReference | None = None
    tiers: tuple[Tier, ...] | None = None
    judge: str | None = None
    evaluators: str = ""

    @property
    def key(self) -> str:
        """The digest of the content.

        >>> BatchItem(directory="runs/a").key == BatchItem(directory="runs/b").key
        False
        """
        return sha256(to_json(self.model_dump(mode="json"))).hexdigest()
