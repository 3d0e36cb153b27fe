"""Review one paper with a system of agents, keep the run, and evaluate it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from agents_eval_core.ports import Progress
from agents_eval_core.run import Run
from agents_eval_core.score import Scorecard
from agents_eval_core.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluatedRun:
    """A run with its scorecard, and the files that hold them; the directory is None where nothing was kept."""

    run: Run
    scorecard: Scorecard | None
    directory: Path | None
    files: tuple[Path, ...]


async def run_review(
    paper: str,
    *,
    settings: Settings,
    dataset: str = "peerread",
    data_dir: Path | None = None,
    composition: str | None = None,
    engine: str = "mas",
    provider: str | None = None,
    model: str | None = None,
    critic: bool = False,
    query: str = "",
    prompts_dir: Path | None = None,
    judge: str | None = None,
    evaluate: bool = True,
    on_progress: Callable[[Progress], None] = lambda _: None,
) -> EvaluatedRun:
    """Review a paper (stub)."""
    raise NotImplementedError
