"""What each agent took: tokens, cost and time, as the evaluators measured them."""

from collections.abc import Sequence
from typing import Any, Final

import streamlit as st

from agents_eval_core.report.run_report import USAGE, AgentRow
from agents_eval_core.report.wording import number
from agents_eval_dashboard.drawing import chart, table

TOKENS: Final = ("input_tokens", "output_tokens")
HEADS: Final = {
    "input_tokens": "tokens in",
    "output_tokens": "tokens out",
    "cost_usd": "cost, USD",
    "seconds": "time, s",
}
SPEC: Final[dict[str, Any]] = {
    "height": {"step": 26},
    "mark": "bar",
    "encoding": {
        "y": {"field": "agent", "type": "nominal", "sort": None, "title": None},
        "x": {"field": "tokens", "type": "quantitative", "title": "tokens"},
        "color": {"field": "kind", "type": "nominal", "title": None},
        "tooltip": [{"field": "agent"}, {"field": "kind"}, {"field": "tokens"}],
    },
}


def usage_chart(agents: Sequence[AgentRow]) -> None:
    """Draw the tokens of each agent; only the table where no tokens are known."""
    shown = [_row(agent) for agent in agents]
    bars = [
        {"agent": agent.name, "kind": HEADS[kind], "tokens": measure.value}
        for agent in agents
        for kind in TOKENS
        if (measure := agent.usage[kind]) is not None and isinstance(measure.value, int | float)
    ]
    if any(bar["tokens"] for bar in bars):
        chart(SPEC, bars, f"tokens of {len(agents)} agents", shown)
        return
    st.caption("No model reported tokens; unknown is not zero.")
    table(shown, f"what {len(agents)} agents did and took")


def _row(agent: AgentRow) -> dict[str, object]:
    return {
        "agent": agent.name,
        "role": agent.role,
        "model requests": agent.requests,
        "tools": ", ".join(f"{name} x{count}" for name, count in agent.calls) or "none",
        "failed calls": agent.failed_calls,
        **{HEADS[name]: number(measure.value if (measure := agent.usage[name]) else None) for name in USAGE},
    }
