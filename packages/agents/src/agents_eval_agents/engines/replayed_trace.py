"""The clock of a replay: where the agents did again what is recorded, the record says when, and under which ids."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from agents_eval_agents.recorder import FILE_NAME
from agents_eval_core import registry
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
    with tempfile.TemporaryDirectory(prefix="agents-eval-") as folder:
        anew = Path(folder, FILE_NAME)
        anew.write_bytes(replayed)
        is_same = list(_deeds(_read(path))) == list(_deeds(_read(anew)))
    return path.read_bytes() if is_same else None


def recorded_peak(recorded: Path) -> int | None:
    """Return the peak memory of a recorded run."""
    return RunDirectory.open(recorded).read_run(with_trace=False).peak_memory_bytes


def _read(path: Path) -> Trace:
    return next(iter(registry.trace_format("otlp").read(path)))


def _deeds(trace: Trace) -> Iterator[tuple[Any, ...]]:
    for span in trace.spans:
        if span.name == WAIT or ATTEMPT in span.attributes:
            continue
        depth = sum(1 for _ in trace.ancestors(span))
        yield depth, span.operation, trace.agent_name(span.agent_id), span.name, span.text, repr(span.tool)
