"""The page of runs: what there is, and the scorecard of the one that is chosen."""

import streamlit as st

from agents_eval_core.composite import SIX
from agents_eval_core.errors import AgentsEvalError
from agents_eval_core.report.wording import model_name, score_value, trace_summary, verdict_sentence
from agents_eval_core.run import Run, RunRecord
from agents_eval_core.score import Score, Scorecard
from agents_eval_dashboard.drawing import plain, table
from agents_eval_dashboard.kept_runs import data_root, opened, records

TIERS = {1: "Tier 1: the text", 2: "Tier 2: the judge", 3: "Tier 3: the behaviour"}


def runs_page() -> None:
    """Draw the list of runs and the chosen one."""
    st.title("Runs")
    root = data_root()
    found = records(root)
    if not found:
        st.info("There is no run yet. `agents-eval quickstart` makes some in a few seconds, offline and without a key.")
        return
    table([_row(record) for record in found])
    chosen = st.selectbox("Run", found, format_func=_label, key="run")
    try:
        run, scorecard = opened(root, chosen)
    except AgentsEvalError as problem:
        st.error(str(problem))
        return
    _draw(run, scorecard)


def _row(record: RunRecord) -> dict[str, object]:
    return {
        "created": record.created_at,
        "paper": record.paper,
        "composition": record.composition,
        "status": record.status,
        "verdict": record.verdict or "none",
        "composite": record.composite,
        "coverage": record.coverage,
        "run": record.id,
    }


def _label(record: RunRecord) -> str:
    return f"{record.paper} · {record.composition} · {record.verdict or record.status} · {record.id}"


def _draw(run: Run, scorecard: Scorecard | None) -> None:
    st.header(plain(run.case.paper.title if run.case.paper else run.case.id))
    st.caption(f"{run.system.engine} · {run.system.composition} · {model_name(run.system)} · {run.status}")
    if run.problem is not None:
        st.error(plain(f"{run.problem.error_type}: {run.problem.message}"))
    if scorecard is None:
        st.info(f"This run has no scorecard. `agents-eval evaluate {run.id}` makes one.")
    else:
        _draw_scorecard(scorecard)
    _draw_work(run)


def _draw_scorecard(scorecard: Scorecard) -> None:
    st.subheader(verdict_sentence(scorecard))
    table([_six_row(name, scorecard) for name in SIX])
    for sentence in (*scorecard.caps, *scorecard.tier_agreement):
        st.text(sentence)
    for finding in scorecard.findings:
        st.text(f"{finding.severity}: {finding.sentence}")
    for column, (tier, heading) in zip(st.columns(len(TIERS)), TIERS.items(), strict=True):
        with column:
            st.markdown(f"**{heading}**")
            table([_score_row(score) for score in scorecard.scores if score.tier == tier])


def _six_row(name: str, scorecard: Scorecard) -> dict[str, object]:
    score = scorecard.score(name)
    return {
        "metric": name,
        "score": score_value(score),
        "weight": scorecard.weights_used.get(name),
        "why": score.explanation if score else "nothing measures it",
    }


def _score_row(score: Score) -> dict[str, str]:
    return {"metric": score.name, "score": score_value(score), "why": score.explanation}


def _draw_work(run: Run) -> None:
    if run.trace is not None:
        st.subheader("What the agents did")
        for line in trace_summary(run.trace):
            st.text(line)
    if run.output is not None:
        st.subheader("The review")
        st.text(run.output.summary)
        for heading, points in run.output.parts():
            if points:
                st.markdown(f"**{heading}**")
                for point in points:
                    st.text(f"{point.text}" + (f" ({point.anchor})" if point.anchor else ""))
