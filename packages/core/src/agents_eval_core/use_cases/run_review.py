"""Review one paper with a system of agents, keep the run, and evaluate it."""

import asyncio
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from agents_eval_core import registry
from agents_eval_core.case import Case
from agents_eval_core.data_root import DataRoot
from agents_eval_core.errors import PaperError, UsageError
from agents_eval_core.paper_files.interruption import apart
from agents_eval_core.paper_files.own_paper import is_paper_file, own_paper
from agents_eval_core.ports.engine import Engine, EngineOptions, EngineResult, Limits, Progress, Viewers, WebSearch
from agents_eval_core.run import Problem, Run
from agents_eval_core.settings import Settings
from agents_eval_core.store.run_directory import RunDirectory
from agents_eval_core.use_cases.data_folder import data_folder
from agents_eval_core.use_cases.engine_limits import limits_of, patience_of, reading_of
from agents_eval_core.use_cases.evaluate_trace import EvaluatedRun, keep_evaluated
from agents_eval_core.use_cases.judge_choice import resolve_judge
from agents_eval_core.use_cases.selection import record_of

DEFAULT_DATASET: Final = "peerread"
AUTO: Final = "auto"
CHARACTERS_A_TOKEN: Final = 4


async def run_review(
    paper: str | Path,
    *,
    settings: Settings,
    dataset: str | None = None,
    data_dir: Path | None = None,
    references: Sequence[Path] = (),
    composition: str | None = None,
    engine: str = "mas",
    provider: str | None = None,
    model: str | None = None,
    fallbacks: Sequence[str] = (),
    limits: Limits | None = None,
    critic: bool = False,
    web_search: bool = False,
    query: str = "",
    prompts_dir: Path | None = None,
    made_earlier: Path | None = None,
    judge: str | None = None,
    evaluate: bool = True,
    on_progress: Callable[[Progress], None] = lambda _: None,
) -> EvaluatedRun:
    """Let agents review a paper; keep the run under the data root, and evaluate it.

    Args:
        paper: A file of one's own (a `Path`, or a name that ends as such a file does: `draft.pdf`), else the paper's
            id in the dataset. Where a dataset is named, it is always an id.
        settings: Data root, provider, limits and weights.
        dataset: The collection it is in; default is `peerread`.
        data_dir: Where the collection lies; default is the setting, else the downloads.
        references: Files with human reviews of one's own paper; the agents never see them.
        composition: Which agents take part; default is the engine's.
        engine: What does the work.
        provider: Where the agents' model comes from; default is the setting.
        model: Which model; `auto` is the first that is known to take the paper. Default is the setting, else the
            provider's.
        fallbacks: Models that take over where one fails, as `provider:model`; default is the setting.
        limits: What the run may take; what is None there is the setting, else the provider's or the engine's value.
        critic: Whether a Critic challenges the draft.
        web_search: Whether who reads the paper may search the web; it is sent queries of the model's.
        query: What else the agents are asked.
        prompts_dir: Prompt files that replace the built-in ones.
        made_earlier: The stream of a session made earlier, instead of new work; for engines that bring their own model.
        judge: `provider`, `provider:model`, a panel `a+b+c`, `auto` or `caller`; default is the setting, else none.
        evaluate: False keeps the run without a scorecard.
        on_progress: Is told which agent does what.

    Returns:
        The run as it was kept. Its status may be `failed`: then there is no scorecard, and `problem` says why.

    Raises:
        UsageError: Something asked for does not exist or does not fit; nothing was started.
        StorageError: The run could not be kept.
        asyncio.CancelledError: What was done until then is kept as an `interrupted` run.
    """
    runner: Engine = registry.engine(engine)
    _refuse_misfits(runner, engine, provider, made_earlier)
    case = await _case(paper, dataset, data_folder(dataset or DEFAULT_DATASET, data_dir, settings), references)
    refuse_without_text(case)
    chosen = provider or settings.provider
    options = EngineOptions(
        run_id=_new_run_id(),
        composition=composition,
        provider=chosen,
        model=model if runner.brings_its_own_model else _model(model or _usual_model(settings, provider), chosen, case),
        fallbacks=tuple(fallbacks) or settings.fallbacks,
        patience=patience_of(settings),
        limits=limits_of(settings, limits),
        reading=reading_of(settings),
        web_search=_search(web_search, settings),
        is_streamed=settings.stream,
        critic=critic,
        query=query,
        prompts_dir=prompts_dir,
        made_earlier=made_earlier,
        on_progress=on_progress,
        viewers=_viewers(settings),
    )
    system = runner.system(options)
    context = resolve_judge(judge, settings, system)
    started = Run(
        id=options.run_id,
        status="unfinished",
        case=case,
        system=system,
        created_at=datetime.now(UTC),
    )
    known = tuple(_known_beforehand(case))
    for note in known:
        on_progress(Progress(agent="", action=note))
    root = DataRoot(path=settings.home)
    store = registry.store("sqlite", root.database)
    try:
        directory = RunDirectory.create(root.runs, started)
        store.begin(record_of(started, directory.path, root, None))
        result = await run_to_its_end(runner, started, options)
        files: Mapping[str, bytes] = result.files if settings.trace_collection else {}
        notes = (*known, *result.run.notes)
        run = result.run.changed(id=started.id, case=case, created_at=started.created_at, notes=notes)
        directory.finish(run, files)
        if evaluate and run.status == "complete":
            return await keep_evaluated(directory, root, store, settings=settings, context=context)
        store.finish(record_of(run, directory.path, root, None), run.trace, None)
        if run.status == "interrupted":
            raise asyncio.CancelledError
        return EvaluatedRun(run=run, scorecard=None, directory=directory.path, files=directory.files())
    finally:
        store.close()


def _refuse_misfits(runner: Engine, name: str, provider: str | None, made_earlier: Path | None) -> None:
    if runner.brings_its_own_model and provider is not None:
        raise UsageError(
            f"engine {name} brings its own model; leave the provider {provider!r} out, the model can be named"
        )
    if made_earlier is not None and not runner.brings_its_own_model:
        raise UsageError(
            f"engine {name} does its work anew; only a session of Claude Code can be given as made earlier"
        )


def _search(wanted: bool, settings: Settings) -> WebSearch:
    """Return who searches the web: as it is set, and where that is nobody but a search is wanted, whoever can."""
    return "auto" if wanted and settings.web_search == "off" else settings.web_search


def _usual_model(settings: Settings, provider: str | None) -> str | None:
    return settings.model if provider in (None, settings.provider) else None


async def _case(paper: str | Path, dataset: str | None, data_dir: Path | None, references: Sequence[Path]) -> Case:
    """Read the paper apart from the event loop, so that being cancelled ends the reading and what it has started."""
    is_own = dataset is None and (isinstance(paper, Path) or is_paper_file(paper))
    if references and not is_own:
        raise UsageError(
            f"references were given for {paper}, a paper of a dataset, which has its own; "
            "give them with a file of your own"
        )

    def read() -> Case:
        if is_own:
            return own_paper(Path(paper), references)
        return registry.dataset(dataset or DEFAULT_DATASET).case(str(paper), data_dir)

    return await apart(read)


async def run_to_its_end(runner: Engine, started: Run, options: EngineOptions) -> EngineResult:
    """Await the engine; when cancelled, cancel it and take what it has done, which may be nothing."""
    work = asyncio.ensure_future(runner.run(started.case.for_agents(), options))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        work.cancel()
        with suppress(asyncio.CancelledError):
            return await work
        problem = Problem(error_type="CancelledError", message="the run was interrupted before it began")
        ended = started.changed(status="interrupted", finished_at=datetime.now(UTC), problem=problem)
        return EngineResult(run=ended, files={})


def refuse_without_text(case: Case) -> None:
    """Refuse a case whose paper says nothing.

    Raises:
        PaperError: There is neither an abstract nor a section.
    """
    if case.paper is None or not case.paper.text.removeprefix(case.paper.title).strip():
        raise PaperError(f"{case.id} has no text to review: neither an abstract nor sections; choose another paper")


def _known_beforehand(case: Case) -> Iterator[str]:
    """Yield what a user should know before any work is done."""
    if not case.references:
        yield f"{case.id} has no usable human review: similarity cannot be measured"
    yield from case.paper.notes if case.paper else ()


def _model(name: str | None, provider: str, case: Case) -> str | None:
    """Return the model's name; `auto` is the first that takes the paper, its tokens counted as characters / 4."""
    if name != AUTO or case.paper is None:
        return name
    return registry.provider(provider).fitting_model(-(-len(case.paper.text) // CHARACTERS_A_TOKEN))


def _viewers(settings: Settings) -> Viewers:
    """Return who is shown the trace; a trace that is not kept is shown to nobody."""
    if not settings.trace_collection:
        return Viewers()
    return Viewers(phoenix_endpoint=settings.phoenix_endpoint, logfire=settings.logfire_enabled)


def _new_run_id() -> str:
    return f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{secrets.token_hex(4)}"
