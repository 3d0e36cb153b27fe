"""The first page: what this is, how to begin, the newest runs, and what will not be measured as things are set."""

from typing import Final

import streamlit as st

from agents_eval_core import registry
from agents_eval_core.errors import AgentsEvalError
from agents_eval_core.run_list import RunOrder
from agents_eval_core.settings import Settings
from agents_eval_core.use_cases.judge_choice import resolve_judge
from agents_eval_core.use_cases.run_list import list_runs
from agents_eval_dashboard.drawing import plain, refusal
from agents_eval_dashboard.links import link, run_link
from agents_eval_dashboard.session import data_root, settings

NEWEST: Final = 6
OFFLINE: Final = "offline"


def home_page() -> None:
    """Draw the first page."""
    st.title("Agents-eval")
    st.write(
        "How good is a multi-agent system, judged by what it produced and by how it worked, and is one really better "
        "than another? Every number here comes from a scorecard on disk, with what was not measured and why."
    )
    _first_steps()
    _newest_runs()
    _configured()


def _first_steps() -> None:
    st.header("Three first steps")
    first, second, third = st.columns(3)
    with first:
        link("review", "1. Let agents review a paper", "rate_review")
        st.caption("The dataset sample and the offline baseline need no key and no network.")
    with second:
        link("runs", "2. Look at a run", "list")
        st.caption("Its scorecard, its trace, the graph of its agents.")
    with third:
        link("compare", "3. Compare two systems", "compare_arrows")
        st.caption("Better, worse, equivalent, or not enough data, with the interval that says so.")


def _newest_runs() -> None:
    st.header("The newest runs")
    try:
        page = list_runs(data_root(), order=RunOrder(size=NEWEST))
    except AgentsEvalError as problem:
        refusal(problem)
        return
    if not page.records:
        st.info("There is no run yet. `agents-eval quickstart` makes some in a few seconds, offline and without a key.")
        return
    for record in page.records:
        run_link(record)
    link("runs", f"All {page.total:,} runs", "list")


def _configured() -> None:
    st.header("What is configured")
    current = settings()
    for sentence in (_provider(current), _judge(current), _papers(current)):
        st.markdown(f"- {plain(sentence)}")
    link("settings", "Settings", "settings")


def _provider(current: Settings) -> str:
    if current.provider == OFFLINE:  # told without loading it, which costs more than all else on this page
        return (
            "Agents: the offline baseline, which is no language model but the floor that one must beat; time_taken "
            "does not apply to it."
        )
    try:
        provider = registry.provider(current.provider)
        problem = provider.unavailable_because()
    except AgentsEvalError as failure:
        return f"Agents: {failure}."
    if problem:
        return f"Agents: the provider {current.provider} cannot be used now: {problem}."
    if not provider.has_language_model:
        return f"Agents: {current.provider}, which is no language model; time_taken does not apply to it."
    return f"Agents: {current.provider}, model {current.model or provider.default_model or 'not stated'}."


def _judge(current: Settings) -> str:
    try:
        context = resolve_judge(None, current)
    except AgentsEvalError as failure:
        return f"Judge: {failure}."
    if context.judges:
        return f"Judge: {' and '.join(judge.name for judge in context.judges)}."
    return f"Judge: {context.judge_absence}; planning_rationality and all of tier 2 will not be measured."


def _papers(current: Settings) -> str:
    if current.data_dir is None:
        return "Papers: the dataset sample. AGENTS_EVAL_DATA_DIR names a folder of PeerRead venues."
    return f"Papers: the dataset sample, and the venues in {current.data_dir}."


home_page()
