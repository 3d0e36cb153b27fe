"""The timeline: a lane an agent, a bar a step, failed steps in a colour and a frame of their own."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import streamlit as st

from agents_eval_core.report.trace_skeleton import SkeletonStep
from agents_eval_dashboard.drawing import dark, drawn
from agents_eval_dashboard.trace_steps import NOBODY, Steps

MOST_BARS: Final = 1500
FAILED: Final = {False: "#b3261e", True: "#ff8a80"}
DONE: Final = {False: "#1f5fa8", True: "#8ab4f8"}
UNKNOWN: Final = {False: "#5a5a5a", True: "#b5b5b5"}


def timeline_chart(steps: Steps, wanted: Sequence[SkeletonStep]) -> None:
    """Draw the wanted steps in time, or in their order where the trace has no clock.

    Of more than 1,500 the failed ones and those that took longest are drawn, and it is said.
    """
    bars = _most_telling(wanted)
    if not bars:
        return
    has_times = steps.trace.clock != "none" and all(step.started_at and step.seconds is not None for step in bars)
    rows = list(_rows(bars, has_times=has_times))
    left = len(wanted) - len(bars)
    words = f"{len(bars)} steps of {len({row['agent'] for row in rows})} agents in {'time' if has_times else 'order'}"
    if left:
        st.caption(f"Drawn are the failed steps and those that took longest; {left:,} shorter ones are in the list.")
    if not has_times:
        st.caption("The trace has no clock for all of these steps: they are drawn in their order.")
    drawn(_spec(has_times=has_times), rows, f"{words}; the list below has the same in words")


def _most_telling(wanted: Sequence[SkeletonStep]) -> Sequence[SkeletonStep]:
    if len(wanted) <= MOST_BARS:
        return wanted
    ranked = sorted(wanted, key=lambda step: (step.status != "error", -(step.seconds or 0.0)))
    return sorted(ranked[:MOST_BARS], key=lambda step: step.seq)


def _rows(bars: Sequence[SkeletonStep], *, has_times: bool) -> Iterator[dict[str, object]]:
    first = min((step.started_at for step in bars if step.started_at), default=None)
    depths: dict[str | None, int] = {}
    for step in bars:
        depths[step.agent] = min(step.depth, depths.get(step.agent, step.depth))
    for step in bars:
        begin, long = float(step.seq), 1.0
        if has_times and first and step.started_at:
            begin, long = (step.started_at - first).total_seconds(), step.seconds or 0.0
        yield {
            "agent": step.agent or NOBODY,
            "what": step.words,
            "status": step.status,
            "depth": step.depth - depths[step.agent],
            "took": "not known" if step.seconds is None else f"{step.seconds:.3f} s",
            "id": step.id,
            "begin": begin,
            "end": begin + long,
        }


def _spec(*, has_times: bool) -> dict[str, Any]:
    is_dark = dark()
    return {
        "height": {"step": 46, "for": "position"},
        "mark": {"type": "bar", "stroke": "#000" if is_dark else "#fff", "strokeWidth": 0.5, "minBandSize": 2},
        "encoding": {
            "y": {"field": "agent", "type": "nominal", "sort": None, "title": None},
            "yOffset": {"field": "depth", "type": "ordinal"},
            "x": {
                "field": "begin",
                "type": "quantitative",
                "title": "seconds from the first step" if has_times else "order of steps",
            },
            "x2": {"field": "end"},
            "color": {
                "field": "status",
                "type": "nominal",
                "scale": {
                    "domain": ["ok", "error", "unknown"],
                    "range": [DONE[is_dark], FAILED[is_dark], UNKNOWN[is_dark]],
                },
            },
            "tooltip": [{"field": name} for name in ("what", "agent", "status", "took", "id")],
        },
    }
