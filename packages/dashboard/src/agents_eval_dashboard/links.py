"""Ways from page to page: each address names what it shows, so that it can be shared and reloaded."""

from collections.abc import Mapping

import streamlit as st

from agents_eval_core.composition import composition_name
from agents_eval_core.run import RunRecord
from agents_eval_dashboard.drawing import plain


def label_of(record: RunRecord) -> str:
    """Return how a run is named where one is chosen."""
    system = composition_name(record.composition) or record.engine
    return f"{record.paper} · {system} · {record.verdict or record.status} · {record.id}"


def link(page: str, label: str, icon: str, parameters: Mapping[str, str] | None = None) -> None:
    """Draw a link to a page about something; the label may be text of others."""
    st.page_link(
        f"screens/{page}.py", label=plain(label), icon=f":material/{icon}:", query_params=dict(parameters or {})
    )


def links_of_run(address: Mapping[str, str], *, without: str = "") -> None:
    """Draw the links to all that can be seen of what an address names: a run that is kept (`id`), or a trace (`file`).

    Only runs that are kept can be compared.
    """
    pages = (
        ("run", "Scorecard", "assignment"),
        ("trace", "Trace", "account_tree"),
        ("graph", "Agent graph", "hub"),
        ("compare", "Compare with another", "compare_arrows"),
    )
    shown = [each for each in pages if each[0] != without and (each[0] != "compare" or "id" in address)]
    for column, (page, label, icon) in zip(st.columns(len(shown)), shown, strict=True):
        with column:
            link(page, label, icon, {"a": address["id"]} if page == "compare" else address)


def run_link(record: RunRecord) -> None:
    """Draw the link to a run."""
    link("run", label_of(record), "assignment", {"id": record.id})
