"""The page of the agent graph: who gave work to whom and which tools were called, as a drawing in time and in words."""

import json
from collections.abc import Mapping
from typing import Final

import streamlit as st

from agents_eval_core.report.agent_graph import AgentGraph, GraphStep, agent_graph, graph_steps, node_link
from agents_eval_core.report.agent_graph_svg import graph_svg
from agents_eval_dashboard.drawing import dark, live, sentences
from agents_eval_dashboard.links import link, links_of_run
from agents_eval_dashboard.opened_run import opened_trace
from agents_eval_dashboard.picture import picture
from agents_eval_dashboard.png_button import png_button
from agents_eval_dashboard.subject import chosen_subject

PLACE: Final = "place in the graph"
PLAYING: Final = "the graph plays"
SECONDS_A_STEP: Final = 0.8
PAPER: Final = {False: "#ffffff", True: "#14171c"}


def graph_page() -> None:
    """Draw the graph of the run that the address names."""
    st.title("Agent graph")
    subject = chosen_subject()
    if subject is None:
        return
    links_of_run(subject.address, without="graph")
    trace = opened_trace(subject)
    graph = agent_graph(trace)
    steps = graph_steps(graph)
    if not steps:
        st.info("In this run nobody gave work to anybody and no tool was called: there is no graph to draw.")
        return
    if st.session_state.get("graph of") != subject.address:
        st.session_state.update({"graph of": subject.address, PLACE: len(steps), PLAYING: False})
    is_playing = bool(st.session_state.get(PLAYING))
    st.fragment(_drawn, run_every=SECONDS_A_STEP if is_playing else None)(graph, steps, subject.address)
    st.header("The same in words")
    sentences(graph.told())
    _exports(graph, subject.record.id if subject.record else trace.id)


def _drawn(graph: AgentGraph, steps: tuple[GraphStep, ...], address: Mapping[str, str]) -> None:
    _advance(len(steps))
    left, middle, right = st.columns([1, 1, 4], vertical_alignment="bottom")
    is_playing = bool(st.session_state.get(PLAYING))
    with left:
        if st.button(
            "Pause" if is_playing else "Play", icon=":material/pause:" if is_playing else ":material/play_arrow:"
        ):
            restarts = not is_playing and st.session_state[PLACE] >= len(steps)
            st.session_state.update({PLAYING: not is_playing} | ({PLACE: 1} if restarts else {}))
            st.rerun()
    with middle:
        if st.button("Show all", icon=":material/select_all:"):
            st.session_state.update({PLAYING: False, PLACE: len(steps)})
            st.rerun()
    with right:
        if len(steps) > 1:
            st.slider("Step", 1, len(steps), key=PLACE)
    place = int(st.session_state[PLACE])
    step = steps[place - 1]
    is_whole = place == len(steps) and not is_playing
    live(f"All {len(steps)} steps" if is_whole else f"Step {place} of {len(steps)}: {step.words}")
    svg = graph_svg(graph, until=None if is_whole else step.order, theme="dark" if dark() else "light")
    drawing = picture(svg, dark=dark())
    st.html(f'<div style="overflow-x:auto" tabindex="0" role="region" aria-label="the graph">{drawing}</div>')
    if not is_whole:
        link("trace", "This step in the trace", "account_tree", {**address, "span": step.span_id})


def _advance(number: int) -> None:
    """Go one step further where the graph plays; at the end it stops."""
    if not st.session_state.get(PLAYING):
        return
    if st.session_state[PLACE] >= number:
        st.session_state[PLAYING] = False
        st.rerun()
    st.session_state[PLACE] += 1


def _exports(graph: AgentGraph, name: str) -> None:
    st.header("Take it with you")
    first, second, third = st.columns(3)
    is_dark = dark()
    svg = graph_svg(graph, theme="dark" if is_dark else "light")
    with first:
        st.download_button("Download SVG", graph_svg(graph), f"{name}-graph.svg", "image/svg+xml")
    with second:
        png_button(svg, f"{name}-graph.png", PAPER[is_dark])
    with third:
        text = json.dumps(node_link(graph), ensure_ascii=False, indent=1)
        st.download_button("Download JSON", text, f"{name}-graph.json", "application/json")


graph_page()
