"""The dashboard, as Streamlit runs it."""

import streamlit as st

from agents_eval_dashboard.pages.runs import runs_page


def main() -> None:
    """Draw the page that is navigated to."""
    st.set_page_config(page_title="Agents-eval", layout="wide")
    st.navigation([st.Page(runs_page, title="Runs", url_path="runs", default=True)]).run()


if __name__ == "__main__":
    main()
