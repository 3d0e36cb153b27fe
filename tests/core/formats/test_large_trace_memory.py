"""How much memory one large trace takes, and that it would take more without cutting texts.

With long texts, measured is `VmHWM` of a process of its own, which begins anew with a program; the size is a tenth of
what `benchmarks/large_traces.py` reads. With short ones, what Python allocates at most for a step.
"""

import json
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import pytest

from agents_eval_core import registry

Json: TypeAlias = dict[str, Any]
SIZE, LENGTH = 50 * 10**6, 20_000
MOST_MEGABYTES = 25
STEPS = 2000
READING = """
import sys
from pathlib import Path
from agents_eval_core import registry
from agents_eval_core.trace_source import read_traces
def peak():
    status = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM"))
path, name = Path(sys.argv[1]), sys.argv[2]
reader, before = registry.trace_format(name), peak()
cut = list(read_traces(path, name))
with_cuts = peak() - before
spans = sum(len(trace.spans) for trace in cut)
del cut
whole = list(reader.read(path, longest_text=None))
print(spans, with_cuts, peak() - before)
"""


class Rise(NamedTuple):
    """How many spans were read, and by how many megabytes the peak rose, with long texts cut and with whole ones."""

    spans: int
    with_cuts: int
    whole: int


def stream(length: int) -> Iterator[Json]:
    about = {"parent_tool_use_id": None, "session_id": "s"}
    for number in count():
        call = {"type": "tool_use", "id": f"t{number}", "name": "Read", "input": {"file_path": f"{number}.py"}}
        message = {"id": f"m{number}", "model": "m", "role": "assistant", "content": [call]}
        yield {"type": "assistant", "message": message, "uuid": f"a{number}", **about}
        result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": "return value\n" * (length // 13)}
        yield {"type": "user", "message": {"role": "user", "content": [result]}, "uuid": f"u{number}", **about}


def chat(length: int) -> Iterator[Json]:
    for number in count():
        call = {"id": f"c{number}", "type": "function", "function": {"name": "read", "arguments": "{}"}}
        yield {"role": "assistant", "content": None, "tool_calls": [call]}
        yield {"role": "tool", "tool_call_id": f"c{number}", "content": "return value\n" * (length // 13)}


def dump(length: int) -> Iterator[Json]:
    about = {"openinference.span.kind": "LLM", "output.value": "return value\n" * (length // 13)}
    for number in count(1):
        context = {"trace_id": "1" * 32, "span_id": f"{number:016x}"}
        yield {"name": "llm", "context": context, "attributes": about, "start_time": number * 10**9}


def rise(path: Path, name: str) -> Rise:
    done = subprocess.run([sys.executable, "-c", READING, str(path), name], capture_output=True, text=True, check=True)
    return Rise(*map(int, done.stdout.split()))


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of one program is only told by Linux")
@pytest.mark.parametrize(
    ("name", "lines"), [("claude_code_stream", stream), ("openai_messages", chat), ("otel_dump", dump)]
)
def test_a_large_trace_is_read_in_little_memory(name: str, lines: Any, tmp_path: Path) -> None:
    path = tmp_path / "large.jsonl"
    written = 0
    with path.open("w") as file:
        for line in lines(LENGTH):
            written += file.write(json.dumps(line) + "\n")
            if written > SIZE:
                break
    found = rise(path, name)
    assert found.spans > SIZE // LENGTH // 2
    assert found.with_cuts < MOST_MEGABYTES < found.whole


@pytest.mark.parametrize(
    ("name", "lines", "most_bytes"),
    [("claude_code_stream", stream, 1350), ("openai_messages", chat, 1650), ("otel_dump", dump, 1800)],
)
def test_a_short_step_of_a_huge_trace_takes_little_room(
    name: str, lines: Callable[[int], Iterator[Json]], most_bytes: int, tmp_path: Path
) -> None:
    path = tmp_path / "large.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in islice(lines(400), STEPS)))
    reader = registry.trace_format(name)
    tracemalloc.start()
    try:
        (trace,) = reader.read(path, longest_text=200)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak / len(trace.spans) < most_bytes
