"""Evaluate what a run left behind: a run directory, a stored run, or anybody's trace file."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from agents_eval_core import registry
from agents_eval_core.case import Case
from agents_eval_core.case_file import read_case
from agents_eval_core.claude_code_sessions import is_pointer, session_transcript
from agents_eval_core.data_root import DataRoot
from agents_eval_core.errors import SeveralRunsError, UnreadableError
from agents_eval_core.evaluation import evaluate
from agents_eval_core.judging import Exchange
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.ports.store import Store
from agents_eval_core.run import Run, System
from agents_eval_core.score import Scorecard, Tier
from agents_eval_core.settings import Settings
from agents_eval_core.store.run_directory import RUN, RunDirectory
from agents_eval_core.trace import Trace
from agents_eval_core.trace_source import read_trace
from agents_eval_core.use_cases.judge_choice import AUTO, resolve_judge
from agents_eval_core.use_cases.selection import record_of, select_run

JUDGED: Final = "judge.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluatedRun:
    """A run with its scorecard, and the files that hold them; the directory is None where nothing was kept."""

    run: Run
    scorecard: Scorecard | None
    directory: Path | None
    files: tuple[Path, ...]


async def evaluate_trace(
    source: str | Path,
    *,
    settings: Settings,
    tiers: Sequence[Tier] | None = None,
    judge: str | None = None,
    trace_format: str | None = None,
    trace_id: str | None = None,
    case: str | Path | Case | None = None,
    root: Path | None = None,
) -> EvaluatedRun:
    """Return the scorecard of a run, made anew from what is on disk.

    A run of ours is evaluated from its directory, and the new scorecard is kept there and in the store. Of a foreign
    trace nothing is kept.

    Args:
        source: A run directory, a trace file or session folder, the id of a stored run, or a pointer to one of the
            user's own sessions (`claude-code:latest`, `claude-code:<session id>`).
        settings: Data root, limits and weights.
        tiers: Only these tiers.
        judge: `provider`, `provider:model`, a panel `a+b+c`, `auto` or `caller`; default is the setting, else none.
        trace_format: The format of a trace file; by default it is recognised by its content.
        trace_id: Which trace of a file that holds several.
        case: What the run is held against, or a YAML or JSON file of it: expected calls, whether tools are needed, a
            prompt. What it states, but for its id, replaces what the run's own case says, and nothing is
            kept.
        root: The folder that nothing may be read outside of; by default there is none.

    Raises:
        UsageError: There is no such thing, or it is not one run.
        UnreadableError: It is there but cannot be understood.
    """
    if judge not in (None, AUTO):
        resolve_judge(judge, settings)  # one that cannot be used is said before anything is read
    loaded = load_run(source, settings=settings, trace_format=trace_format, trace_id=trace_id, case=case, root=root)
    context = resolve_judge(judge, settings, loaded.run.system)
    return await evaluate_loaded(loaded, settings=settings, context=context, tiers=tiers)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedRun:
    """A run as it was read, and the directory that its scorecard is kept in; None where nothing is kept."""

    run: Run
    directory: RunDirectory | None


def load_run(
    source: str | Path,
    *,
    settings: Settings,
    trace_format: str | None = None,
    trace_id: str | None = None,
    case: str | Path | Case | None = None,
    root: Path | None = None,
) -> LoadedRun:
    """Return the run of a source of `evaluate_trace`, with the case that is stated over its own.

    Raises:
        UsageError: There is no such thing, or it is not one run.
        UnreadableError: It is there but cannot be understood.
    """
    path = session_transcript(str(source)) if is_pointer(str(source)) else Path(source)
    stated = read_case(Path(case)) if isinstance(case, str | Path) else case
    if is_foreign(path):
        run = run_of(_one_trace(path, trace_format, trace_id, root))
        return LoadedRun(run=run.changed(case=_stated_over(run.case, stated)), directory=None)
    directory = _directory(str(source), DataRoot(path=settings.home), root)
    run = directory.read_run()
    if stated is None:
        return LoadedRun(run=run, directory=directory)
    return LoadedRun(run=run.changed(case=_stated_over(run.case, stated)), directory=None)


async def evaluate_loaded(
    loaded: LoadedRun, *, settings: Settings, context: EvaluationContext, tiers: Sequence[Tier] | None = None
) -> EvaluatedRun:
    """Evaluate a run, and keep the scorecard where the run has a directory."""
    if loaded.directory is None:
        scorecard = await evaluate(loaded.run, settings=settings, context=context, tiers=tiers)
        return EvaluatedRun(run=loaded.run, scorecard=scorecard, directory=None, files=())
    data_root = DataRoot(path=settings.home)
    store = registry.store("sqlite", data_root.database)
    try:
        return await keep_evaluated(loaded.directory, data_root, store, settings=settings, context=context, tiers=tiers)
    finally:
        store.close()


async def keep_evaluated(
    directory: RunDirectory,
    root: DataRoot,
    store: Store,
    *,
    settings: Settings,
    context: EvaluationContext,
    tiers: Sequence[Tier] | None = None,
) -> EvaluatedRun:
    """Evaluate a run from its directory, and keep the scorecard there and in the store."""
    run, scorecard = await write_evaluated(directory, settings=settings, context=context, tiers=tiers)
    store.finish(record_of(run, directory.path, root, scorecard), run.trace, scorecard)
    return EvaluatedRun(run=run, scorecard=scorecard, directory=directory.path, files=directory.files())


async def write_evaluated(
    directory: RunDirectory, *, settings: Settings, context: EvaluationContext, tiers: Sequence[Tier] | None = None
) -> tuple[Run, Scorecard]:
    """Evaluate a run from its directory, and keep the scorecard and the reports there."""
    run = directory.read_run()
    scorecard = await evaluate(run, settings=settings, context=context, tiers=tiers)
    views = [registry.view(name) for name in registry.names("views")]
    reports = {view.file_name: view.render(run, scorecard) for view in views}
    if not context.ledger.exchanges:
        (directory.path / JUDGED).unlink(missing_ok=True)  # it belonged to scores that are replaced now
    directory.write_scorecard(scorecard, reports | _asked(context))
    return run, scorecard


def _asked(context: EvaluationContext) -> dict[str, str]:
    """Return the record of what judges were asked and answered, by file name; none where nobody was asked."""
    lines = [exchange.model_dump_json() for exchange in context.ledger.exchanges]
    return {JUDGED: "\n".join(lines) + "\n"} if lines else {}


def read_asked(directory: RunDirectory) -> tuple[Exchange, ...]:
    """Return what judges were asked about a run, from its directory."""
    path = directory.path / JUDGED
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return tuple(Exchange.model_validate_json(line) for line in lines)


def is_foreign(path: Path) -> bool:
    """Whether a path is somebody's trace, and no run directory or selector of ours."""
    if path.is_dir():
        return not (path / RUN).exists()
    return path.is_file() and path.name != RUN


def _stated_over(own: Case, stated: Case | None) -> Case:
    if stated is None:
        return own
    return own.changed(**{name: getattr(stated, name) for name in stated.model_fields_set - {"id"}})


def _directory(source: str, data: DataRoot, root: Path | None) -> RunDirectory:
    return RunDirectory.open(data.path / select_run(source, data).directory, root)


def _one_trace(path: Path, trace_format: str | None, trace_id: str | None, root: Path | None) -> Trace:
    try:
        return read_trace(path, trace_format, trace_id=trace_id, root=root)
    except UnreadableError as problem:
        if path.is_dir() and trace_format is None and any(child.is_file() for child in path.rglob("*")):
            raise SeveralRunsError(f"{problem}; the files in it can be read one by one") from problem
        raise


def run_of(trace: Trace) -> Run:
    """Return a foreign trace as a run; its output is what a working agent said last."""
    starts = [span.started_at for span in trace.spans if span.started_at is not None]
    speakers = {agent.id for agent in trace.agents if agent.role in ("worker", "orchestrator")}
    said = [span for span in trace.spans if span.operation in ("chat", "message") and span.agent_id in speakers]
    texts = [span.text for span in said if span.text]
    return Run(
        id=trace.id,
        status="complete",
        case=Case(id=trace.task_id or trace.id, task="unknown", group_id=trace.group_id),
        system=System(engine=trace.source.format),
        trace=trace,
        output_text=texts[-1] if texts else None,
        created_at=min(starts, default=datetime.now(UTC)),
    )
