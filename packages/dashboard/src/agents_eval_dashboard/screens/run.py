"""The page of one run: verdict, metrics on the human scale, findings, the review beside the humans', its cost."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import streamlit as st

from agents_eval_core import registry
from agents_eval_core.counted import count
from agents_eval_core.report.run_report import RunReport
from agents_eval_core.report.wording import SEVERITY_MARKS, number, score_value
from agents_eval_core.review import Review
from agents_eval_core.run import Run
from agents_eval_core.score import Evidence, Part, Score
from agents_eval_dashboard.charts.usage import usage_chart
from agents_eval_dashboard.drawing import dark, plain, sentences, table
from agents_eval_dashboard.links import link, links_of_run
from agents_eval_dashboard.matched_points import marked_review, place_of
from agents_eval_dashboard.metric_table import composite_drawing, metric_table
from agents_eval_dashboard.opened_run import OpenedRun, opened_run
from agents_eval_dashboard.subject import chosen_subject

SPANS_LINKED: Final = 3
OUTPUT_PIXELS: Final = 400


def run_page() -> None:
    """Draw one run."""
    st.title("Run")
    subject = chosen_subject()
    if subject is None:
        return
    links_of_run(subject.address, without="run")
    opened = opened_run(subject)
    paper = opened.run.case.paper
    st.header(plain(paper.title if paper else Path(subject.file).name or opened.run.case.id))
    if opened.is_of_others:
        st.caption("A trace of others: evaluated for this page, without asking a judge; nothing of it is kept.")
    if opened.run.problem is not None:
        problem = opened.run.problem
        st.error(plain(f"It ended as {opened.run.status}. {problem.error_type}: {problem.message}"))
    if opened.trace_problem:
        st.warning(plain(f"Its trace cannot be shown: {opened.trace_problem}"))
    if opened.report is None:
        _unscored(opened)
    else:
        _scored(opened.report, subject.address)
    _review(opened)
    if opened.report is not None:
        _took(opened.report)
    _files(opened)


def _unscored(opened: OpenedRun) -> None:
    run = opened.run
    if run.status == "complete":
        st.info(f"This run was not evaluated. `agents-eval evaluate {plain(run.id)}` gives it a scorecard.")
    elif run.status == "unfinished":
        st.info("This run is under way, or was ended by force: `agents-eval doctor` tells which.")
    else:
        st.info(f"A run that ended as {run.status} gets no scorecard by itself; what it left is here and in its trace.")


def _scored(report: RunReport, address: Mapping[str, str]) -> None:
    st.subheader(plain(report.verdict))
    drawing = composite_drawing(report.scorecard, dark=dark())
    if drawing:
        st.html(drawing)
        st.caption("From 0 to 1: the dot is the composite, the band where it could lie whatever is not measured.")
    with st.expander("About this run"):
        table([{"": label, "is": value} for label, value in report.about], "about this run")
    sentences((*report.notes, *report.scorecard.caps))
    st.header("The six metrics")
    st.caption(
        "0 to 1, higher is better. The band is the middle half of human reviewers, the line in it their median, the "
        "dot this run."
    )
    st.html(metric_table(report.six, dark=dark()))
    _tiers(report)
    _advice(report, address)
    _findings(report, address)


def _tiers(report: RunReport) -> None:
    st.header("The three tiers")
    sentences(report.scorecard.tier_agreement or ("The tiers do not disagree by two verdict classes or more.",))
    for tab, (name, scores) in zip(st.tabs([name for name, _ in report.tiers]), report.tiers, strict=True):
        with tab:
            _scores(scores, name)
    with st.expander(f"{len(report.measures)} measures that are no grades"):
        table(
            [
                {
                    "measure": measure.name,
                    "value": number(measure.value)
                    if measure.value is not None
                    else (measure.reason or "unknown").replace("_", " "),
                    "unit": measure.unit,
                    "why": measure.explanation,
                }
                for measure in report.measures
            ],
            "measures",
        )


def _scores(scores: Sequence[Score], name: str) -> None:
    made = [score for score in scores if score.value is not None]
    unmade = [score for score in scores if score.value is None]
    table([_score_row(score) for score in made], f"{count(len(made), 'score')} of {name}")
    for score in made:
        if score.parts:
            _parts(score)
    if unmade:
        with st.expander(f"{len(unmade)} not measured or not applicable, and why", expanded=not made):
            table([_score_row(score) for score in unmade], f"what {name} did not measure")


def _score_row(score: Score) -> dict[str, object]:
    return {
        "metric": score.name,
        "score": score_value(score),
        "by": f"{score.evaluator} {score.version}",
        "why": score.explanation,
    }


def _parts(score: Score) -> None:
    with st.expander(f"Parts of {plain(score.name)}"):
        table([{"mark": part.mark or "none", "part": part.text} for part in score.parts], f"parts of {score.name}")


def _advice(report: RunReport, address: Mapping[str, str]) -> None:
    if not report.suggestions:
        return
    st.header("What to do next")
    for place, one in enumerate(report.suggestions):
        with st.container(border=True):
            st.markdown(f"**{SEVERITY_MARKS[one.severity]}** {plain(one.sentence)}")
            st.text(f"{one.source}: {one.because}")
            _evidence(address, one.evidence, f"advice {place}")


def _findings(report: RunReport, address: Mapping[str, str]) -> None:
    st.header("Findings")
    if not report.findings:
        st.text("None: no evaluator found anything worth a sentence.")
    for place, finding in enumerate(report.findings):
        with st.container(border=True):
            st.markdown(f"**{SEVERITY_MARKS[finding.severity]}** {plain(finding.sentence)}")
            _evidence(address, finding.evidence, f"finding {place}")


def _evidence(address: Mapping[str, str], evidence: Evidence, key: str) -> None:
    sentences(f"“{quote}”" for quote in evidence.quotes)
    for span in evidence.span_ids[:SPANS_LINKED]:
        link("trace", f"Step {span}", "account_tree", {**address, "span": span})
    more = evidence.span_ids[SPANS_LINKED:]
    if more:
        with st.expander(f"{len(more)} more steps", key=key):
            sentences(more)


def _review(opened: OpenedRun) -> None:
    run = opened.run
    if run.output is None and run.output_text is None:
        return
    st.header("What came out, beside the human reviews" if run.case.references else "What came out")
    left, right = st.columns(2) if run.case.references else (st.container(), None)
    with left:
        if run.output is None:
            st.code(run.output_text or "", language=None, wrap_lines=True, height=OUTPUT_PIXELS)
        else:
            _own(run.output)
    if right is not None:
        with right:
            _human(run, opened.report)


def _own(review: Review) -> None:
    st.text(review.summary)
    for name, points in review.parts():
        if points:
            st.markdown(f"**{name}**")
            sentences(point.text + (f" ({point.anchor})" if point.anchor else "") for point in points)
    if review.recommendation is not None:
        st.text(f"Recommendation: {review.recommendation.replace('_', ' ')}")


def _human(run: Run, report: RunReport | None) -> None:
    points: tuple[Part, ...] = () if report is None else (*report.found, *report.missed)
    if report is not None and points:
        st.caption(
            f"✔ {count(len(report.found), 'point')} of the best covered reviewer found in the review too, "
            f"✖ {len(report.missed)} missed."
        )
    humans = run.case.references
    holds = [sum(place_of(point, human) is not None for point in points) for human in humans]
    names = [plain(human.id) for human in humans]
    for tab, human in zip(st.tabs(names, default=names[holds.index(max(holds))]), humans, strict=True):
        with tab:
            st.html(marked_review(human, points))
    nowhere = [point for point in points if all(place_of(point, human) is None for human in humans)]
    if nowhere:
        table([{"mark": point.mark, "point": point.text} for point in nowhere], "points of the best covered reviewer")


def _took(report: RunReport) -> None:
    if report.agents:
        st.header("What the agents did and took")
        usage_chart(report.agents)


def _files(opened: OpenedRun) -> None:
    st.header("Files")
    if opened.scorecard is not None:
        for name in ("html", "markdown"):
            view = registry.view(name)
            text = view.render(opened.run, opened.scorecard)
            st.download_button(f"Download {view.file_name}", text, view.file_name, icon=":material/download:")
    sentences(str(file) for file in opened.files)


run_page()
