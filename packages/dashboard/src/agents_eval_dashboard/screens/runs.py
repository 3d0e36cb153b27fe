"""The page of runs: all there are, filtered, searched and ordered; chosen ones compared; a metric over time."""

from typing import Final, get_args

import streamlit as st

from agents_eval_core.composition import composition_name
from agents_eval_core.run import RunRecord
from agents_eval_core.run_list import RunField, RunFilter, RunOrder, RunPage, SortField
from agents_eval_core.use_cases.run_list import list_runs, metric_trend, run_choices, scored_metrics
from agents_eval_dashboard.charts.trend import trend_chart
from agents_eval_dashboard.drawing import grid
from agents_eval_dashboard.links import link, links_of_run
from agents_eval_dashboard.session import data_root

SIZE: Final = 50
MOST_COMPARED: Final = 3
ANY: Final = "any"
ORDERS: Final = get_args(SortField)


def runs_page() -> None:
    """Draw the list of runs."""
    st.title("Runs")
    wanted = _filter()
    page = list_runs(data_root(), wanted, _order())
    if not page.total:
        _none(wanted)
        return
    st.caption(f"{page.total:,} runs match" if wanted != RunFilter() else f"{page.total:,} runs")
    chosen = _list(page)
    if page.total > SIZE:
        st.pagination(-(-page.total // SIZE), key="page")
    _chosen(chosen)
    _trend(wanted)


def _filter() -> RunFilter:
    choices = run_choices(data_root())
    having: dict[RunField, str] = {}
    words = st.text_input("Search", key="words", placeholder="words of an id, paper, model, sweep or error")
    with st.expander("Filters", expanded=any(field in st.query_params for field in choices)):
        columns = st.columns(4)
        for place, (field, values) in enumerate(choices.items()):
            given = st.query_params.get(field, ANY)
            options = [ANY, *values] if given in (ANY, *values) else [ANY, given, *values]
            with columns[place % 4]:
                value = st.selectbox(field, options, index=options.index(given), key=f"filter {field}")
            if value != ANY:
                having[field] = value
                st.query_params[field] = value
            elif field in st.query_params:
                del st.query_params[field]
        paper = st.query_params.get("paper", "")
        if paper and st.checkbox(f"only the paper {paper}", value=True):
            having["paper"] = paper
    return RunFilter(having=having, words=words)


def _order() -> RunOrder:
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    with left:
        by = st.selectbox("Order by", ORDERS, key="order", format_func=lambda name: str(name).replace("_", " "))
    with right:
        ascending = st.toggle("smallest or oldest first", key="ascending")
    number = int(st.session_state.get("page") or 1)
    return RunOrder(by=by or ORDERS[0], descending=not ascending, size=SIZE, offset=SIZE * (number - 1))


def _none(wanted: RunFilter) -> None:
    if wanted == RunFilter():
        st.info("There is no run yet. `agents-eval quickstart` makes some in a few seconds, offline and without a key.")
    else:
        st.info("No run matches. Take a filter or a word away.")


def _list(page: RunPage) -> tuple[RunRecord, ...]:
    if not page.records:
        st.info("This page of the list is empty: there are fewer runs now. Go back to the first page.")
        return ()
    rows = [_row(record) for record in page.records]
    event = grid(rows, f"{len(rows)} runs", key="list", on_select="rerun", selection_mode="multi-row")
    places: list[int] = event.selection.rows
    return tuple(page.records[place] for place in places if place < len(page.records))


def _row(record: RunRecord) -> dict[str, object]:
    return {
        "created, UTC": f"{record.created_at:%Y-%m-%d %H:%M}",
        "paper": record.paper,
        "composition": composition_name(record.composition),
        "composite": "not measured" if record.composite is None else f"{record.composite:.2f}",
        "coverage": "not measured" if record.coverage is None else f"{record.coverage:.0%}",
        "verdict": record.verdict or "no verdict",
        "status": record.status + (f": {record.problem}" if record.problem else ""),
        "model": record.model or "not stated",
        "engine": record.engine,
        "sweep": record.sweep or "",
        "run": record.id,
    }


def _chosen(chosen: tuple[RunRecord, ...]) -> None:
    if not chosen:
        st.caption("Tick a run to open it, two or three to compare them.")
    elif len(chosen) == 1:
        links_of_run({"id": chosen[0].id})
    elif len(chosen) <= MOST_COMPARED:
        parameters = {side: record.id for side, record in zip("abc", chosen, strict=False)}
        link("compare", f"Compare these {len(chosen)} runs", "compare_arrows", parameters)
    else:
        st.caption(f"{len(chosen)} are ticked; {MOST_COMPARED} can be compared at once. Sweeps compare more.")


def _trend(wanted: RunFilter) -> None:
    st.header("A metric over time")
    metrics = scored_metrics(data_root(), wanted)
    if not metrics:
        st.info("None of these runs was evaluated. `agents-eval evaluate RUN` scores one.")
        return
    metric = st.selectbox("Metric", metrics, key="trend")
    trend_chart(metric_trend(metric or metrics[0], data_root(), wanted))


runs_page()
