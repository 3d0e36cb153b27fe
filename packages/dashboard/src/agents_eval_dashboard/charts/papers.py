"""The papers of a comparison: a point each against the line of equality, or a line each from one side to the other."""

from typing import Any

import streamlit as st

from agents_eval_core.use_cases.paper_differences import PaperDifferences
from agents_eval_dashboard.drawing import chart

KINDS = ("scatter", "slope")


def papers_chart(found: PaperDifferences, baseline: str, candidate: str, key: str) -> None:
    """Draw each paper, and list them with what the candidate loses most on first."""
    if not found.papers:
        st.info(f"No paper has {found.metric} on both sides: there is nothing to hold against each other.")
        return
    unit = f" ({found.unit})" if found.unit else ""
    losses = [paper for paper in found.papers if paper.is_loss]
    words = f"{found.metric}{unit} of {len(found.papers)} papers; the candidate loses on {len(losses)} of them"
    kind = st.segmented_control("Drawn as", KINDS, default="scatter", key=key)
    listed = [
        {
            "paper": paper.paper,
            baseline: f"{paper.baseline:.3f}",
            candidate: f"{paper.candidate:.3f}",
            "difference": f"{paper.difference:+.3f}",
            "": "loss" if paper.is_loss else "no loss",
            "pairs": paper.pairs,
        }
        for paper in found.papers
    ]
    if found.note:
        st.caption(found.note)
    if kind == "slope":
        chart(_slope(found.metric + unit), _long(found, baseline, candidate), words, listed)
    else:
        chart(_scatter(baseline, candidate), _wide(found), words, listed)


def _wide(found: PaperDifferences) -> list[dict[str, object]]:
    return [
        {
            "paper": paper.paper,
            "baseline": paper.baseline,
            "candidate": paper.candidate,
            "side": "loss" if paper.is_loss else "no loss",
        }
        for paper in found.papers
    ]


def _long(found: PaperDifferences, baseline: str, candidate: str) -> list[dict[str, object]]:
    return [
        {"paper": paper.paper, "of": side, "value": value, "side": "loss" if paper.is_loss else "no loss"}
        for paper in found.papers
        for side, value in ((baseline, paper.baseline), (candidate, paper.candidate))
    ]


def _scatter(baseline: str, candidate: str) -> dict[str, Any]:
    colour = {"field": "side", "type": "nominal", "title": "the candidate"}
    points = {
        "mark": {"type": "point", "filled": True, "size": 70},
        "encoding": {
            "x": {"field": "baseline", "type": "quantitative", "title": baseline, "scale": {"zero": False}},
            "y": {"field": "candidate", "type": "quantitative", "title": candidate, "scale": {"zero": False}},
            "color": colour,
            "shape": colour,
            "tooltip": [{"field": name} for name in ("paper", "baseline", "candidate", "side")],
        },
    }
    equal = {
        "mark": {"type": "line", "aria": False, "strokeDash": [4, 4], "color": "#808080"},
        "encoding": {
            "x": {"field": "baseline", "type": "quantitative"},
            "y": {"field": "baseline", "type": "quantitative"},
        },
    }
    return {"height": 360, "layer": [equal, points]}


def _slope(title: str) -> dict[str, Any]:
    colour = {"field": "side", "type": "nominal", "title": "the candidate"}
    return {
        "height": 360,
        "mark": {"type": "line", "point": True},
        "encoding": {
            "x": {"field": "of", "type": "nominal", "sort": None, "title": None, "axis": {"labelAngle": 0}},
            "y": {"field": "value", "type": "quantitative", "title": title, "scale": {"zero": False}},
            "detail": {"field": "paper"},
            "color": colour,
            "strokeDash": colour,
            "tooltip": [{"field": name} for name in ("paper", "of", "value")],
        },
    }
