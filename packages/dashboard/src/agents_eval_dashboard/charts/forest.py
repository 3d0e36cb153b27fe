"""The forest plot: the difference of each metric with its interval, beside the line of no difference."""

from typing import Any

import streamlit as st

from agents_eval_core.comparison import Contrast, MetricComparison
from agents_eval_core.report.comparison_wording import (
    LOGARITHMIC,
    difference,
    figure,
    interval,
    named,
    p_value,
)
from agents_eval_core.report.contrast_lines import ContrastLines
from agents_eval_dashboard.drawing import chart, plain


def forest_chart(contrast: Contrast, lines: ContrastLines, margin: float | None) -> None:
    """Draw the differences that are scores, tell all of them, and name what never differs or cannot be compared."""
    if not lines.rows:
        st.info("No pair of runs has any metric on both sides: there is no difference to draw.")
        return
    rows = [_row(metric) for metric in lines.rows if not metric.unit.startswith(LOGARITHMIC)]
    words = (
        f"{contrast.candidate.label} minus {contrast.baseline.label} in {len(rows)} metrics, with intervals; "
        "right of 0 the candidate is higher"
    )
    chart(_spec(margin), rows, words, [_told(metric) for metric in lines.rows])
    if lines.level:
        st.caption(plain(f"The same on both sides on every paper: {', '.join(lines.level)}."))
    if lines.unpaired:
        st.caption(plain(f"In no pair measured on both sides: {', '.join(lines.unpaired)}."))


def _row(metric: MetricComparison) -> dict[str, object]:
    found = metric.interval
    return {
        "metric": named(metric),
        "difference": metric.difference,
        "low": found.low if found else metric.difference,
        "high": found.high if found else metric.difference,
        "conclusion": metric.conclusion,
        "papers": metric.papers,
    }


def _told(metric: MetricComparison) -> dict[str, object]:
    return {
        "metric": named(metric) + (" (claimed)" if metric.claimed else ""),
        "conclusion": metric.conclusion,
        "baseline": figure(metric.baseline_mean, metric),
        "candidate": figure(metric.candidate_mean, metric),
        "difference": difference(metric),
        "interval": interval(metric),
        "p, corrected": p_value(metric.adjusted_p),
        "papers": metric.papers,
        "why": metric.reason,
    }


def _spec(margin: float | None) -> dict[str, Any]:
    y = {"field": "metric", "type": "nominal", "sort": None, "title": None, "axis": {"labelLimit": 320}}
    colour = {"field": "conclusion", "type": "nominal", "title": "the candidate is"}
    tooltip = [{"field": name} for name in ("metric", "difference", "low", "high", "conclusion", "papers")]
    layers: list[dict[str, Any]] = [
        {
            "mark": {"type": "rule", "size": 2},
            "encoding": {
                "y": y,
                "x": {"field": "low", "type": "quantitative", "title": "difference, candidate minus baseline"},
                "x2": {"field": "high"},
                "color": colour,
            },
        },
        {
            "mark": {"type": "point", "filled": True, "size": 70},
            "encoding": {
                "y": y,
                "x": {"field": "difference", "type": "quantitative"},
                "color": colour,
                "shape": colour,
                "tooltip": tooltip,
            },
        },
    ]
    places = (0.0, *((-margin, margin) if margin else ()))
    lines = [
        {
            "mark": {"type": "rule", "aria": False, "strokeDash": [4, 4] if place else [1, 0]},
            "encoding": {"x": {"datum": place}},
        }
        for place in places
    ]
    return {"height": {"step": 24}, "layer": [*layers, *lines]}
