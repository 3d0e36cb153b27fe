"""Four formulas of an earlier program, after their public description, to be measured beside ours; never offered."""

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from itertools import combinations
from statistics import fmean, pstdev
from typing import Final

from agents_eval_core.trace import Trace
from agents_eval_evaluators.graph.centrality import betweenness

PREDECESSOR: Final = "predecessor's "
DEFAULT: Final = 0.5
FEWEST: Final = 3


def predecessor_scores(trace: Trace) -> Mapping[str, float]:
    """Return what the earlier program would have said, with the constants that it gave where it knew nothing."""
    return {
        f"{PREDECESSOR}path_convergence": path_convergence(trace),
        f"{PREDECESSOR}tool_selection_accuracy": tool_selection_accuracy(trace),
        f"{PREDECESSOR}coordination_centrality": coordination_centrality(trace),
        f"{PREDECESSOR}task_balance": task_balance(trace),
    }


def path_convergence(trace: Trace) -> float:
    """Return 1 - (d - 1) / (n - 2), d being the mean distance in the undirected graph of n agents and tools.

    One agent with k tools has 1 - 1 / (k + 1), whatever it did with them: there is no path in it.
    """
    linked: dict[str, set[str]] = {}
    for span in trace.spans:
        if span.tool is not None and span.agent_id is not None:
            linked.setdefault(f"agent {span.agent_id}", set()).add(f"tool {span.tool.name}")
            linked.setdefault(f"tool {span.tool.name}", set()).add(f"agent {span.agent_id}")
    if not linked:
        return DEFAULT
    if len(linked) < FEWEST:
        return 1.0
    distances = [far for one, other in combinations(linked, 2) if (far := _distance(linked, one, other)) is not None]
    return max(0.0, 1 - (fmean(distances) - 1) / (len(linked) - 2))


def _distance(linked: Mapping[str, Iterable[str]], start: str, goal: str) -> int | None:
    far, waiting = {start: 0}, deque([start])
    while waiting:
        node = waiting.popleft()
        if node == goal:
            return far[node]
        for other in linked[node]:
            if other not in far:
                far[other] = far[node] + 1
                waiting.append(other)
    return None


def tool_selection_accuracy(trace: Trace) -> float:
    """Return the mean over tools of the share of calls that did not fail: nothing is selected, and many calls hide."""
    calls: dict[str, list[bool]] = {}
    for span in trace.spans:
        if span.tool is not None:
            calls.setdefault(span.tool.name, []).append(span.status != "error")
    return fmean(fmean(worked) for worked in calls.values()) if calls else DEFAULT


def coordination_centrality(trace: Trace) -> float:
    """Return the largest betweenness in the graph of delegations, which never lead back; 0.5 for fewer than three."""
    edges = {
        (span.agent_id, span.to_agent_id)
        for span in trace.spans
        if span.agent_id is not None and span.to_agent_id is not None
    }
    nodes = sorted({agent for edge in edges for agent in edge})
    return max(betweenness(nodes, sorted(edges)).values()) if len(nodes) >= FEWEST else DEFAULT


def task_balance(trace: Trace) -> float:
    """Return 1 less the coefficient of variation of the agents' numbers of spans, at least 0; 1 for one agent.

    Its formula is not public in words; any that is 1 for one agent and for equal shares orders agents alike.
    """
    made = Counter(span.agent_id for span in trace.spans if span.agent_id is not None)
    if not made:
        return DEFAULT
    return max(0.0, 1 - pstdev(made.values()) / fmean(made.values()))
