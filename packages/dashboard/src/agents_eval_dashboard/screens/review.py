"""The page that has a paper reviewed: it goes on in the background and is told live, then its scorecard and files."""

from datetime import UTC, datetime
from functools import partial
from typing import Any, Final

import streamlit as st

from agents_eval_core.ports.engine import Progress
from agents_eval_core.report.wording import verdict_sentence
from agents_eval_core.settings import Settings
from agents_eval_core.use_cases.evaluate_trace import EvaluatedRun
from agents_eval_core.use_cases.run_review import run_review
from agents_eval_dashboard.background import Job, background
from agents_eval_dashboard.drawing import dark, live, plain, sentences
from agents_eval_dashboard.links import link, links_of_run
from agents_eval_dashboard.metric_table import composite_drawing
from agents_eval_dashboard.review_form import ReviewOrder, review_form
from agents_eval_dashboard.session import settings

SECONDS: Final = 1.0
LINES: Final = 200
NO_ONE: Final = "the run"
SIGNS: Final = {"running": "…", "done": "✔", "failed": "✖", "cancelled": "■"}


def review_page() -> None:
    """Draw the form and the reviews of this server."""
    st.title("Review a paper")
    order = review_form()
    if st.button("Start the review", disabled=order is None, icon=":material/play_arrow:") and order:
        job = background().start("review", order.title, partial(_review, order=order, current=settings()))
        st.query_params["job"] = job.id
    jobs = background().jobs("review")
    if not jobs:
        return
    st.header("Reviews of this server")
    by_id = {job.id: job for job in jobs}
    ids = list(by_id)
    named = st.query_params.get("job", ids[0])
    chosen = st.selectbox(  # by id: what is chosen is handed back as a copy, which would stand still
        "Review",
        ids,
        index=ids.index(named) if named in ids else 0,
        format_func=lambda job: _label(by_id[job]),
        key=f"job {named} {len(jobs)}",
    )
    if chosen != named:
        st.query_params["job"] = chosen
    is_running = by_id[chosen].state == "running"
    st.fragment(_job, run_every=SECONDS if is_running else None)(by_id[chosen], was_running=is_running)


async def _review(job: Job, *, order: ReviewOrder, current: Settings) -> EvaluatedRun:
    def tell(progress: Progress) -> None:
        job.tell(progress.agent, progress.action)

    options: dict[str, Any] = order.options
    return await run_review(order.paper, settings=current, on_progress=tell, **options)


def _label(job: Job) -> str:
    return f"{SIGNS[job.state]} {job.title}, begun {job.begun_at:%H:%M:%S} UTC: {job.state}"


def _job(job: Job, *, was_running: bool) -> None:
    if was_running and job.state != "running":
        st.rerun()
    lines = tuple(job.lines)
    last = f"{lines[-1].agent or NO_ONE} {lines[-1].action}" if lines else "it begins"
    took = f", {(datetime.now(UTC) - job.begun_at).total_seconds():.0f} s" if job.state == "running" else ""
    live(f"{job.state}{took}: {last}")
    if job.state == "running" and st.button("Cancel", icon=":material/stop:", key=f"cancel {job.id}"):
        job.cancel()
    _ending(job)
    left, right = st.columns(2)
    with left:
        st.subheader("Agents and what they did")
        _tree(job)
    with right:
        st.subheader("Log")
        log = "\n".join(f"{line.at:%H:%M:%S} {line.agent or NO_ONE} {line.action}" for line in lines[-LINES:])
        st.code(log or "nothing yet", language=None, wrap_lines=True, height=320)


def _tree(job: Job) -> None:
    by_agent: dict[str, list[str]] = {}
    for line in tuple(job.lines):
        by_agent.setdefault(line.agent or NO_ONE, []).append(line.action)
    for agent, actions in by_agent.items():
        st.markdown(f"**{plain(agent)}** ({len(actions)})")
        sentences(f"└ {action}" for action in actions)


def _ending(job: Job) -> None:
    if job.state == "failed":
        st.error(plain(job.problem))
    elif job.state == "cancelled":
        st.warning("It was cancelled. What was done until then is kept as an interrupted run, if it had begun.")
        link("runs", "Interrupted runs", "list", {"status": "interrupted"})
    elif isinstance(job.result, EvaluatedRun):
        _result(job.result)


def _result(done: EvaluatedRun) -> None:
    if done.run.problem is not None:
        st.error(plain(f"{done.run.problem.error_type}: {done.run.problem.message}"))
    if done.scorecard is not None:
        st.subheader(plain(verdict_sentence(done.scorecard)))
        st.html(composite_drawing(done.scorecard, dark=dark()) or "<span></span>")
    links_of_run({"id": done.run.id})
    with st.expander(f"{len(done.files)} files written"):
        sentences(str(file) for file in done.files)


review_page()
