"""Quality against what it takes: the systems that no other beats in both are on the front."""

from collections.abc import Sequence
from typing import Any, Final

import streamlit as st

from agents_eval_core.comparison import Standing
from agents_eval_core.report.comparison_wording import standing_cells
from agents_eval_dashboard.drawing import chart, table

FEW: Final = 4  # as many names beside points do not cover one another
HEADS: Final = ("composite", "quality without time", "first places", "seconds", "USD", "on the front")


def front_chart(standings: Sequence[Standing]) -> None:
    """Draw the systems by cost, or by time where the cost is not known of all; only a table where neither is."""
    listed = [
        {"system": one.label, "papers": one.papers, **dict(zip(HEADS, standing_cells(one), strict=True))}
        for one in standings
    ]
    has_cost = all(one.cost_usd is not None for one in standings)
    taken = "cost, USD a run" if has_cost else "time, seconds a run"
    rows = [
        {
            "system": one.label,
            "taken": value,
            "quality": one.quality,
            "front": "on the front" if one.on_front else "beaten",
        }
        for one in standings
        if (value := one.cost_usd if has_cost else one.elapsed_seconds) is not None and one.quality is not None
    ]
    if len(rows) < len(standings):
        st.caption("Neither cost nor time is known of all of them, so there is no plot; unknown is not zero.")
        table(listed, "the systems")
        return
    best = [str(row["system"]) for row in rows if row["front"] == "on the front"]
    words = f"quality against {taken} of {len(rows)} systems; on the front: {', '.join(best) or 'none'}"
    chart(_spec(taken, is_small=len(rows) <= FEW), rows, words, listed)


def _spec(taken: str, *, is_small: bool) -> dict[str, Any]:
    colour = {"field": "front", "type": "nominal", "title": None}
    place = {
        "x": {"field": "taken", "type": "quantitative", "title": taken, "scale": {"zero": False, "padding": 30}},
        "y": {
            "field": "quality",
            "type": "quantitative",
            "title": "quality",
            "axis": {"format": ".3f"},
            "scale": {"zero": False, "padding": 20},
        },
    }
    return {
        "height": 320,
        "layer": [
            {
                "mark": {"type": "point", "filled": True, "size": 90},
                "encoding": {
                    **place,
                    "color": colour,
                    "shape": colour,
                    "tooltip": [{"field": name} for name in ("system", "taken", "quality", "front")],
                },
            },
            {
                "mark": {"type": "text", "dy": -12, "limit": 260},
                "transform": [] if is_small else [{"filter": "datum.front == 'on the front'"}],
                "encoding": {**place, "text": {"field": "system"}, "color": colour},
            },
        ],
    }
