"""One review, with its progress shown, and what is said when Ctrl-C ends it."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from agents_eval_cli.ending import Interrupted
from agents_eval_cli.interruptible import finished
from agents_eval_cli.session import Session
from agents_eval_cli.views.run import shown_path
from agents_eval_core.use_cases.evaluate_trace import EvaluatedRun
from agents_eval_core.use_cases.reconciliation import reconcile
from agents_eval_core.use_cases.run_list import kept_runs
from agents_eval_core.use_cases.run_review import run_review


def reviewed(session: Session, paper: str | Path, *, about: str = "", **options: Any) -> EvaluatedRun:
    """Let a paper be reviewed, and return the run.

    Args:
        session: Where progress is shown and the run is kept.
        paper: Its id, or a file of the user's own.
        about: What is shown before each line of progress.
        options: Those of `run_review`.

    Raises:
        Interrupted: Ctrl-C ended the run; says what is kept.
    """
    started = datetime.now(UTC)
    try:
        with session.progress(about) as progress:
            return finished(run_review(paper, settings=session.settings, on_progress=progress, **options))
    except KeyboardInterrupt as stop:
        raise Interrupted(_what_is_kept(session, started)) from stop


def _what_is_kept(session: Session, started: datetime) -> str:
    reconcile(session.root)  # the store is written last, and may not know yet how the run ended
    kept = [record for record in kept_runs(session.root) if record.created_at >= started]
    if not kept:
        return "interrupted before this run began; nothing of it is kept"
    directory = shown_path((session.root.path / kept[0].directory).resolve())
    return (
        f"interrupted; what was done until then is kept as {kept[0].status} in {directory}; "
        f"'agents-eval evaluate {kept[0].id}' scores it as it is"
    )
