"""The page of a trace: the timeline, the tree of steps, filters, and what went into a step and came out of it."""

import json
from typing import Any, Final

import streamlit as st

from agents_eval_core.trace import Span, Trace
from agents_eval_dashboard.charts.timeline import timeline_chart
from agents_eval_dashboard.drawing import grid, plain, sentences, table
from agents_eval_dashboard.links import links_of_run
from agents_eval_dashboard.opened_run import opened_trace
from agents_eval_dashboard.subject import chosen_subject
from agents_eval_dashboard.trace_steps import MARKS, StepFilter, Steps, name_of, steps_of, tree_rows

LONGEST_TEXT: Final = 20_000
STEP_PIXELS: Final = 380


def trace_page() -> None:
    """Draw the trace of the run or file that the address names."""
    st.title("Trace")
    subject = chosen_subject()
    if subject is None:
        return
    links_of_run(subject.address, without="trace")
    trace = opened_trace(subject)
    _summary(trace)
    steps = _steps(trace)
    wanted = steps.wanted(_filter(steps))
    st.caption(f"{len(wanted):,} of {len(steps.steps):,} steps")
    if not wanted:
        st.info("No step is left. Take a filter away.")
        return
    timeline_chart(steps, wanted)
    event = grid(
        list(tree_rows(wanted)),
        "the tree of steps",
        height=420,
        column_config={"step": st.column_config.Column(width=STEP_PIXELS)},
        key="steps",
        on_select="rerun",
        selection_mode="single-row",
    )
    chosen: list[int] = event.selection.rows
    named = wanted[chosen[0]].id if chosen and chosen[0] < len(wanted) else st.query_params.get("span", "")
    _step(trace, named)


@st.cache_resource(max_entries=4, hash_funcs={Trace: id}, show_spinner=False)
def _steps(trace: Trace) -> Steps:
    return steps_of(trace)


def _summary(trace: Trace) -> None:
    took = "no clock" if trace.elapsed_seconds is None else f"{trace.elapsed_seconds:.2f} s"
    st.caption(
        plain(f"{trace.source.format}, {len(trace.agents)} agents, {len(trace.spans):,} steps, {took}, {trace.id}")
    )
    if trace.unread:
        unread = ", ".join(f"{count} {kind}" for kind, count in trace.unread.items())
        st.warning(plain(f"Not understood in the source and not shown: {unread}"))


def _filter(steps: Steps) -> StepFilter:
    first, second, third, fourth = st.columns(4)
    with first:
        agents = st.multiselect("Agents", steps.agents, placeholder="all")
    with second:
        tools = st.multiselect("Tools", steps.tools, placeholder="all")
    with third:
        statuses = st.multiselect("Status", list(MARKS), placeholder="all")
    with fourth:
        words = st.text_input("Words", placeholder="in a step or its error")
    return StepFilter(
        agents=frozenset(agents),
        tools=frozenset(tools),
        statuses=frozenset(statuses),
        words=words,
        errors_first=st.toggle("Errors first"),
    )


def _step(trace: Trace, span_id: str) -> None:
    st.header("The chosen step")
    span = trace.span_by_id.get(span_id)
    if span is None:
        st.caption("Tick a step in the list to see what went into it and what came out.")
        return
    st.query_params["span"] = span.id
    table([{"": name, "is": value} for name, value in _about(trace, span)], "about the step")
    if span.error_type or span.error_text:
        st.error(plain(f"{span.error_type or 'error'}: {_cut(span.error_text or '')}"))
    left, right = st.columns(2)
    with left:
        st.subheader("In")
        _shown(span.tool.arguments if span.tool else span.attributes.get("input"))
    with right:
        st.subheader("Out")
        _shown(span.tool.result if span.tool else span.text)
    above = [above.name for above in trace.ancestors(span)]
    sentences([f"within {' within '.join(above)}"] if above else [])


def _about(trace: Trace, span: Span) -> list[tuple[str, str]]:
    usage = span.usage
    tokens = "not reported" if usage is None else f"{_known(usage.input_tokens)} in, {_known(usage.output_tokens)} out"
    return [
        ("step", span.id),
        ("what", f"{span.operation} {span.tool.name if span.tool else span.name}"),
        ("who", name_of(trace, span.agent_id)),
        ("status", f"{span.status}, {span.status_source}"),
        ("begun", "no clock" if span.started_at is None else span.started_at.isoformat()),
        ("took", "not known" if span.seconds is None else f"{span.seconds:.3f} s"),
        ("model", span.model or "none named"),
        ("tokens", tokens),
    ]


def _known(value: int | None) -> str:
    return "unknown" if value is None else f"{value:,}"


def _shown(value: Any) -> None:
    if value is None:
        st.text("nothing recorded")
        return
    text = value if isinstance(value, str) else json.dumps(value, indent=1, ensure_ascii=False, default=str)
    st.code(_cut(text), language=None, wrap_lines=True, height=300)


def _cut(text: str) -> str:
    if len(text) <= LONGEST_TEXT:
        return text
    return f"{text[:LONGEST_TEXT]}\n… {len(text) - LONGEST_TEXT:,} more characters are in the file of the trace"


trace_page()
