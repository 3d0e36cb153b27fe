"""The page of comparisons: two or three sets of runs, the conclusion as a sentence, and what it rests on."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from agents_eval_core.comparison import Comparison, Contrast, MetricComparison
from agents_eval_core.data_root import DataRoot
from agents_eval_core.report.conclusion_matrix import FEW, SIGNS
from agents_eval_core.report.contrast_lines import contrast_lines, repetition_lines
from agents_eval_core.settings import Settings
from agents_eval_core.use_cases.compare_runs import compare_runs
from agents_eval_core.use_cases.paper_differences import PaperDifferences, paper_differences
from agents_eval_dashboard.awaited import awaited
from agents_eval_dashboard.charts.forest import forest_chart
from agents_eval_dashboard.charts.front import front_chart
from agents_eval_dashboard.charts.papers import papers_chart
from agents_eval_dashboard.comparison_parts import conclusions, worth_tables
from agents_eval_dashboard.drawing import plain, sentences, table
from agents_eval_dashboard.links import link
from agents_eval_dashboard.session import settings

SIDES: Final = (("a", "Baseline"), ("b", "Candidate"), ("c", "Another candidate"))
HELP: Final = (
    "A run's id or its beginning, a run directory, a sweep's name, SWEEP:COMPOSITION, SWEEP:* for each composition, or "
    "a query such as composition=full,dataset=sample"
)


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
        st.subheader(plain(comparison.winner_sentence[:1].upper() + comparison.winner_sentence[1:]))
    conclusions(comparison)
    for place, contrast in enumerate(_chosen(comparison.contrasts)):
        _contrast(contrast, comparison, current, place)
    st.header("Cost against quality")
    front_chart(comparison.standings)
    sentences(repetition_lines(comparison))
    worth_tables(comparison)


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


def _chosen(contrasts: Sequence[Contrast]) -> Sequence[Contrast]:
    """Return the pairs that are drawn: of many the one that is chosen, and its number stands in the address."""
    if len(contrasts) <= FEW:
        return contrasts
    named = st.query_params.get("pair", "1")
    place = int(named) - 1 if named.isdecimal() and 1 <= int(named) <= len(contrasts) else 0
    chosen = st.selectbox(
        f"Pair (of {len(contrasts)})",
        range(len(contrasts)),
        index=place,
        format_func=[_title(each) for each in contrasts].__getitem__,
    )
    st.query_params["pair"] = str(chosen + 1)
    return (contrasts[chosen],)


def _title(contrast: Contrast) -> str:
    return f"{contrast.candidate.label} against {contrast.baseline.label}: {contrast.conclusion}"


def _contrast(contrast: Contrast, comparison: Comparison, current: Settings, place: int) -> None:
    baseline, candidate = contrast.baseline.label, contrast.candidate.label
    st.header(plain(f"{candidate} against {baseline}"))
    st.subheader(f"{SIGNS[contrast.conclusion]} {contrast.conclusion}")
    lines = contrast_lines(contrast, comparison.confidence)
    st.text(f"{lines.sentence}.")
    sentences(lines.reasons)
    st.caption(
        plain(
            f"n = {len(contrast.baseline.runs)} runs of {baseline}, {len(contrast.candidate.runs)} of {candidate}; "
            f"{'paired by paper and repetition' if contrast.paired else 'not paired'}"
        )
    )
    forest_chart(contrast, lines, comparison.margin)
    _needed(contrast)
    _by_paper(contrast, current, place)
    for name, beside in lines.beside:
        with st.expander(f"What else is known of {plain(name)}", key=f"beside {place} {name}"):
            sentences(beside)
    if lines.left_out:
        with st.expander(f"{len(lines.left_out)} runs were left out", key=f"left out {place}"):
            sentences(lines.left_out)


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


compare_page()
