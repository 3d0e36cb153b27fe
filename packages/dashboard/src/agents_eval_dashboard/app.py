"""The dashboard, as Streamlit runs it: the pages, each with its own address, and what is said where one fails."""

from typing import Final

import streamlit as st

from agents_eval_core.errors import AgentsEvalError
from agents_eval_dashboard.drawing import refusal

PAGES: Final = (
    ("home", "Home"),
    ("review", "Review a paper"),
    ("runs", "Runs"),
    ("run", "Run"),
    ("trace", "Trace"),
    ("graph", "Agent graph"),
    ("compare", "Compare"),
    ("sweeps", "Sweeps"),
    ("metrics", "Metrics"),
    ("settings", "Settings"),
)

SIDEBAR_PIXELS: Final = 210


def main() -> None:
    """Draw the page that is navigated to."""
    st.set_page_config(page_title="Agents-eval", layout="wide", initial_sidebar_state=SIDEBAR_PIXELS)
    pages = [  # an icon would be fetched from a font host, for the tab of the browser
        st.Page(f"screens/{name}.py", title=title, url_path=name, default=name == PAGES[0][0]) for name, title in PAGES
    ]
    page = st.navigation(pages)
    try:
        page.run()
    except AgentsEvalError as problem:
        refusal(problem)


if __name__ == "__main__":
    main()
