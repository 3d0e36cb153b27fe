"""The page of sweeps: how far they are, what each cell came to, which systems no other beats, what failed, going on."""

from functools import partial
from pathlib import Path
from typing import Final

import streamlit as st

from agents_eval_core.composition import composition_name
from agents_eval_core.counted import count
from agents_eval_core.report.sweep_wording import HEADS, incomplete, reproduction, sentences, system_cells
from agents_eval_core.settings import Settings
from agents_eval_core.sweep_outcome import CellOutcome, SweepReport
from agents_eval_core.use_cases.sweep import resume_sweep, sweep_progress
from agents_eval_core.use_cases.sweep_cells import sweep_cells
from agents_eval_core.use_cases.sweep_folder import SweepFolder
from agents_eval_core.use_cases.sweep_report import sweep_report
from agents_eval_core.work import WorkProgress
from agents_eval_dashboard import drawing
from agents_eval_dashboard.awaited import awaited
from agents_eval_dashboard.background import Job, background
from agents_eval_dashboard.charts.front import front_chart
from agents_eval_dashboard.charts.heat_map import heat_map
from agents_eval_dashboard.comparison_parts import conclusions, worth_tables
from agents_eval_dashboard.drawing import grid, live, plain, table
from agents_eval_dashboard.links import link
from agents_eval_dashboard.session import data_root, settings

SECONDS: Final = 2.0
RESUMING: Final = "sweep"


def sweeps_page() -> None:
    """Draw the sweep that the address names, or the list of them."""
    st.title("Sweeps")
    names = SweepFolder.names(data_root())
    if not names:
        st.info("There is no sweep yet. `agents-eval sweep --dataset sample --papers 3` makes one, offline.")
        return
    given = st.query_params.get("name", names[0])
    if given not in names:
        st.error(plain(f"There is no sweep named {given!r}; it may have been removed. These are there:"))
    name = st.selectbox("Sweep", names, index=names.index(given) if given in names else 0, key=f"sweep {given}")
    st.query_params["name"] = name
    _progress_of(name)
    folder = SweepFolder.named(name, data_root())
    cells = sweep_cells(folder)
    _heat(cells)
    current = settings()
    report = _report(name, _state(folder.path), current)
    _systems(report)
    _comparison(report)
    _failures(report)
    st.header("To make it again")
    table([{"": label, "is": value} for label, value in reproduction(report)], "what the sweep was begun with")


def _progress_of(name: str) -> None:
    progress = sweep_progress(name, data_root())
    jobs = [job for job in background().jobs(RESUMING) if job.title == name]
    is_live = bool(jobs and jobs[0].state == "running") or bool(progress.counts["running"])
    st.fragment(_progress, run_every=SECONDS if is_live else None)(name, jobs[0] if jobs else None, was_live=is_live)


def _progress(name: str, job: Job | None, *, was_live: bool) -> None:
    progress = sweep_progress(name, data_root())
    is_resumed = job is not None and job.state == "running"
    if was_live and not is_resumed and not progress.counts["running"]:
        st.rerun()
    st.progress(progress.ended / progress.total if progress.total else 0.0)
    live(_told(progress))
    if job is not None and job.problem:
        st.error(plain(job.problem))
    if is_resumed:
        if st.button("Break off", icon=":material/stop:") and job is not None:
            job.cancel()
    elif progress.left or progress.counts["failed"]:
        _resume(name, progress)


def _told(progress: WorkProgress) -> str:
    spent = progress.spent
    counts = ", ".join(f"{number:,} {state}" for state, number in progress.counts.items() if number)
    end = "" if progress.remaining_seconds is None else f"; about {progress.remaining_seconds:.0f} s to go"
    cost = "cost unknown" if spent.cost_usd is None else f"{spent.cost_usd:.4g} USD"
    tokens = "tokens unknown" if spent.tokens is None else f"{spent.tokens:,} tokens"
    waits = f"; it waits: {progress.waits_for}" if progress.waits_for else ""
    return f"{count(progress.total, 'cell')}: {counts}{end}; {progress.elapsed_seconds:.0f} s, {tokens}, {cost}{waits}"


def _resume(name: str, progress: WorkProgress) -> None:
    first, second = st.columns(2)
    with first:
        if progress.left and st.button("Go on", icon=":material/play_arrow:"):
            _begin(name, retry=False)
    with second:
        failed = progress.counts["failed"]
        if failed and st.button(f"Do the {failed:,} failed cells again", icon=":material/replay:"):
            _begin(name, retry=True)


def _begin(name: str, *, retry: bool) -> None:
    background().start(RESUMING, name, partial(_resumed, name=name, retry=retry, current=settings()))
    st.rerun()


async def _resumed(job: Job, *, name: str, retry: bool, current: Settings) -> WorkProgress:
    def tell(progress: WorkProgress) -> None:
        job.tell(name, _told(progress))

    return await resume_sweep(name, settings=current, retry_failed=retry, on_progress=tell)


def _heat(cells: tuple[CellOutcome, ...]) -> None:
    st.header("Each system on each paper")
    metrics = ["composite", *sorted({metric for cell in cells for metric in (*cell.scores, *cell.missing)})]
    repetitions = sorted({cell.repetition for cell in cells})
    left, right = st.columns(2)
    with left:
        metric = st.selectbox("Metric", metrics, key="heat metric") or metrics[0]
    with right:
        repetition = st.selectbox("Repetition", repetitions, key="heat repetition") or 0
    heat_map([cell for cell in cells if cell.repetition == repetition], metric)


@st.cache_data(max_entries=8, show_spinner="Comparing the systems …")
def _report(name: str, state: tuple[int, ...], _settings: Settings) -> SweepReport:  # noqa: ARG001  changes when the journal does
    return awaited(sweep_report(name, settings=_settings))


def _state(folder: Path) -> tuple[int, ...]:
    return tuple(file.stat().st_mtime_ns for file in sorted(folder.glob("journal.sqlite*")))


def _systems(report: SweepReport) -> None:
    st.header("The systems")
    drawing.sentences(sentences(report))
    grid(
        [dict(zip(HEADS, system_cells(row), strict=True)) for row in report.systems],
        "each system with its runs, failures and means with 95 % intervals over papers",
    )
    drawing.sentences(incomplete(report))


def _comparison(report: SweepReport) -> None:
    comparison = report.comparison
    if comparison is None:
        st.info(plain(f"The systems are not compared: {report.no_comparison}."))
        return
    st.header("Quality against what it takes")
    front_chart(comparison.standings)
    st.text(f"{comparison.winner_sentence[:1].upper()}{comparison.winner_sentence[1:]}.")
    conclusions(comparison)
    name = report.order.plan.name
    link("compare", "The comparison in full, pair by pair", "compare_arrows", {"a": f"{name}:*"})
    worth_tables(comparison)


def _failures(report: SweepReport) -> None:
    st.header("Failed cells")
    if not report.failures:
        st.text("None.")
    table(
        [
            {
                "system": composition_name(cell.composition) or cell.engine,
                "paper": cell.paper,
                "repetition": cell.repetition,
                "attempts": cell.attempts,
                "error": cell.problem.error_type if cell.problem else "unknown",
                "why": cell.problem.message if cell.problem else "unknown",
            }
            for cell in report.failures
        ],
        "the failed cells with their reasons",
    )


sweeps_page()
