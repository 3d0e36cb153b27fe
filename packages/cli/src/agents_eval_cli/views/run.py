"""What a run was: who did what with which model, how it ended, and which files hold it."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.console import Group
from rich.text import Text

from agents_eval_cli.views.page import bullets, heading, pairs
from agents_eval_core.report.wording import model_name
from agents_eval_core.run import Run


def run_object(run: Run, directory: Path | None) -> dict[str, Any]:
    """Return what the JSON result says about a run."""
    return {
        "id": run.id,
        "dir": directory,
        "status": run.status,
        "engine": run.system.engine,
        "composition": run.system.composition,
        "agents": acting_agents(run),
        "provider": run.system.provider,
        "model": run.system.model,
        "has_language_model": run.system.has_language_model,
        "dataset": run.case.dataset,
        "paper": run.case.paper.id if run.case.paper else run.case.id,
        "case": run.case.id,
        "problem": run.problem,
        "notes": run.notes,
    }


def acting_agents(run: Run) -> tuple[str, ...]:
    """Return the names of the agents that acted in the trace; without a trace, of those that were declared."""
    if run.trace is None:
        return run.system.agents
    acting = {span.agent_id for span in run.trace.spans}
    names = (
        agent.name for agent in run.trace.agents if agent.id in acting and agent.role in ("worker", "orchestrator")
    )
    return tuple(dict.fromkeys(names))


def run_view(run: Run) -> Group:
    """Return the head of a run's page."""
    return Group(Text(_title(run), style="bold"), pairs(*_lines(run)), *([bullets(*run.notes)] if run.notes else []))


def files_view(files: Sequence[Path]) -> Group:
    """Return the list of the files that hold a run."""
    if not files:
        return Group(Text("\nNo file was written: of a trace of others nothing is kept."))
    return Group(heading("Files in"), whole_line(shown_path(files[0].parent)), *(Text(f"  {f.name}") for f in files))


def whole_line(text: str) -> Text:
    """Return a line that is copied as a whole: never folded, however narrow the terminal."""
    return Text(text, no_wrap=True, overflow="ignore")


def shown_path(path: Path) -> str:
    """Return a path as one would type it here: relative to the working directory where it lies below it."""
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)


def _title(run: Run) -> str:
    return run.case.paper.title if run.case.paper and run.case.paper.title else run.case.id


def _lines(run: Run) -> Iterator[tuple[str, str]]:
    yield "run", f"{run.id} ({run.status})"
    if run.case.paper is not None:
        yield "paper", run.case.id
    yield "system", f"{run.system.engine} {run.system.composition}".strip()
    yield "agents", ", ".join(acting_agents(run)) or "not known"
    yield "model", model_name(run.system)
    if run.problem is not None:
        yield "problem", f"{run.problem.error_type}: {run.problem.message}"
