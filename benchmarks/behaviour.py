"""What tier 3 costs on a trace of 30 and of 10,000 events, and what plain NetworkX would cost for the graph part.

python benchmarks/behaviour.py
"""

import asyncio
import gc
import sys
import time
import tracemalloc
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from statistics import median

import networkx
from pydantic import BaseModel

from agents_eval_core import registry
from agents_eval_core.case import Case, ExpectedCall
from agents_eval_core.ports.evaluator import EvaluationContext, Evaluator
from agents_eval_core.registry import BrokenPlugin
from agents_eval_core.run import Run, System
from agents_eval_core.trace import Agent, Source, Span, ToolUse, Trace
from agents_eval_evaluators.graph.agent_graph import agent_graph
from agents_eval_evaluators.graph.centrality import betweenness, degree_centrality

SIZES = {30: (200e-6, 400), 10_000: (20e-3, 7)}
NAMES = ("manager", "researcher", "analyst", "synthesizer")
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
MANY = 100_000
CASE = Case(id="c", task="other", expected_calls=tuple(ExpectedCall(name="read") for _ in range(5)))


def a_trace(events: int) -> Trace:
    """Return a team's trace: a manager that asks three others every ten events, who answer and call tools."""
    spans: list[Span] = []
    for place in range(events):
        worker = NAMES[1 + place // 10 % 3]
        asks, calls = place % 10 == 0, place % 3 == 0
        spans.append(
            Span(
                id=str(place),
                seq=place,
                parent_id=None if asks else str(place - place % 10),
                operation="execute_tool" if asks or calls else "chat",
                name="execute_tool read" if calls else "chat",
                agent_id=NAMES[0] if asks else worker,
                to_agent_id=worker if asks else None,
                status="error" if place % 15 == 3 else "ok",
                started_at=NOON + timedelta(seconds=place),
                ended_at=NOON + timedelta(seconds=place + (9 if asks else 0.5)),
                tool=ToolUse(name="read", arguments={"section": place}, result=f"section {place}: forty participants")
                if asks or calls
                else None,
                text=None if asks or calls else f"Step {place}: I will look at the section after this one.",
            )
        )
    agents = tuple(Agent(id=name, name=name) for name in NAMES)
    return Trace(id="t", source=Source(format="native"), spans=tuple(spans), agents=agents)


def a_run(trace: Trace) -> Run:
    """Return a run with that trace."""
    return Run(
        id="r",
        status="complete",
        case=CASE,
        system=System(engine="mas"),
        trace=trace,
        output_text="done",
        created_at=NOON,
    )


def seconds(prepare: Callable[[], Run], work: Callable[[Run], object], rounds: int) -> float:
    """Return the median CPU time of a piece of work, each time on a trace that nobody has looked at."""
    times: list[float] = []
    for _ in range(rounds):
        run = prepare()
        gc.collect() if rounds < 10 else None
        start = time.process_time()
        work(run)
        times.append(time.process_time() - start)
    return median(times)


def behaviour() -> list[Evaluator]:
    """Return the installed evaluators of tier 3."""
    found = (plugin for plugin in registry.evaluators() if not isinstance(plugin, BrokenPlugin))
    return [plugin for plugin in found if plugin.tier == 3]


def trace_of(run: Run) -> Trace:
    """Return the trace that every run here has."""
    if run.trace is None:
        raise ValueError("a run without a trace")
    return run.trace


def with_networkx(run: Run) -> None:
    """Build the graph with NetworkX and ask it the same."""
    graph = networkx.DiGraph(trace_of(run).to_networkx())
    networkx.betweenness_centrality(graph)
    networkx.degree_centrality(graph)


def without_networkx(run: Run) -> None:
    """Do the same on the fast path."""
    graph = agent_graph(trace_of(run))
    betweenness(graph.agents, graph.edges)
    degree_centrality(graph.agents, graph.edges)


async def results_of(evaluators: list[Evaluator], context: EvaluationContext, run: Run) -> list[BaseModel]:
    """Return every score, measure and finding that tier 3 gives of a run: what it costs to make them is the floor."""
    found: list[BaseModel] = []
    for evaluator in evaluators:
        said = await evaluator.evaluate(run, context)
        found += [said, *said.scores, *said.measures, *said.findings]
        found += [measure for score in said.scores for measure in score.measures]
    return found


def rebuilt(results: list[BaseModel]) -> None:
    """Make the same results anew, validated as they were."""
    for each in results:
        type(each)(**each.__dict__)


def main() -> None:
    """Print what was measured."""
    evaluators, context = behaviour(), EvaluationContext()
    with asyncio.Runner() as runner:

        async def evaluate(some: list[Evaluator], run: Run) -> None:
            for evaluator in some:
                await evaluator.evaluate(run, context)

        for events, (goal, rounds) in SIZES.items():
            trace = a_trace(events)

            def fresh(trace: Trace = trace) -> Run:
                fields = {name: getattr(trace, name) for name in trace.__struct_fields__}
                return a_run(Trace(**fields))

            whole = seconds(fresh, lambda run: runner.run(evaluate(evaluators, run)), rounds)
            loop = seconds(fresh, lambda run: runner.run(evaluate([], run)), rounds)
            print(f"{events:6} events, all of tier 3 {1e6 * (whole - loop):10.0f} µs   goal {1e6 * goal:.0f}")
            for one in evaluators:
                took = seconds(fresh, lambda run, one=one: runner.run(evaluate([one], run)), rounds) - loop
                print(f"    {one.name:24} {1e6 * took:10.0f} µs")
            results = runner.run(results_of(evaluators, context, fresh()))
            built = seconds(fresh, lambda _, results=results: rebuilt(results), rounds)
            print(f"    {f'the {len(results)} results alone':24} {1e6 * built:10.0f} µs")
            print(f"    {'graph, fast path':24} {1e6 * seconds(fresh, without_networkx, rounds):10.0f} µs")
            print(f"    {'graph, NetworkX':24} {1e6 * seconds(fresh, with_networkx, rounds):10.0f} µs")
        if "--memory" in sys.argv:
            memory(lambda run: runner.run(evaluate(evaluators, run)))


def memory(work: Callable[[Run], object]) -> None:
    """Print how much is held after a thousand and after a hundred thousand traces."""
    tracemalloc.start()
    for count in range(1, MANY + 1):
        work(a_run(a_trace(3)))
        if count in (1000, MANY):
            gc.collect()
            print(f"held after {count:7} traces {tracemalloc.get_traced_memory()[0] / 2**20:8.2f} MiB")


if __name__ == "__main__":
    main()
