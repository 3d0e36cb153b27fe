"""The heat map of a sweep: a field for each composition and paper, with its value; failed and missing ones say so."""

from collections.abc import Sequence
from typing import Any, Final

from agents_eval_core.composition import composition_name
from agents_eval_core.sweep_outcome import CellOutcome
from agents_eval_dashboard.drawing import chart

COMPOSITE: Final = "composite"
PAPERS: Final = {"labelAngle": -40, "labelLimit": 200, "labelOverlap": False}


def heat_map(cells: Sequence[CellOutcome], metric: str) -> None:
    """Draw one repetition of a sweep in a metric."""
    rows = [_row(cell, metric) for cell in cells]
    known = [row for row in rows if row["value"] is not None]
    words = f"{metric} of {len(known)} of {len(rows)} cells; the others say why they have none"
    told = [{name: row[name] for name in ("system", "paper", "shown")} for row in rows]
    chart(_spec(metric), rows, words, told)


def _row(cell: CellOutcome, metric: str) -> dict[str, object]:
    value = cell.composite if metric == COMPOSITE else cell.scores.get(metric)
    return {
        "system": composition_name(cell.composition) or cell.engine,
        "paper": cell.paper,
        "value": value,
        "shown": f"{value:.2f}" if value is not None else _why(cell, metric),
    }


def _why(cell: CellOutcome, metric: str) -> str:
    if cell.problem is not None:
        return f"failed: {cell.problem.error_type}"
    if cell.state != "done":
        return cell.state
    return cell.missing.get(metric, "not_measured").replace("_", " ")


def _spec(metric: str) -> dict[str, Any]:
    place = {
        "x": {"field": "paper", "type": "nominal", "sort": None, "title": None, "axis": PAPERS},
        "y": {"field": "system", "type": "nominal", "sort": None, "title": None, "axis": {"labelLimit": 320}},
    }
    colour = {
        "field": "value",
        "type": "quantitative",
        "title": metric,
        "scale": {"domain": [0, 1], "range": ["#f0e442", "#2a788e", "#440154"]},
    }
    ink = {"condition": {"test": "datum.value !== null && datum.value > 0.45", "value": "#ffffff"}, "value": "#1a1a1a"}
    return {
        "height": {"step": 34},
        "layer": [
            {
                "mark": {"type": "rect", "invalid": None},
                "encoding": {
                    **place,
                    "color": {
                        "condition": {"test": "datum.value !== null", **colour},
                        "value": "#c8c8c8",
                    },
                    "tooltip": [{"field": name} for name in ("system", "paper", "shown")],
                },
            },
            {
                "mark": {"type": "text", "fontSize": 12, "limit": 90},
                "encoding": {**place, "text": {"field": "shown"}, "color": ink},
            },
        ],
    }
