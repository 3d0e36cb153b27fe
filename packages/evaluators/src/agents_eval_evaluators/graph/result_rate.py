"""The older formula, results / time / complexity: kept as a measure, to be compared with."""

from dataclasses import dataclass
from typing import Final

from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Measure, Tier
from agents_eval_core.trace import Trace
from agents_eval_evaluators.graph.agent_graph import agent_graph
from agents_eval_evaluators.graph.calls import tool_calls
from agents_eval_evaluators.scoring import silent

UNITS: Final = (("result_rate", "results per minute and part"),)
MINUTE: Final = 60.0


def result_rate(result: float, seconds: float, parts: int) -> float:
    """Return result / minutes / parts.

    Args:
        result: What came out, from 0 to 1.
        seconds: How long it took.
        parts: How complex the system was: working agents and distinct tools in use.

    Raises:
        UndefinedMetricError: It took no time, or there are no parts.

    >>> result_rate(1.0, 120, 5)
    0.1
    """
    if seconds <= 0 or parts < 1:
        raise UndefinedMetricError("result_rate", because="it took no time or nothing took part")
    return result / (seconds / MINUTE) / parts


def parts_of(trace: Trace) -> int:
    """Return how many agents worked and how many different tools they called."""
    return len(agent_graph(trace).agents) + len({call.tool.name for call in tool_calls(trace)})


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultRate:
    """Measures a run by `result_rate`, with the declared reward or success as its result. No score: it has no top."""

    name: str = "result_rate"
    version: str = "0"
    tier: Tier = 3
    metrics: tuple[str, ...] = ()

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Divide what came out by time and parts."""
        if run.trace is None:
            return silent(self, "not_measured", "the run has no trace", UNITS)
        result = _declared_result(run.trace)
        if result is None:
            return silent(self, "not_measured", "nobody says what the run achieved", UNITS)
        try:
            value = result_rate(result, run.trace.elapsed_seconds or 0.0, parts_of(run.trace))
        except UndefinedMetricError as problem:
            return silent(self, "not_measured", problem.because, UNITS)
        return Evaluation(measures=(Measure(name=UNITS[0][0], value=value, unit=UNITS[0][1]),))


def _declared_result(trace: Trace) -> float | None:
    outcome = trace.outcome
    if outcome is None:
        return None
    if outcome.reward is not None and 0 <= outcome.reward <= 1:
        return outcome.reward
    return None if outcome.success is None else float(outcome.success)
