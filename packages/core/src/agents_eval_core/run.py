"""A run: a case, the system that did it, the trace it left and what came out."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from agents_eval_core.case import Case
from agents_eval_core.frozen import Frozen
from agents_eval_core.review import Review
from agents_eval_core.trace import Trace

RunStatus = Literal["unfinished", "complete", "interrupted", "failed"]


class System(Frozen):
    """What did the work, as it was declared before the run.

    Attributes:
        engine: How it ran (`mas`, `cc-solo`, …); for a foreign trace, the name of its format.
        composition: Which agents take part, as one name (`manager+researcher`).
        agents: The declared agents, the one in charge first.
        tools_offered: The tools that were on offer; None where unknown.
        model: None where several or unknown models were used.
        has_language_model: False for the offline baseline.
        prompts: Digest of the prompts in use.
        versions: Versions of the packages that matter.
    """

    engine: str
    composition: str = ""
    agents: tuple[str, ...] = ()
    tools_offered: tuple[str, ...] | None = None
    provider: str | None = None
    model: str | None = None
    has_language_model: bool = True
    prompts: str | None = None
    versions: dict[str, str] = Field(default_factory=dict[str, str])


class Resources(Frozen):
    """What a run took; None is unknown, not zero. Peak memory only where the run had the process to itself.

    Attributes:
        waited_seconds: The part of the elapsed time in which it only waited for a provider; None where it did not.
    """

    elapsed_seconds: float | None = None
    waited_seconds: float | None = None
    model_requests: int | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    peak_memory_bytes: int | None = None


class Problem(Frozen):
    """Something that went wrong: the type of the error and one sentence."""

    error_type: str
    message: str


class TraceReference(Frozen):
    """Where a foreign trace lies, which stays where it is: the file, its format and digest, and the place in it."""

    path: str
    trace_format: str
    trace_id: str
    position: int = 0
    digest: str | None = None


class Run(Frozen):
    """A case done by a system. The trace and the output have files of their own beside `run.json`.

    Attributes:
        output: The review, for the review task.
        output_text: What came out, as text, for any other task.
        problem: Why the run did not end as it should.
        notes: What a reader should know, such as a delegate that failed while the run went on.
        trace_at: Where the trace lies, if it is not in the run's own directory.
        sweep: The sweep or batch it belongs to.
        repetition: Which repetition of its case within the sweep, from 0.
        peak_memory_bytes: Where the run had the process to itself.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    id: str
    status: RunStatus
    case: Case
    system: System
    trace: Annotated[Trace | None, Field(exclude=True)] = None
    output: Annotated[Review | None, Field(exclude=True)] = None
    output_text: Annotated[str | None, Field(exclude=True)] = None
    created_at: datetime
    finished_at: datetime | None = None
    problem: Problem | None = None
    notes: tuple[str, ...] = ()
    peak_memory_bytes: int | None = None
    trace_at: TraceReference | None = None
    sweep: str | None = None
    repetition: int = 0

    @property
    def text(self) -> str:
        """What came out, as text; empty where nothing did."""
        if self.output is not None:
            return self.output.text
        return self.output_text or ""


class RunRecord(Frozen):
    """One line of the store about a run: enough to list, select and pair it.

    Attributes:
        problem: The type of the error that ended it, where one did.
    """

    id: str
    directory: str
    status: RunStatus
    engine: str
    composition: str
    provider: str | None = None
    model: str | None = None
    dataset: str = ""
    venue: str = ""
    paper: str = ""
    sweep: str | None = None
    repetition: int = 0
    created_at: datetime
    composite: float | None = None
    coverage: float | None = None
    verdict: str | None = None
    problem: str | None = None
