"""The clock of a replay: where the agents did again what is recorded, the record says when, and under which ids."""

from pathlib import Path
from typing import Any, Final

from agents_eval_agents.recorder import FILE_NAME, trace_of
from agents_eval_core.store.run_directory import RunDirectory
from agents_eval_core.trace import Trace
from agents_eval_core.waits import WAIT

ATTEMPT: Final = "pydantic_ai.model_request.attempt"


def recorded_instead(recorded: Path, replayed: bytes) -> bytes | None:
    """Return the recorded spans if a replay did the same, else None.

    The same is: the same agents and tools in the same order, with the same arguments, results and answers. Waits and
    attempts that failed do not count, since a replay has none.
    """
    path = recorded / FILE_NAME
    if not path.is_file():
        return None
    then = path.read_bytes()
    return then if _deeds(trace_of(then, recorded.name)) == _deeds(trace_of(replayed, recorded.name)) else None


def recorded_peak(recorded: Path) -> int | None:
    """Return the peak memory of a recorded run."""
    return RunDirectory.open(recorded).read_run(with_trace=False).peak_memory_bytes


def _deeds(trace: Trace) -> list[tuple[Any, ...]]:
    return [
        (
            sum(1 for _ in trace.ancestors(span)),
            span.operation,
            trace.agent_name(span.agent_id),
            span.name,
            span.text,
            repr(span.tool),
        )
        for span in trace.spans
        if span.name != WAIT and ATTEMPT not in span.attributes
    ]
