"""The shapes that plug-ins can have, and what they are handed."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypeVar, runtime_checkable

from agents_eval_core.judging import JudgeLedger, JudgeRules, ReplyCache

if TYPE_CHECKING:
    from pydantic import BaseModel

    from agents_eval_core.case import Case
    from agents_eval_core.remote_file import RemoteFile
    from agents_eval_core.run import Run, RunRecord, System
    from agents_eval_core.run_list import RunField, RunFilter, RunOrder, RunPage, ScoreAt
    from agents_eval_core.score import Evaluation, Quartiles, Score, Scorecard, Tier
    from agents_eval_core.trace import Trace
    from agents_eval_core.validity import Suite

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
    """A model's answer, with who gave it and what it took. None is unknown.

    Attributes:
        text: The answer as it came, where the provider shows it; else the value stands for it.
    """

    value: T
    model: str
    text: str = ""
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
        """Return the answer as a `schema`, from one request: whoever asks counts requests and decides on a second.

        Raises:
            UnreadableReplyError: What came is not of that shape; its text is with the error.
            RefusedReplyError: The model declined to answer.
            ModelError: Nothing came; its `error_type` says why.
            TimeoutError: Nothing came in time.
        """
        ...


@runtime_checkable
class SizedModel(ChatModel, Protocol):
    """A model of which it is known how much it can read at once."""

    @property
    def context_tokens(self) -> int | None:
        """The tokens that a request and its answer may have together; None is unknown."""
        ...


@runtime_checkable
class PricedModel(ChatModel, Protocol):
    """A model of which it is known what it costs."""

    def price_usd(self, input_tokens: int, output_tokens: int) -> float | None:
        """Return what a request of that size costs; 0 for a model of one's own, None where it is unknown."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """A model that judges, where it comes from and why it was chosen.

    Attributes:
        certificates: What was found out about it, by the rubric with its version (`review_quality 1`).
    """

    provider: str
    model: ChatModel
    chosen_because: str = "asked for"
    certificates: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def name(self) -> str:
        """Provider and model, as it is kept with each judgement."""
        return (
            self.model.name if self.model.name.startswith(f"{self.provider}:") else f"{self.provider}:{self.model.name}"
        )


# --- evaluators --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationContext:
    """What an evaluator is handed beside the run.

    Attributes:
        judges: Who judges: nobody, one model, or the members of a panel.
        judge_absence: Why there is no judge.
        judge_rules: How often they are asked, by which rubric, and what they are shown.
        ledger: What was asked and answered so far, and what is left of the budgets.
        replies: Answers of before to the same questions.
        known_scores: What the tiers before this one have measured, where the judge is to see it.
        time_budget_seconds: The budget of a case that states none.
        tables: Where the user's own fitted tables lie, `<calibration>/<venue>.json`; they go before the shipped ones.
        semantic_model: The folder of the model that compares texts by meaning, or None.
    """

    judges: tuple[Judge, ...] = ()
    judge_absence: str = "no judge configured"
    judge_rules: JudgeRules = field(default_factory=JudgeRules)
    ledger: JudgeLedger = field(default_factory=JudgeLedger)
    replies: ReplyCache | None = None
    known_scores: tuple[Score, ...] = ()
    time_budget_seconds: float = 60.0
    tables: Path | None = None
    semantic_model: Path | None = None


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
    """Says something about several runs: of one task (`group_evaluators`), or of several (`set_evaluators`)."""

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
class Viewers:
    """Where the trace of a run that ended is shown, beside its run directory; by default nowhere.

    Attributes:
        phoenix_endpoint: The base URL of a Phoenix server.
        logfire: Whether Logfire shows it, where it is configured.
    """

    phoenix_endpoint: str | None = None
    logfire: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How a provider is asked, and asked again.

    Attributes:
        attempts: How often the same is asked at most.
        longest_wait_seconds: A provider that wants a longer wait is not waited for.
        requests_at_once: How many requests a process has open with it; None takes the provider's value.
        requests_per_minute: None is as many as come.
    """

    attempts: int = 5
    longest_wait_seconds: float = 60.0
    requests_at_once: int | None = None
    requests_per_minute: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a whole run may take, all its agents together.

    Attributes:
        requests: Model requests; None takes the engine's value.
        tokens: Tokens read and written; None takes the provider's value.
        cost_usd: What the models may cost; None is no limit.
        seconds: Time by the clock, waits included; None is no limit.
    """

    requests: int | None = None
    tokens: int | None = None
    cost_usd: float | None = None
    seconds: float | None = None


WebSearch = Literal["off", "auto", "duckduckgo", "tavily"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingRules:
    """What becomes of a paper that is longer than a model can read at once.

    Attributes:
        context_tokens: What the model can read at once; None takes what the provider knows of it.
        in_parts: Whether such a paper is read part by part; else only what matters most of it is read.
    """

    context_tokens: int | None = None
    in_parts: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineOptions:
    """How a case is to be done.

    Attributes:
        composition: Which agents take part; None takes the engine's default.
        model: None takes the provider's default.
        fallbacks: Which models take over where one fails, in order, as `provider` or `provider:model`.
        prompts_dir: A folder whose prompt files replace the built-in ones of the same name.
        reading: What becomes of a paper that is longer than the model can read at once.
        web_search: Whether who reads the paper may search the web, and with which engine.
        is_streamed: Whether answers are taken as they come, so that progress shows what is being written.
        made_earlier: The record of work done before, which takes the place of new work where an engine can read it.
        viewers: To whom the trace is published; what did not work becomes a note of the run.
    """

    run_id: str
    composition: str | None = None
    provider: str = "offline"
    model: str | None = None
    fallbacks: tuple[str, ...] = ()
    patience: Patience = Patience()
    limits: Limits = Limits()
    reading: ReadingRules = ReadingRules()
    web_search: WebSearch = "off"
    is_streamed: bool = True
    critic: bool = False
    query: str = ""
    prompts_dir: Path | None = None
    made_earlier: Path | None = None
    on_progress: Callable[[Progress], None] = field(default=lambda _: None)
    viewers: Viewers = Viewers()


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

    @property
    def brings_its_own_model(self) -> bool:
        """Whether it has models of its own, so that no provider is asked; it can then read work made earlier too."""
        ...

    def unavailable_because(self) -> str | None:
        """Return why it cannot be used now (a command that is not installed), or None."""
        ...

    def system(self, options: EngineOptions) -> System:
        """Return what will do the work, before it starts.

        Raises:
            UsageError: The options do not fit: no such composition or provider, no key, unreadable prompts.
        """
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
        """False for the offline baseline."""
        ...

    @property
    def requests_at_once(self) -> int:
        """How many requests a process has open with it, unless settings say otherwise."""
        ...

    @property
    def run_tokens(self) -> int | None:
        """How many tokens a run may take where nobody says; None is no limit."""
        ...

    def context_tokens(self, model: str) -> int | None:
        """Return how many tokens one of its models can read at once, its answer included; None is not known."""
        ...

    def fitting_model(self, paper_tokens: int) -> str | None:
        """Return a model that takes a paper of so many tokens; None is the default.

        Raises:
            UsageError: There is none.
        """
        ...

    def costs(self, model: str) -> bool:
        """Whether the price of one of its models is known, so that a limit of cost can be kept."""
        ...

    def unavailable_because(self) -> str | None:
        """Return why it cannot be used now (no key, no extra installed), or None."""
        ...

    def agent_model(self, name: str | None) -> Any:
        """Return the PydanticAI model that drives agents."""
        ...

    def answering_model(self, name: str | None) -> Any:
        """Return the PydanticAI model that answers without tools."""
        ...

    def chat_model(self, name: str | None) -> ChatModel:
        """Return a model that judges.

        Raises:
            UsageError: This provider has no model that can judge.
        """
        ...


class ProviderTable(Named, Protocol):
    """Many providers in one table, so that one more is one more row."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its providers."""
        ...

    @property
    def aliases(self) -> Mapping[str, str]:
        """What else they are called."""
        ...

    def provider(self, name: str) -> Provider:
        """Return the provider of one of its names."""
        ...


# --- things that are read and kept -------------------------------------------------------------------------------


class TraceFormat(Named, Protocol):
    """A reader of somebody's trace format."""

    def recognises(self, source: Path, head: bytes) -> bool:
        """Whether a file, by its first bytes, or a folder, with no bytes, looks like this format; never by its name."""
        ...

    def read(self, source: Path, *, longest_text: int | None = None) -> Iterator[Trace]:
        """Yield the traces of a file or folder.

        Args:
            source: The file or folder.
            longest_text: Texts beyond this number of characters are cut; `Span.attributes["cut"]` then gives the full
                lengths by field (`{"text": 120000}`), and reading the span again without a limit gives the whole.

        Raises:
            UnreadableError: With the file and the place in it.
        """
        ...


@runtime_checkable
class CompoundFormat(TraceFormat, Protocol):
    """A format of which one trace may lie in several files."""

    def parts(self, source: Path) -> tuple[Path, ...]:
        """Return the other files that are read along with a file: the sub-agents of a session, labels beside it."""
        ...


@runtime_checkable
class FarReachingFormat(TraceFormat, Protocol):
    """A format whose reader also looks for files above or beside the folder that it is given a file of."""

    def within(self, root: Path) -> TraceFormat:
        """Return a reader that looks for nothing outside a folder."""
        ...


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


@runtime_checkable
class WritableFormat(TraceFormat, Protocol):
    """A format that any trace can be written in."""

    def write(self, trace: Trace) -> bytes:
        """Return a trace as it stands in a file; what several traces give makes a file when put together."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class RunGroup:
    """How many runs of a sweep (None outside of any) and composition ended in one way, and their mean composite.

    Attributes:
        problem: The type of the error that ended them.
        scored: How many of them have a composite.
        mean: Of those; None where there is none.
    """

    sweep: str | None
    engine: str
    composition: str
    status: str
    problem: str | None
    runs: int
    scored: int
    mean: float | None


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


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperText:
    """What a paper is searched by."""

    entry: PaperEntry
    abstract: str


@runtime_checkable
class SearchableDataset(Dataset, Protocol):
    """A collection whose papers can be searched without reading their full texts."""

    def texts(self, data_dir: Path | None) -> Iterator[PaperText]:
        """Yield titles and abstracts in the order of `entries`.

        Raises:
            PaperError: The folder is not this dataset.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperSelection:
    """Which papers are wanted.

    Attributes:
        splits: Only these; none named is all.
        max_papers: So many of each split, the first by id; None is all.
        with_pdfs: Whether the PDF files are wanted too.
    """

    venues: tuple[str, ...]
    splits: tuple[str, ...] = ()
    max_papers: int | None = None
    with_pdfs: bool = False


class Fetcher(Protocol):
    """Something that gets files from the network: the outgoing client."""

    async def get(self, url: str, *, largest_bytes: int) -> bytes:
        """Return what is at a URL.

        Raises:
            NetworkError: It did not come.
        """
        ...


@runtime_checkable
class RemoteDataset(Dataset, Protocol):
    """A collection that can be downloaded."""

    @property
    def hosts(self) -> frozenset[str]:
        """The hosts that its files come from."""
        ...

    async def listing(self, fetcher: Fetcher, selection: PaperSelection) -> tuple[RemoteFile, ...]:
        """Return the files of the wanted papers as they are now, in a stable order.

        Raises:
            UsageError: There is no such venue or split, or it has no papers to download.
            NetworkError: The list did not come, or has something in it that no list should have.
        """
        ...

    def url(self, file: RemoteFile) -> str:
        """Return where a file is, exactly as it was listed."""
        ...


class Store(Protocol):
    """Where runs and their scores are kept and found again."""

    def begin(self, record: RunRecord) -> None:
        """Keep that a run was started; its status is `unfinished`."""
        ...

    def finish(self, record: RunRecord, trace: Trace | None, scorecard: Scorecard | None) -> None:
        """Keep a run, its spans and its scores in one transaction; what was kept of it before is replaced."""
        ...

    def rescore(self, record: RunRecord, scorecard: Scorecard) -> None:
        """Keep new scores of a run in one transaction; its spans stay as they are."""
        ...

    def record(self, run_id: str) -> RunRecord | None:
        """Return the run of exactly that id."""
        ...

    def records(self) -> Iterator[RunRecord]:
        """Yield all runs, newest first."""
        ...

    def page(self, wanted: RunFilter, order: RunOrder) -> RunPage:
        """Return a part of the wanted runs in an order, and how many there are."""
        ...

    def choices(self, field: RunField) -> tuple[str, ...]:
        """Return the values that runs have in a field, in order."""
        ...

    def scores_over_time(self, metric: str, wanted: RunFilter, newest: int) -> tuple[ScoreAt, ...]:
        """Return what the newest wanted runs scored in a metric, or their composites, the oldest first."""
        ...

    def metric_names(self, wanted: RunFilter, newest: int) -> tuple[str, ...]:
        """Return the names of what the newest wanted runs scored, in order."""
        ...

    def of_sweep(self, sweep: str) -> Iterator[RunRecord]:
        """Yield the runs of a sweep or batch, by composition."""
        ...

    def scores_of_sweep(self, sweep: str) -> Iterator[tuple[str, Score]]:
        """Yield the scores of a sweep's runs with the runs' ids, without measures and evidence."""
        ...

    def groups(self) -> Iterator[RunGroup]:
        """Yield how many runs there are of each kind."""
        ...

    def missing_scores(self) -> Iterator[tuple[str, str, str, int]]:
        """Yield metric, reason, type of error and number of the scores without a value, the most frequent first."""
        ...

    def find(self, prefix: str) -> tuple[RunRecord, ...]:
        """Return the runs whose id begins so, newest first."""
        ...

    def close(self) -> None:
        """Let go of the file."""
        ...


# --- where work is done ------------------------------------------------------------------------------------------


class Executor(Protocol):
    """Where units of work are done: in this process, in processes of this machine, on a cluster.

    Work is a coroutine function of a module, so that it can be named to another process; what it takes and gives is
    small, for large things go by reference.
    """

    @property
    def slots(self) -> int:
        """How much work it takes at once."""
        ...

    def submit(self, work: Callable[..., Coroutine[Any, Any, T]], *arguments: Any) -> Future[T]:
        """Have work done.

        The future raises `WorkerLostError` where the worker died of it or with it; nothing is done again on its own.
        """
        ...

    def close(self) -> None:
        """Let go of the workers; what they have under way is given up."""
        ...


# --- tests of metrics --------------------------------------------------------------------------------------------


Half = Literal["", "development half", "test half"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidityFigure:
    """How much a metric is worth, measured: one figure with its interval and the number it rests on.

    Attributes:
        data: On what it was tested.
        fitted: On what its tables or weights were fitted.
        tuned: On what its rules and thresholds were chosen.
        half: Which half of the data it was tested on, where rules were developed on the other.
        chance: The value that a metric without any worth would have; None where that is no question.
    """

    metric: str
    measure: str
    value: float
    interval: tuple[float, float] | None
    n: int
    unit: str
    data: str
    fitted: str = "nothing"
    tuned: str = "nothing"
    half: Half = ""
    chance: float | None = None


class Validation(Named, Protocol):
    """A test of metrics against known answers or labelled data."""

    def figures(self, data: Sequence[Path]) -> Iterator[ValidityFigure]:
        """Yield what was measured.

        Args:
            data: Folders of any kind of data; it takes those that it understands, by what is in them.

        Raises:
            AgentsEvalError: The data that it needs is in none of them.
        """
        ...


@runtime_checkable
class RepeatableValidation(Validation, Protocol):
    """A validation of which a part can be repeated whenever the tests run."""

    def checks(self, data: Sequence[Path]) -> Iterator[ValidityFigure]:
        """Yield figures on the test half, thinned out by a fixed rule where that takes long, without intervals.

        Raises:
            AgentsEvalError: The data that it needs is in none of the folders.
        """
        ...


class PublishedFigures(Protocol):
    """What a package publishes about the worth of its metrics."""

    def suites(self) -> Sequence[Suite]:
        """Return the figures as they were last measured."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedTable:
    """A table as the bytes of its file, and what whoever uses it should know."""

    content: bytes
    warnings: tuple[str, ...] = ()


class Calibration(Named, Protocol):
    """A fitted table that metrics apply: how alike humans are, how common words are."""

    def fit(self, data_dir: Path, venue: str) -> FittedTable:
        """Return the table fitted from a venue.

        Raises:
            PaperError: The folder does not hold the venue, or too little of it.
        """
        ...

    def humans(self, venue: str, tables: Path | None = None) -> Mapping[str, Quartiles]:
        """Return where human reviewers lie, by metric, from the table of that venue or, failing that, of another.

        The quartiles name the venue that they are of. Tables of the user's own go before those that are shipped.
        """
        ...


class View(Named, Protocol):
    """A way to write a run and its scorecard down."""

    @property
    def file_name(self) -> str:
        """What the file beside the run is called: `report.md`."""
        ...

    def render(self, run: Run, scorecard: Scorecard) -> str:
        """Return the report."""
        ...
