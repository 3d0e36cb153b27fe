"""A metric over time, with the moments at which it changed."""

from typing import Any, Final

import streamlit as st

from agents_eval_core.composition import composition_name
from agents_eval_core.run_list import MetricTrend
from agents_eval_dashboard.drawing import chart, sentences

HOURS_OF_24: Final = {
    "year": "%Y",
    "month": "%Y-%m",
    "week": "%m-%d",
    "date": "%m-%d",
    "hours": "%H:%M",
    "minutes": "%H:%M",
    "seconds": "%H:%M:%S",
    "milliseconds": "%S.%L",
}


def trend_chart(trend: MetricTrend) -> None:
    """Draw a trend: a point a run, a line at each change."""
    if trend.mean is None or trend.spread is None:
        st.info(f"Of the {trend.runs} newest of these runs none has a value of {trend.metric}.")
        return
    words = (
        f"{trend.metric} of {len(trend.points)} of the newest {trend.runs} runs: mean {trend.mean:.2f}, "
        f"from {trend.spread.low:.2f} to {trend.spread.high:.2f}; {len(trend.changes)} changes"
    )
    rows = [
        {
            "time": point.created_at.isoformat(),
            "value": point.value,
            "composition": composition_name(point.composition),
            "model": point.model or "not stated",
            "version": point.version or "none",
            "run": point.run,
        }
        for point in trend.points
    ]
    changes = [
        {"time": change.created_at.isoformat(), "what": change.sentence, "kind": change.kind}
        for change in trend.changes
    ]
    chart(_spec(trend.metric, changes), rows, words)
    if trend.differ_in:
        st.caption(
            f"These runs differ in {' and '.join(trend.differ_in)}: a change may be one of what was run. "
            "Filters leave one of a kind."
        )
    sentences(f"{change.created_at:%Y-%m-%d %H:%M}: {change.sentence} (run {change.run})" for change in trend.changes)


def _spec(metric: str, changes: list[dict[str, str]]) -> dict[str, Any]:
    time = {"field": "time", "type": "temporal", "title": "time, UTC", "scale": {"type": "utc"}}
    composition = {
        "field": "composition",
        "type": "nominal",
        "legend": {"orient": "bottom", "columns": 3, "labelLimit": 320},
    }
    points = {
        "mark": {"type": "point", "filled": True, "size": 60},
        "encoding": {
            "x": time | {"axis": {"format": HOURS_OF_24}},
            "y": {"field": "value", "type": "quantitative", "title": metric, "scale": {"domain": [0, 1]}},
            "color": composition,
            "shape": composition,
            "tooltip": [{"field": name} for name in ("run", "value", "composition", "model", "version")],
        },
    }
    rules = {
        "data": {"values": changes},
        "mark": {"type": "rule", "strokeDash": [6, 4], "size": 2},
        "encoding": {
            "x": time,
            "tooltip": [{"field": "what"}, {"field": "kind"}],
        },
    }
    return {"height": 340, "layer": [points, rules] if changes else [points]}
