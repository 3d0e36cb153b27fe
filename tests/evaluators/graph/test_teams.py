"""Agents who work together: shapes, hand-offs, exchanges and time, by known answers."""

from collections.abc import Awaitable, Callable, Sequence

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from agents_eval_core.case import Case, ExpectedCall
from agents_eval_core.ports.evaluator import Evaluator
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation
from agents_eval_core.trace import Agent, Source, Span, Trace
from agents_eval_evaluators.graph.activity import Activity
from agents_eval_evaluators.graph.bottleneck import Bottleneck
from agents_eval_evaluators.graph.centrality import Centrality, betweenness, degree_centrality
from agents_eval_evaluators.graph.coordination_topology import (
    CoordinationTopology,
    centralisation,
    reciprocity,
    topology,
)
from agents_eval_evaluators.graph.critical_path import CriticalPath
from agents_eval_evaluators.graph.delegation_shape import DelegationShape
from agents_eval_evaluators.graph.handoff_quality import HandoffQuality
from agents_eval_evaluators.graph.information_diversity import InformationDiversity
from agents_eval_evaluators.graph.path_necessity import PathNecessity
from agents_eval_evaluators.graph.ping_pong import PingPong

TEAM: Sequence[Evaluator] = (
    CoordinationTopology(),
    Centrality(),
    Activity(),
    PingPong(),
    DelegationShape(),
    HandoffQuality(),
    InformationDiversity(),
    PathNecessity(),
)
Figures = Callable[..., Awaitable[dict[str, object]]]
EDGES = st.sets(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef")).filter(lambda edge: edge[0] != edge[1]))


@pytest.fixture
def figures(
    a_run: Callable[..., Run], a_trace: Callable[..., Trace], ask: Callable[..., Awaitable[Evaluation]]
) -> Figures:
    """Return scores and measures by name; a reason where there is no value."""

    async def evaluate(evaluator: Evaluator, *spans: Span, **changes: object) -> dict[str, object]:
        given = await ask(evaluator, a_run(**({"trace": a_trace(*spans), "text": "the end"} | changes)))
        return {one.name: one.reason or one.value for one in (*given.scores, *given.measures)}

    return evaluate


def hand(giver: str, receiver: str, text: str = "please go on") -> Span:
    return Span(id="", seq=0, operation="handoff", name="handoff", agent_id=giver, to_agent_id=receiver, text=text)


def say(agent: str, text: str) -> Span:
    return Span(id="", seq=0, operation="message", name="message", agent_id=agent, text=text)


@pytest.mark.parametrize(
    ("edges", "shape"),
    [
        ("ab", "chain"),
        ("ab bc cd", "chain"),
        ("ab ac", "star"),
        ("ab ac ad ba ca", "star"),
        ("ba ca da", "star"),
        ("ab bc bd", "star"),
        ("ab ac bd be", "tree"),
        ("ab bc ca", "cyclic"),
        ("ab bc cd da", "cyclic"),
        ("ab ac bc", "mesh"),
        ("ab ba bc cb ca ac", "mesh"),
        ("ab cd", "unconnected"),
    ],
)
def test_shapes_are_classes_by_rule(edges: str, shape: str) -> None:
    pairs = [(edge[0], edge[1]) for edge in edges.split()]
    assert topology("".join(dict.fromkeys(edges.replace(" ", ""))), pairs) == shape


@given(EDGES)
def test_the_fast_path_equals_networkx(edges: set[tuple[str, str]]) -> None:
    graph: networkx.DiGraph[str] = networkx.DiGraph()
    graph.add_nodes_from("abcdef")
    graph.add_edges_from(edges)
    assert betweenness("abcdef", edges) == pytest.approx(networkx.betweenness_centrality(graph))
    undirected = graph.to_undirected()
    assert degree_centrality("abcdef", edges) == pytest.approx(networkx.degree_centrality(undirected))
    if edges:
        pairs = sum(graph.has_edge(other, one) for one, other in edges)
        assert reciprocity(edges) == pytest.approx(pairs / graph.number_of_edges())
    connected = networkx.is_connected(undirected)
    assert (topology("abcdef", edges) == "unconnected") == (not connected)
    assert (topology("abcdef", edges) in ("chain", "star", "tree")) == networkx.is_tree(undirected)
    degrees = [degree for _, degree in undirected.degree()]
    assert 0 <= centralisation(degrees) <= 1


async def test_a_star_whose_workers_report_back_is_not_one_that_never_returns(
    figures: Figures, call: Callable[..., Span], delegate: Callable[..., Span]
) -> None:
    back = [call("read"), *(delegate(name) for name in ("a", "b", "c"))]
    never = [call("read"), *(delegate(name, answer=None) for name in ("a", "b", "c"))]
    found, silent = await figures(CoordinationTopology(), *back), await figures(CoordinationTopology(), *never)
    assert found["coordination_topology"] == silent["coordination_topology"] == "star"
    assert (found["reciprocity"], silent["reciprocity"]) == (1, 0)
    assert (found["density"], silent["density"]) == (0.5, 0.25)
    assert (await figures(Centrality(), *back))["most_betweenness"] == 1
    assert (await figures(Centrality(), *never))["most_betweenness"] == 0
    answered, unanswered = await figures(HandoffQuality(), *back), await figures(HandoffQuality(), *never)
    assert (answered["handoff.acknowledged"], unanswered["handoff.acknowledged"]) == (1, 0)


@pytest.mark.parametrize("evaluator", TEAM, ids=lambda evaluator: evaluator.name)
async def test_one_agent_has_no_team_figures(evaluator: Evaluator, figures: Figures, call: Callable[..., Span]) -> None:
    found = await figures(evaluator, call("read"), say("manager", "done"))
    found.pop("coordination_topology", None)
    assert set(found.values()) == {"not_applicable"}


async def test_where_no_results_are_recorded_nobody_is_said_not_to_have_answered(
    figures: Figures, delegate: Callable[..., Span]
) -> None:
    found = [delegate("a", answer=None), delegate("b", answer=None)]
    assert (await figures(CoordinationTopology(), *found))["reciprocity"] == "not_measured"
    assert set((await figures(HandoffQuality(), *found)).values()) == {"not_measured"}


async def test_going_to_and_fro_shows_as_ping_pong(
    figures: Figures,
    a_run: Callable[..., Run],
    a_trace: Callable[..., Trace],
    ask: Callable[..., Awaitable[Evaluation]],
) -> None:
    round_trip = [hand("a", "b"), hand("b", "c"), hand("c", "a"), hand("a", "b")]
    to_and_fro = [hand("a", "b"), hand("b", "a"), hand("a", "b"), hand("b", "a"), hand("a", "c")]
    assert (await figures(PingPong(), *round_trip))["ping_pong"] == 0
    assert (await figures(PingPong(), *to_and_fro))["ping_pong"] == 0.75
    (found,) = (await ask(PingPong(), a_run(trace=a_trace(*to_and_fro)))).findings
    assert found.sentence == "a and b passed work to and fro 4 times in a row without anybody else."
    assert found.evidence.span_ids == ("s0", "s1", "s2", "s3")
    two = await figures(PingPong(), *to_and_fro[:4])
    assert (two["ping_pong"], two["returned_passes"]) == ("not_applicable", 3)


async def test_activity_is_even_or_not(figures: Figures) -> None:
    even = await figures(Activity(), say("a", "x"), say("b", "y"))
    uneven = await figures(Activity(), *[say("a", "x")] * 3, say("b", "y"))
    assert (even["activity_entropy"], even["activity_balance"]) == (1, 1)
    assert (uneven["activity_entropy"], uneven["activity_balance"]) == (pytest.approx(0.811, abs=0.001), 0.5)


async def test_users_and_environments_are_no_team(
    a_run: Callable[..., Run], ask: Callable[..., Awaitable[Evaluation]]
) -> None:
    agents = (
        Agent(id="u", name="u", role="user"),
        Agent(id="a", name="a"),
        Agent(id="t", name="t", role="environment"),
    )
    spans = tuple(
        Span(id=str(n), seq=n, operation="message", name="m", agent_id=one, to_agent_id=other, text="x")
        for n, (one, other) in enumerate(("ua", "at", "ta", "au"))
    )
    trace = Trace(id="t", source=Source(format="native"), spans=spans, agents=agents)
    measures = (await ask(CoordinationTopology(), a_run(trace=trace))).measures
    assert (measures[0].value, measures[1].reason) == ("single", "not_applicable")


async def test_depth_and_width_of_delegation(figures: Figures) -> None:
    found = await figures(DelegationShape(), hand("a", "b"), hand("a", "c"), hand("b", "d"), hand("d", "a"))
    assert found == {"mean_delegation_depth": pytest.approx(4 / 3), "delegation_width": 2}


async def test_a_constraint_lost_in_a_hand_off_shows(figures: Figures, delegate: Callable[..., Span]) -> None:
    case = Case(id="c", prompt="Find hotels in Lisbon. The price must stay below 120 dollars.")
    kept = await figures(HandoffQuality(), delegate("a", "Lisbon hotels, price below 120 dollars"), case=case)
    lost = await figures(HandoffQuality(), delegate("a", "Lisbon hotels"), case=case)
    assert (kept["handoff.constraints"], lost["handoff.constraints"]) == (1, 0)
    values = kept["handoff_quality"], lost["handoff_quality"]
    assert values == (1, 0.5)


async def test_declared_facts_and_expected_receivers_are_parts_where_they_are_stated(
    figures: Figures, delegate: Callable[..., Span]
) -> None:
    case = Case(id="c", declared_facts=("the venue is Ljubljana",), expected_calls=(ExpectedCall(name="a"),))
    right = await figures(HandoffQuality(), delegate("a", "go to Ljubljana"), say("b", "x"), case=case)
    wrong = await figures(HandoffQuality(), delegate("b", "go there"), say("a", "x"), case=case)
    assert (right["handoff.routing"], right["handoff.facts"]) == (1, 1)
    assert (wrong["handoff.routing"], wrong["handoff.facts"]) == (0, 0)
    bare = await figures(HandoffQuality(), delegate("b", "go there"))
    assert (bare["handoff.routing"], bare["handoff.facts"]) == ("not_applicable", "not_applicable")


async def test_who_is_expected_may_also_be_a_user(
    a_trace: Callable[..., Trace], figures: Figures, delegate: Callable[..., Span]
) -> None:
    user = Agent(id="customer", name="customer", role="user")
    case = Case(id="c", expected_calls=(ExpectedCall(name="customer"),))

    async def routing(to: str) -> object:
        trace = a_trace(delegate(to, "go on"), say("b", "x"))
        people = structs.replace(trace, agents=(*trace.agents, user))
        return (await figures(HandoffQuality(), trace=people, case=case))["handoff.routing"]

    assert [await routing(to) for to in ("customer", "b")] == [1, 0]


async def test_doing_again_what_the_giver_had_done_is_rework(
    figures: Figures, call: Callable[..., Span], delegate: Callable[..., Span]
) -> None:
    before, asked = call("read", {"page": 1}), delegate("a")
    again, new = call("read", {"page": 1}, by="a"), call("read", {"page": 2}, by="a")
    assert (await figures(HandoffQuality(), before, asked, again, new))["handoff.no_rework"] == 0.5


async def test_saying_the_same_is_no_diversity(figures: Figures) -> None:
    same = await figures(
        InformationDiversity(), hand("a", "b"), say("a", "red apples fall"), say("b", "red apples fall")
    )
    other = await figures(InformationDiversity(), hand("a", "b"), say("a", "red apples"), say("b", "grey skies"))
    assert same["information_diversity"] == pytest.approx(0)
    assert other["information_diversity"] == 1
    assert (await figures(InformationDiversity(), hand("a", "b")))["information_diversity"] == "not_measured"


async def test_a_branch_that_leaves_nothing_behind_is_an_unnecessary_path(
    figures: Figures, delegate: Callable[..., Span]
) -> None:
    spans = [
        delegate("a", answer="Photosynthesis captures 4711 photons"),
        delegate("b", answer="Nothing noteworthy happened yesterday"),
    ]
    text = "We find that photosynthesis captures 4711 photons."
    assert (await figures(PathNecessity(), *spans, text=text))["unnecessary_path_ratio"] == 0.5
    assert (await figures(PathNecessity(), *spans, text=""))["unnecessary_path_ratio"] == "not_measured"


async def test_the_critical_path_is_what_the_end_waited_for(figures: Figures, timed: Callable[..., Span]) -> None:
    spans = [timed("a", 0, 2), timed("b", 2, 9), timed("c", 2, 4), timed("a", 9, 10)]
    assert await figures(CriticalPath(), *spans) == {
        "critical_path_seconds": 10,
        "critical_path_steps": 3,
        "parallelism": 1.2,
    }
    assert set((await figures(CriticalPath(), say("a", "x"))).values()) == {"not_measured"}


async def test_whoever_takes_most_of_the_time_is_a_bottleneck(
    a_run: Callable[..., Run],
    a_trace: Callable[..., Trace],
    timed: Callable[..., Span],
    ask: Callable[..., Awaitable[Evaluation]],
) -> None:
    trace = a_trace(timed("a", 0, 2), timed("b", 2, 9), timed("a", 9, 10))
    given = await ask(Bottleneck(), a_run(trace=trace))
    assert [measure.value or measure.reason for measure in given.measures] == [0.7, "not_applicable"]
    assert [finding.sentence for finding in given.findings] == ["The agent b was at work for 70% of the run's time."]
    even = a_trace(timed("a", 0, 2), timed("b", 2, 4), timed("c", 4, 6))
    assert not (await ask(Bottleneck(), a_run(trace=even))).findings
