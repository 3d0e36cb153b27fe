"""The page of metrics: what each measures, how far it can be trusted, and the known answers that it was held to."""

from typing import Final

import streamlit as st

from agents_eval_core.report.run_report import TIERS
from agents_eval_core.use_cases.metric_catalogue import CatalogueEntry, metric_catalogue
from agents_eval_core.validity import figure_words, published_figures
from agents_eval_dashboard.drawing import plain, table

KNOWN_ANSWERS: Final = "known_answers"


def metrics_page() -> None:
    """Draw the catalogue."""
    st.title("Metrics")
    catalogue = _catalogue()
    words = st.text_input("Search", placeholder="words of a name or a definition", key="words").lower()
    found = [entry for entry in catalogue if words in f"{entry.name} {entry.definition}".lower()]
    st.caption(
        f"{len(found)} of {len(catalogue)} metrics. Predictive means that the whole interval of a figure lies above "
        "chance, on both halves of the data where it was halved."
    )
    for tier, heading in TIERS.items():
        own = [entry for entry in found if entry.tier == tier]
        if own:
            st.header(heading)
            table([_row(entry) for entry in own], f"{len(own)} metrics of {heading}")
    names = [entry.name for entry in found]
    named = st.query_params.get("name", "")
    if names:
        chosen = st.selectbox("Everything published about", names, index=names.index(named) if named in names else 0)
        _figures(next(entry for entry in found if entry.name == chosen))
    _known_answers()


@st.cache_data(show_spinner="Looking at the installed evaluators …")
def _catalogue() -> tuple[CatalogueEntry, ...]:
    return metric_catalogue()


def _row(entry: CatalogueEntry) -> dict[str, object]:
    return {
        "metric": entry.name + (" (in the composite)" if entry.in_composite else ""),
        "measures": entry.definition.replace("`", ""),
        "is": entry.worth,
        "figure": entry.figure or "none published",
        "by": f"{entry.evaluator} {entry.version}",
    }


def _figures(entry: CatalogueEntry) -> None:
    st.query_params["name"] = entry.name
    st.text(entry.definition.replace("`", ""))
    if not entry.figures:
        st.info(plain(f"Nothing is published about {entry.name}: it was not held against labels. It describes a run."))
        return
    table(
        [
            {
                "validation": suite.name,
                "figure": figure_words(suite) if suite.value is not None else f"not measured: {suite.reason}",
                "fitted on": suite.fitted,
                "tuned on": suite.tuned,
            }
            for suite in entry.figures
        ],
        f"figures about {entry.name}",
    )


def _known_answers() -> None:
    st.header("Known answers")
    st.caption("Inputs whose right score can be told without any data; each metric is held to its own.")
    rows = [
        {"metric": suite.metric, "figure": figure_words(suite) if suite.value is not None else suite.reason}
        for suite in published_figures()
        if suite.name == KNOWN_ANSWERS
    ]
    if rows:
        table(rows, f"{len(rows)} figures of known answers")
    else:
        st.info("None are published. `agents-eval validate known_answers` measures them here.")


metrics_page()
