"""What does a case, and how it is to be done."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from agents_eval_core.ports.named import Named

if TYPE_CHECKING:
    from agents_eval_core.case import Case
    from agents_eval_core.run import Run, System


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
