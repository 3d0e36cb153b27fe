"""What the pages of comparisons and of sweeps have in common: the conclusions, and the worth of each agent."""

from collections import Counter

import streamlit as st

from agents_eval_core.comparison import Comparison
from agents_eval_core.report.conclusion_matrix import FEW, SIGNS, conclusion_matrix
from agents_eval_core.report.worth_wording import adds_nothing_anywhere, worth_lines, worth_name
from agents_eval_dashboard.drawing import plain, table


def conclusions(comparison: Comparison) -> None:
    """Draw how each side stands against each other, where the pairs are too many to be read one by one."""
    if len(comparison.contrasts) <= FEW:
        return
    tally = Counter(contrast.conclusion for contrast in comparison.contrasts)
    told = ", ".join(f"{number} {conclusion}" for conclusion, number in tally.items())
    st.header("Each against each")
    signs = ", ".join(f"{sign} {conclusion}" for conclusion, sign in SIGNS.items())
    st.caption(
        plain(
            f"Of {len(comparison.contrasts)} pairs: {told}. A line says how its side stands against that of the "
            f"column: {signs}."
        )
    )
    matrix = conclusion_matrix(comparison)
    heads = [str(place) for place in range(1, len(matrix) + 1)]
    rows = [
        {"side": f"{place} {label}"}
        | {head: SIGNS[cell] if cell else "" for head, cell in zip(heads, cells, strict=True)}
        for place, (label, cells) in enumerate(matrix, start=1)
    ]
    table(rows, f"the conclusions of {len(comparison.contrasts)} pairs: {told}")


def worth_tables(comparison: Comparison) -> None:
    """Draw what each agent is worth in each metric, the first one open."""
    if not comparison.worth:
        return
    st.header("What each agent is worth")
    heads = ("agents", "kind", "effect", "interval", "conclusion")
    for place, worth in enumerate(comparison.worth):
        nothing = adds_nothing_anywhere(worth)
        label = worth_name(worth) + (": no composition differs from another" if nothing else "")
        with st.expander(plain(label), expanded=place == 0):
            if not nothing:
                table([dict(zip(heads, line, strict=True)) for line in worth_lines(worth)], worth_name(worth))
            st.caption(f"n = {worth.papers} papers that every composition has")
