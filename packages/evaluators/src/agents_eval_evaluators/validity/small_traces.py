"""Small traces of which one can say by hand what every behaviour metric must give."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from msgspec.structs import replace

from agents_eval_core.case import ExpectedCall
from agents_eval_core.run import Run
from agents_eval_core.trace import Agent, Source, Span, Status, ToolUse, Trace
from agents_eval_core.use_cases.evaluate_trace import run_of
from agents_eval_evaluators.validity.readings import Value

START: Final = datetime(2026, 1, 1, tzinfo=UTC)
SHAPE: Final = "coordination_topology"


class Known(NamedTuple):
    """A run and what metrics must say of it, by their names; a reason where there must be no value."""

    run: Run
    values: Mapping[str, Value]


def _call(agent: str, tool: str, result: str = "done", status: Status = "ok") -> Span:
    use = ToolUse(name=tool, arguments={"about": tool}, result=result)
    return Span(id="", seq=0, operation="execute_tool", name=tool, agent_id=agent, status=status, tool=use)


def _asks(giver: str, receiver: str) -> Span:
    use = ToolUse(name=f"ask_{receiver}", arguments={"request": f"{receiver}: read"}, result=f"{receiver} has read")
    return Span(
        id="",
        seq=0,
        operation="execute_tool",
        name=use.name,
        agent_id=giver,
        status="ok",
        tool=use,
        to_agent_id=receiver,
    )


def _hands_to(giver: str, receiver: str) -> Span:
    return Span(id="", seq=0, operation="handoff", name="handoff", agent_id=giver, to_agent_id=receiver, text="Go on.")


def _says(agent: str, text: str, seconds: float) -> Span:
    return Span(
        id="",
        seq=0,
        operation="chat",
        name="chat",
        agent_id=agent,
        text=text,
        started_at=START,
        ended_at=START + timedelta(seconds=seconds),
    )


def _run(*spans: Span) -> Run:
    """Return the spans as a run: numbered, and where they have times, one after the other."""
    moment = START
    placed: list[Span] = []
    for seq, span in enumerate(spans):
        length = span.seconds
        ends = None if length is None else moment + timedelta(seconds=length)
        placed.append(_placed(span, seq, None if ends is None else moment, ends))
        moment = ends or moment
    names = dict.fromkeys(name for span in spans for name in (span.agent_id, span.to_agent_id) if name)
    agents = tuple(Agent(id=name, name=name) for name in names)
    return run_of(Trace(id="small", source=Source(format="native"), spans=tuple(placed), agents=agents))


def _placed(span: Span, seq: int, started_at: datetime | None, ended_at: datetime | None) -> Span:
    return replace(span, id=f"span {seq}", seq=seq, started_at=started_at, ended_at=ended_at)


def _expecting(run: Run, *tools: str) -> Run:
    return run.changed(case=run.case.changed(expected_calls=tuple(ExpectedCall(name=tool) for tool in tools)))


ROUND: Final = tuple(_call("a", tool) for tool in ("search", "read", "list"))
WORKERS: Final = ("b", "c", "d")
KNOWN: Final[Mapping[str, Known]] = {
    "one round of three calls": Known(
        _run(*ROUND),
        {
            "tool_efficiency": 1.0,
            "loop_score": 1.0,
            "identical_repeats": 0.0,
            "calls_per_distinct_call": 1.0,
            "distinct_tools": 3.0,
            "tool_calls": 3.0,
            "recovery": "not_applicable",
            "unrecovered_calls": 0.0,
            SHAPE: "single",
            "ping_pong": "not_applicable",
            "activity_entropy": "not_applicable",
            "coordination_quality": "not_applicable",
            "handoff_quality": "not_applicable",
            "predecessor's path_convergence": 0.75,
        },
    ),
    "a hundred rounds of them": Known(
        _run(*ROUND * 100),
        {
            "tool_efficiency": 0.01,
            "loop_score": 0.0,
            "identical_repeats": 297.0,
            "calls_per_distinct_call": 100.0,
            "distinct_tools": 3.0,
            "tool_calls": 300.0,
            "predecessor's path_convergence": 0.75,
        },
    ),
    "99 failures of one tool and a success of another": Known(
        _run(*(_call("a", "fetch", f"no {number}", "error") for number in range(99)), _call("a", "read")),
        {
            "tool_efficiency": 0.01,
            "recovery": 0.0,
            "unrecovered_calls": 99.0,
            "repeated_failures": 98.0,
            "predecessor's tool_selection_accuracy": 0.5,
        },
    ),
    "a failure made good and one that is not": Known(
        _run(_call("a", "get", "no", "error"), _call("a", "get"), _call("a", "put", "no", "error")),
        {"tool_efficiency": 2 / 3, "recovery": 0.5, "unrecovered_calls": 1.0, "recovered_calls": 1.0},
    ),
    "a star whose workers report back": Known(
        _run(*(_asks("a", worker) for worker in WORKERS)),
        {
            SHAPE: "star",
            "reciprocity": 1.0,
            "centralisation": 1.0,
            "density": 0.5,
            "most_betweenness": 1.0,
            "handoff.acknowledged": 1.0,
            "delegation_depth": 1.0,
            "delegation_width": 3.0,
            "predecessor's coordination_centrality": 0.0,
        },
    ),
    "a star that never returns": Known(
        _run(*(_hands_to("a", worker) for worker in WORKERS)),
        {
            SHAPE: "star",
            "reciprocity": 0.0,
            "centralisation": 1.0,
            "density": 0.25,
            "most_betweenness": 0.0,
            "handoff.acknowledged": 0.0,
            "delegation_depth": 1.0,
            "delegation_width": 3.0,
            "predecessor's coordination_centrality": 0.0,
        },
    ),
    "a chain of four": Known(
        _run(_hands_to("a", "b"), _hands_to("b", "c"), _hands_to("c", "d")),
        {
            SHAPE: "chain",
            "delegation_depth": 3.0,
            "most_betweenness": 1 / 3,
            "reciprocity": 0.0,
            "predecessor's coordination_centrality": 1 / 3,
        },
    ),
    "a circle of three": Known(
        _run(_hands_to("a", "b"), _hands_to("b", "c"), _hands_to("c", "a")), {SHAPE: "cyclic", "centralisation": 0.0}
    ),
    "to and fro between two of three": Known(
        _run(_hands_to("a", "b"), _hands_to("b", "a"), _hands_to("a", "b"), _hands_to("b", "c")),
        {"ping_pong": 2 / 3, "returned_passes": 2.0, "longest_ping_pong": 3.0},
    ),
    "two agents who do as much": Known(
        _run(_says("a", "First words.", 1), _says("b", "Other words.", 1)),
        {"activity_entropy": 1.0, "activity_balance": 1.0, "predecessor's coordination_centrality": 0.5},
    ),
    "one agent who takes four fifths of the time": Known(
        _run(_says("a", "First words.", 8), _says("b", "Other words.", 2)),
        {"largest_agent_time_share": 0.8, "finding: bottleneck": 1.0, "critical_path_seconds": 10.0},
    ),
    "two expected calls the other way round": Known(
        _expecting(_run(_call("a", "read"), _call("a", "search")), "search", "read"),
        {
            "exact_match": 0.0,
            "in_order_match": 0.0,
            "any_order_match": 1.0,
            "call_f1": 1.0,
            "call_lcs_f1": 0.5,
            "edit_distance": 2.0,
        },
    ),
}
