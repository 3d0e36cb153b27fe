"""The page of comparisons: two or three sets of runs, the conclusion as a sentence, and what it rests on."""

from typing import Final

import streamlit as st

from agents_eval_core.comparison import Comparison, Contrast, MetricComparison
from agents_eval_core.data_root import DataRoot
from agents_eval_core.report.comparison_wording import (
    beside_the_headline,
    left_out,
    pass_rates,
    sentence_after_conclusion,
)
from agents_eval_core.report.worth_wording import worth_lines
from agents_eval_core.settings import Settings
from agents_eval_core.use_cases.compare_runs import compare_runs
from agents_eval_core.use_cases.paper_differences import PaperDifferences, paper_differences
from agents_eval_dashboard.awaited import awaited
from agents_eval_dashboard.charts.forest import forest_chart
from agents_eval_dashboard.charts.front import front_chart
from agents_eval_dashboard.charts.papers import papers_chart
from agents_eval_dashboard.drawing import plain, sentences, table
from agents_eval_dashboard.links import link
from agents_eval_dashboard.session import settings

SIDES: Final = (("a", "Baseline"), ("b", "Candidate"), ("c", "Another candidate"))
HELP: Final = (
    "A run's id or its beginning, a run directory, a sweep's name, SWEEP:COMPOSITION, SWEEP:* for each composition, or "
    "a query such as composition=full,dataset=sample"
)
SIGNS: Final = {"better": "▲", "worse": "▼", "equivalent": "=", "not enough data": "?"}


def compare_page() -> None:
    """Draw the comparison that the address names."""
    st.title("Compare")
    selectors = _selectors()
    margin = _margin()
    if len(selectors) < 2 and not any(each.endswith(":*") for each in selectors):  # noqa: PLR2004  it takes two
        st.info("Name two sets of runs. Both of the same papers tell most: each paper is then held against itself.")
        return
    current = settings()
    comparison = _compared(selectors, margin, current.model_dump_json(), _state(current), current)
    if comparison.winner_sentence:
        st.subheader(plain(comparison.winner_sentence))
    for place, contrast in enumerate(comparison.contrasts):
        _contrast(contrast, comparison, current, place)
    st.header("Cost against quality")
    front_chart(comparison.standings)
    sentences(line for standing in comparison.standings for line in pass_rates(standing))
    _worth(comparison)


def _selectors() -> tuple[str, ...]:
    given: list[str] = []
    for column, (key, label) in zip(st.columns(len(SIDES)), SIDES, strict=True):
        with column:
            text = st.text_input(label, value=st.query_params.get(key, ""), help=HELP).strip()
        if text:
            st.query_params[key] = text
            given.append(text)
        elif key in st.query_params:
            del st.query_params[key]
    return tuple(given)


def _margin() -> float | None:
    value = st.number_input(
        "The smallest difference of a score that matters",
        min_value=0.0,
        max_value=0.99,
        value=None,
        step=0.01,
        placeholder="not stated: then nothing is called equivalent",
    )
    return value or None


@st.cache_data(max_entries=16, show_spinner="Comparing …")
def _compared(
    selectors: tuple[str, ...],
    margin: float | None,
    key: str,  # noqa: ARG001  the settings as far as they can be told apart
    state: tuple[int, ...],  # noqa: ARG001  changes when the store does
    _settings: Settings,
) -> Comparison:
    return awaited(compare_runs(selectors, settings=_settings, margin=margin))


@st.cache_data(max_entries=32, show_spinner="Looking at the papers …")
def _papers(pair: tuple[str, str], metric: str, state: tuple[int, ...], _settings: Settings) -> PaperDifferences:  # noqa: ARG001  changes when the store does
    return paper_differences(*pair, settings=_settings, metric=metric)


def _state(current: Settings) -> tuple[int, ...]:
    database = DataRoot(path=current.home).database
    files = (database, database.with_name(f"{database.name}-wal"))
    return tuple(file.stat().st_mtime_ns for file in files if file.is_file())


def _contrast(contrast: Contrast, comparison: Comparison, current: Settings, place: int) -> None:
    baseline, candidate = contrast.baseline.label, contrast.candidate.label
    st.header(plain(f"{candidate} against {baseline}"))
    st.subheader(f"{SIGNS[contrast.conclusion]} {contrast.conclusion}")
    st.text(sentence_after_conclusion(contrast))
    st.caption(
        plain(
            f"n = {len(contrast.baseline.runs)} runs of {baseline}, {len(contrast.candidate.runs)} of {candidate}; "
            f"{'paired by paper and repetition' if contrast.paired else 'not paired'}"
        )
    )
    forest_chart(contrast, comparison.margin)
    _needed(contrast)
    _by_paper(contrast, current, place)
    with st.expander("What else the claims rest on", key=f"beside {place}"):
        for metric in contrast.metrics:
            if metric.claimed:
                sentences((metric.metric, *beside_the_headline(metric, comparison.confidence)))
    gone = tuple(left_out(contrast))
    if gone:
        with st.expander(f"{len(gone)} runs were left out", key=f"left out {place}"):
            sentences(gone)


def _needed(contrast: Contrast) -> None:
    rows = [_outlook(metric) for metric in contrast.metrics if metric.claimed and metric.outlook is not None]
    if rows:
        st.subheader("How much more it would take")
        table(rows, "the data that would settle it with a probability of 80 %, if the difference seen is the true one")


def _outlook(metric: MetricComparison) -> dict[str, object]:
    outlook = metric.outlook
    if outlook is None:
        return {}
    return {
        "metric": metric.metric,
        "probability of a conclusion now": f"{outlook.power:.0%}",
        "papers needed": "more than 10,000" if outlook.papers is None else f"{outlook.papers:,}",
        "or repetitions of each": "cannot, or not known" if outlook.repetitions is None else f"{outlook.repetitions:,}",
        "smallest difference found now": "too few papers"
        if outlook.detectable is None
        else f"{outlook.detectable:.3f}",
    }


def _by_paper(contrast: Contrast, current: Settings, place: int) -> None:
    st.subheader("Paper by paper, regressions first")
    if not contrast.paired:
        st.info("The sides are of different papers, so no paper can be held against itself.")
        return
    names = [metric.metric for metric in contrast.metrics if metric.pairs]
    if not names:
        st.info("No pair of runs has a metric on both sides.")
        return
    metric = st.selectbox("Metric", names, key=f"metric {place}") or names[0]
    pair = (contrast.baseline.selector, contrast.candidate.selector)
    found = _papers(pair, metric, _state(current), current)
    papers_chart(found, contrast.baseline.label, contrast.candidate.label, f"papers {place}")
    for paper in [each for each in found.papers if each.is_loss][:3]:
        link("runs", f"Runs of {paper.paper}, where it loses most", "list", {"paper": paper.paper})


def _worth(comparison: Comparison) -> None:
    if not comparison.worth:
        return
    st.header("What each agent is worth")
    for worth in comparison.worth:
        st.subheader(plain(f"{worth.metric} {worth.unit}".strip()))
        heads = ("agents", "kind", "effect", "interval", "conclusion")
        table([dict(zip(heads, line, strict=True)) for line in worth_lines(worth)], f"n = {worth.papers} papers")


compare_page()
