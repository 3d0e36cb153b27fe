"""How different the things are that linked agents say (IDS)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum, log, sqrt
from typing import Final

from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Measure, Tier
from agents_eval_core.trace import Trace
from agents_eval_evaluators.graph.agent_graph import Pair, agent_graph
from agents_eval_evaluators.graph.per_trace import per_trace
from agents_eval_evaluators.scoring import silent
from agents_eval_evaluators.text.words import words

IDS: Final = (("information_diversity", "share"),)
CHARACTERS_READ: Final = 20_000


def information_diversity(texts: Mapping[str, str], weights: Mapping[Pair, int]) -> float:
    """Return the sum of w (1 - sim) over linked pairs of agents, divided by the sum of w.

    sim is the cosine of TF-IDF vectors, ln((1 + n) / (1 + df)) + 1, over the agents' texts of this run; no embedding is
    used. w is how often the two were linked, in either direction.

    Raises:
        UndefinedMetricError: No two agents that both said something are linked.

    References:
        GEMMAS (arXiv 2507.13190), which means TF-IDF and embedding cosines, and takes its weights from spatial and
        temporal links.

    >>> information_diversity({"a": "red apples", "b": "red apples", "c": "grey sky"}, {("a", "b"): 1, ("a", "c"): 1})
    0.5
    """
    vectors = _tf_idf({agent: words(text[:CHARACTERS_READ]) for agent, text in texts.items()})
    linked = {pair: weight for pair, weight in weights.items() if vectors.get(pair[0]) and vectors.get(pair[1])}
    if not linked:
        raise UndefinedMetricError("information_diversity", because="no two agents that said something are linked")
    total = sum(linked.values())
    return fsum(weight * (1 - _cosine(vectors[one], vectors[two])) for (one, two), weight in linked.items()) / total


def _tf_idf(said: Mapping[str, Sequence[str]]) -> Mapping[str, Mapping[str, float]]:
    frequency = Counter(word for each in said.values() for word in set(each))
    idf = {word: log((1 + len(said)) / (1 + count)) + 1 for word, count in frequency.items()}
    vectors: dict[str, Mapping[str, float]] = {}
    for agent, each in said.items():
        vector = {word: count * idf[word] for word, count in Counter(each).items()}
        length = sqrt(fsum(value * value for value in vector.values()))
        vectors[agent] = {word: value / length for word, value in vector.items()}
    return vectors


def _cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    small, large = sorted((one, other), key=len)
    return min(1.0, fsum(value * large.get(word, 0.0) for word, value in small.items()))


@per_trace
def own_texts(trace: Trace) -> Mapping[str, str]:
    """Return what each agent said, and what delegating calls to it came back with."""
    said: dict[str, list[str]] = {}
    for span in trace.spans:
        if span.text and span.agent_id and span.operation in ("chat", "message"):
            said.setdefault(span.agent_id, []).append(span.text)
        elif span.to_agent_id and span.operation == "execute_tool" and span.tool is not None and span.tool.result:
            said.setdefault(span.to_agent_id, []).append(span.tool.result)
    return {agent: "\n".join(texts) for agent, texts in said.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class InformationDiversity:
    """Measures a run by `information_diversity`."""

    name: str = "information_diversity"
    version: str = "0"
    tier: Tier = 3
    metrics: tuple[str, ...] = ()

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Compare what linked agents said."""
        if run.trace is None:
            return silent(self, "not_measured", "the run has no trace", IDS)
        graph = agent_graph(run.trace)
        if len(graph.agents) < 2:  # noqa: PLR2004  a team
            return silent(self, "not_applicable", "one agent is no pair", IDS)
        try:
            value = information_diversity(own_texts(run.trace), graph.edges)
        except UndefinedMetricError as problem:
            return silent(self, "not_measured", problem.because, IDS)
        return Evaluation(measures=(Measure(name=IDS[0][0], value=value, unit="share"),))
