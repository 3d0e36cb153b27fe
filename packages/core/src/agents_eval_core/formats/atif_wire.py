"""ATIF as it is written: steps, their metrics and results."""

from collections.abc import Mapping
from typing import Any

from msgspec import Raw, Struct, field

from agents_eval_core.formats.building.known_usage import known_usage
from agents_eval_core.formats.json_text.json_values import as_amount, as_count, as_record, as_records, as_text
from agents_eval_core.trace import Usage


class AgentInfo(Struct):
    """Who acts in a trajectory."""

    name: Any = None
    version: Any = None
    model_name: Any = None


class Step(Struct):
    """One turn of the system, the user or the agent."""

    step_id: Any = None
    timestamp: Any = None
    source: Any = None
    model_name: Any = None
    reasoning_effort: Any = None
    message: Any = None
    reasoning_content: Any = None
    tool_calls: Any = None
    observation: Any = None
    metrics: Any = None
    llm_call_count: Any = None
    is_copied_context: Any = None
    extra: Any = None


class Embedded(Struct):
    """A sub-agent's trajectory within another."""

    trajectory_id: Any = None
    session_id: Any = None
    agent: AgentInfo = field(default_factory=AgentInfo)
    steps: list[Raw] = field(default_factory=list[Raw])
    final_metrics: Any = None
    subagent_trajectories: list[Raw] = field(default_factory=list[Raw])


def step_results(step: Step) -> list[dict[str, Any]]:
    """Return the results that a step observed."""
    return as_records(as_record(step.observation).get("results"))


def content_text(content: Any) -> str | None:
    """Return a text, of a list of parts those that are text; an image leaves a mark."""
    if isinstance(content, list):
        parts = (as_text(part.get("text")) or f"[{part.get('type')}]" for part in as_records(content))
        return "\n".join(parts) or None
    return as_text(content)


def step_facts(step: Step) -> dict[str, Any]:
    """Return what a step says beyond what its span has fields for."""
    told = {
        "step_id": step.step_id,
        "reasoning_content": step.reasoning_content,
        "reasoning_effort": step.reasoning_effort,
        "llm_call_count": step.llm_call_count,
        "metrics": {key: value for key, value in as_record(step.metrics).items() if key in ("extra", "reward")} or None,
        "extra": step.extra or None,
    }
    return {key: value for key, value in told.items() if value is not None}


def metrics_usage(metrics: Mapping[str, Any], prefix: str = "", scope: Any = "self") -> Usage | None:
    """Return the usage that some metrics tell, or None where they tell none."""
    return known_usage(
        Usage(
            input_tokens=as_count(metrics.get(f"{prefix}prompt_tokens")),
            output_tokens=as_count(metrics.get(f"{prefix}completion_tokens")),
            cached_tokens=as_count(metrics.get(f"{prefix}cached_tokens")),
            cost_usd=as_amount(metrics.get(f"{prefix}cost_usd")),
            scope=scope,
        )
    )


def total_usage(metrics: Mapping[str, Any]) -> Usage | None:
    """Return the usage of a whole trajectory with all below it."""
    return metrics_usage(metrics, "total_", "subtree")
