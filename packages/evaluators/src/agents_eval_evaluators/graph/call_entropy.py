"""How evenly a run's calls are spread over tools."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import log2
from typing import Final

from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Measure, Tier
from agents_eval_evaluators.graph.calls import Call, tool_calls
from agents_eval_evaluators.scoring import figures, silent

UNITS: Final = (("call_entropy", "bits"), ("distinct_tools", "tools"), ("calls_per_distinct_call", "calls"))


def entropy(counts: Sequence[int]) -> float:
    """Return the Shannon entropy of a distribution in bits; one kind alone has 0.

    Raises:
        UndefinedMetricError: Nothing was counted.

    >>> entropy([2, 1, 1])
    1.5
    """
    total = sum(counts)
    if not total:
        raise UndefinedMetricError("entropy", because="nothing was counted")
    return max(0.0, log2(total) - sum(count * log2(count) for count in counts if count) / total)


@dataclass(frozen=True, slots=True, kw_only=True)
class CallEntropy:
    """Measures the entropy of tool names, and how often the same call was made on average.

    Entropy alone cannot tell a hundred rounds from one; `calls_per_distinct_call` (name and arguments) can.
    """

    name: str = "call_entropy"
    version: str = "1"
    tier: Tier = 3
    metrics: tuple[str, ...] = ()

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Count the calls by tool."""
        if run.trace is None:
            return silent(self, "not_measured", "the run has no trace", UNITS)
        calls = tool_calls(run.trace)
        if not calls:
            return silent(self, "not_applicable", "no tool was called", UNITS)
        tools = Counter(call.tool.name for call in calls)
        spread = (entropy(tuple(tools.values())), len(tools))
        return Evaluation(measures=(*figures(UNITS[:2], spread), *self._repetition(calls)))

    def _repetition(self, calls: Sequence[Call]) -> tuple[Measure, ...]:
        name, unit = UNITS[-1]
        if all(call.tool.arguments is None for call in calls):
            why = "the trace does not record with what arguments tools were called"
            return silent(self, "not_measured", why, UNITS[-1:]).measures
        return (Measure(name=name, value=len(calls) / len({call.key for call in calls}), unit=unit),)
