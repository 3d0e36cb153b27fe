"""The shapes that plug-ins can have, and what they are handed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypeVar

if TYPE_CHECKING:
    from pydantic import BaseModel

    from agents_eval_core.case import Case
    from agents_eval_core.run import Run, RunRecord
    from agents_eval_core.score import Evaluation, Quartiles, Scorecard, Tier
    from agents_eval_core.trace import Trace

T = TypeVar("T")
TModel = TypeVar("TModel", bound="BaseModel")

# --- models that judge -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage:
    """One message to a model."""

    role: Literal["system", "user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatLimits:
    """What one question may take."""

    seconds: float = 60.0
    output_tokens: int = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply(Generic[T]):
    """A model's answer, with who gave it and what it took. None is unknown."""

    value: T
    model: str
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None


class ChatModel(Protocol):
    """A model that answers in a given shape."""

    @property
    def name(self) -> str:
        """The model's name as it is stored with each judgement."""
        ...

    async def complete(
        self, messages: Sequence[ChatMessage], schema: type[TModel], limits: ChatLimits
    ) -> Reply[TModel]:
        """Return the answer as a `schema`."""
        ...


# --- evaluators --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationContext:
    """What an evaluator is handed beside the run.

    Attributes:
        judge: The model that judges, or None.
        judge_absence: Why there is no judge.
        time_budget_seconds: The budget of a case that states none.
    """

    judge: ChatModel | None = None
    judge_absence: str = "no judge configured"
    time_budget_seconds: float = 60.0


class Named(Protocol):
    """A plug-in that knows the name it is declared under."""

    @property
    def name(self) -> str:
        """The name it is declared under."""
        ...


class Metered(Named, Protocol):
    """A plug-in that gives scores."""

    @property
    def version(self) -> str:
        """Changes when the same run would get another score."""
        ...

    @property
    def tier(self) -> Tier:
        """The tier of evidence: 1 text, 2 judge, 3 behaviour."""
        ...

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names of the scores it gives; it gives each of them for every run, with or without a value."""
        ...


class Evaluator(Metered, Protocol):
    """Says how good a run is in some respect."""

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:
        """Return scores, measures and findings about the run."""
        ...


class GroupEvaluator(Metered, Protocol):
    """Says something about several runs of one task."""

    async def evaluate_group(self, runs: Sequence[Run], context: EvaluationContext) -> Evaluation:
        """Return scores, measures and findings about the runs together."""
        ...


# --- engines and providers ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """What an agent is doing right now."""

    agent: str
    action: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineOptions:
    """How a case is to be done.

    Attributes:
        composition: Which agents take part; None takes the engine's default.
        model: None takes the provider's default.
        prompts_dir: A folder whose prompt files replace the built-in ones of the same name.
    """

    run_id: str
    composition: str | None = None
    provider: str = "offline"
    model: str | None = None
    critic: bool = False
    query: str = ""
    prompts_dir: Path | None = None
    on_progress: Callable[[Progress], None] = field(default=lambda _: None)


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineResult:
    """A run and the files that hold its raw record, by name (`trace.otlp.jsonl`)."""

    run: Run
    files: Mapping[str, bytes]


class Engine(Named, Protocol):
    """Something that does a case: a team of agents, Claude Code, any program."""

    @property
    def compositions(self) -> tuple[str, ...]:
        """The compositions it offers, the default first."""
        ...

    async def run(self, case: Case, options: EngineOptions) -> EngineResult:
        """Do the case. A failure is a run with status `failed` and the trace so far; being cancelled is `interrupted`.

        Raises:
            UsageError: The options do not fit; nothing was started.
        """
        ...


class Provider(Named, Protocol):
    """Where models come from."""

    @property
    def default_model(self) -> str | None:
        """The model that is used where none is named."""
        ...

    @property
    def has_language_model(self) -> bool:
        """False for the offline baseline and for replays."""
        ...

    def unavailable_because(self) -> str | None:
        """Return why it cannot be used now (no key, no extra installed), or None."""
        ...

    def agent_model(self, name: str | None) -> Any:
        """Return the PydanticAI model that drives agents."""
        ...

    def chat_model(self, name: str | None) -> ChatModel:
        """Return a model that judges.

        Raises:
            UsageError: This provider has no model that can judge.
        """
        ...


# --- things that are read and kept -------------------------------------------------------------------------------


class TraceFormat(Named, Protocol):
    """A reader of somebody's trace format."""

    def recognises(self, head: bytes) -> bool:
        """Whether the first bytes of a file look like this format."""
        ...

    def read(self, source: Path) -> Iterator[Trace]:
        """Yield the traces of a file or folder.

        Raises:
            UnreadableError: With the file and the place in it.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperEntry:
    """A line of a paper list: what is known without reading the paper's text."""

    id: str
    venue: str
    split: str
    title: str
    usable_references: int
    has_full_text: bool


class Dataset(Named, Protocol):
    """A collection of cases."""

    def entries(self, data_dir: Path | None) -> Iterator[PaperEntry]:
        """Yield what there is, in a stable order.

        Raises:
            PaperError: The folder is not this dataset.
        """
        ...

    def case(self, paper_id: str, data_dir: Path | None) -> Case:
        """Return one paper as a case with its references.

        Raises:
            PaperError: There is no such paper, or it has no text.
        """
        ...


class Store(Protocol):
    """Where runs and their scores are kept and found again."""

    def begin(self, record: RunRecord) -> None:
        """Keep that a run was started; its status is `unfinished`."""
        ...

    def finish(self, record: RunRecord, trace: Trace | None, scorecard: Scorecard | None) -> None:
        """Keep a run, its spans and its scores in one transaction; what was kept of it before is replaced."""
        ...

    def record(self, run_id: str) -> RunRecord | None:
        """Return the run of exactly that id."""
        ...

    def records(self) -> Iterator[RunRecord]:
        """Yield all runs, newest first."""
        ...

    def close(self) -> None:
        """Let go of the file."""
        ...


# --- tests of metrics --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidityFigure:
    """How much a metric is worth, measured: one figure with its interval and the number it rests on."""

    metric: str
    measure: str
    value: float
    interval: tuple[float, float] | None
    n: int
    unit: str
    data: str


class Validation(Named, Protocol):
    """A test of metrics against known answers or labelled data."""

    def figures(self, data_dir: Path | None) -> Iterator[ValidityFigure]:
        """Yield what was measured.

        Raises:
            PaperError: The data is not there.
        """
        ...


class Calibration(Named, Protocol):
    """A fitted table that metrics apply: how alike humans are, how common words are."""

    def fit(self, data_dir: Path, venue: str) -> bytes:
        """Return the table fitted from a venue, as the bytes of its file."""
        ...

    def humans(self) -> Mapping[str, Quartiles]:
        """Return where human reviewers lie, by metric, from the shipped table."""
        ...


class View(Named, Protocol):
    """A way to write a run and its scorecard down."""

    @property
    def suffix(self) -> str:
        """The file name's ending, such as `.md`."""
        ...

    def render(self, run: Run, scorecard: Scorecard) -> str:
        """Return the report."""
        ...
