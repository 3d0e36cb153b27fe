"""How fast traces are read, in CPU time of this process, and as ratios to `json.loads` of the same bytes.

    uv run python benchmarks/trace_readers.py

OTLP is measured with spans that repeat the messages so far, as all instrumentations write them, with a short and with
a long text at the beginning (a question; a paper), and small traces are read from a file each, as they are stored.
"""

import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents_eval_core.trace_source import read_traces

WORDS = 'the model learns "good" representations of words from data which we evaluate;\nit is 0.31 \u00e9tudes better '
BEGUN = 1_700_000_000_000_000_000
MEGABYTES = 24
STORED = 400
Json = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Shape:
    """What a trace is like: the length of the text it begins with, and how often a model is asked."""

    name: str
    text: int
    turns: int


SHAPES = (
    Shape(name="question, 3 requests", text=300, turns=3),
    Shape(name="paper of 8,000 characters, 6 requests", text=8000, turns=6),
    Shape(name="paper of 40,000 characters, 10 requests", text=40_000, turns=10),
)
SMALL = Shape(name="stored small trace", text=200, turns=2)


def a_text(length: int) -> str:
    return (WORDS * (length // len(WORDS) + 1))[:length]


def messages(role: str, text: str) -> list[Json]:
    return [{"role": role, "parts": [{"type": "text", "content": text}]}]


def lines_of(shape: Shape, number: int) -> Iterator[bytes]:
    """Yield the lines of a trace as PydanticAI's instrumentation and our recorder write it."""
    history = messages("user", a_text(shape.text))
    about: Json = {"gen_ai.agent.name": "researcher", "gen_ai.agent.call.id": f"{number:032x}"}
    root: Json = {"gen_ai.operation.name": "invoke_agent", "final_result": a_text(300), "model_name": "m"}
    yield a_line(number, 1, root | about | {"pydantic_ai.all_messages": json.dumps(history)})
    for turn in range(shape.turns):
        answer = messages("assistant", a_text(300))
        chat: Json = {
            "gen_ai.operation.name": "chat",
            "gen_ai.request.model": "m",
            "gen_ai.response.model": "m-1",
            "gen_ai.usage.input_tokens": 1000 + turn,
            "gen_ai.usage.output_tokens": 80,
            "operation.cost": 0.002,
            "gen_ai.input.messages": json.dumps(history),
            "gen_ai.output.messages": json.dumps(answer),
        }
        yield a_line(number, 2 * turn + 2, chat | about)
        tool: Json = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": "search",
            "gen_ai.tool.call.id": f"call-{turn}",
            "gen_ai.tool.call.arguments": json.dumps({"query": a_text(40)}),
            "gen_ai.tool.call.result": a_text(min(shape.text, 1500)),
        }
        yield a_line(number, 2 * turn + 3, tool | about)
        history += answer


def a_line(trace: int, number: int, attributes: Json) -> bytes:
    span = {
        "traceId": f"{trace:032x}",
        "spanId": f"{trace << 16 | number:016x}",
        "parentSpanId": f"{trace << 16 | 1:016x}" if number > 1 else "",
        "name": attributes["gen_ai.operation.name"],
        "startTimeUnixNano": str(BEGUN + number * 10**9),
        "endTimeUnixNano": str(BEGUN + (number + 1) * 10**9),
        "attributes": [{"key": key, "value": a_value(value)} for key, value in attributes.items()],
        "status": {"code": 0},
    }
    return json.dumps({"resourceSpans": [{"scopeSpans": [{"scope": {"name": "x"}, "spans": [span]}]}]}).encode() + b"\n"


def a_value(value: str | float) -> Json:
    if isinstance(value, str):
        return {"stringValue": value}
    return {"intValue": str(value)} if isinstance(value, int) else {"doubleValue": value}


def seconds(work: Callable[[], object], *, batches: int = 5) -> float:
    """Return the CPU time of a piece of work, the median of batches."""
    figures: list[float] = []
    for _ in range(batches):
        begun = time.process_time()
        work()
        figures.append(time.process_time() - begun)
    return statistics.median(figures)


def loads(lines: list[bytes]) -> None:
    for line in lines:
        json.loads(line)


def measure(shape: Shape, folder: Path) -> str:
    lines: list[bytes] = []
    number = size = 0
    while size < MEGABYTES * 10**6:
        number += 1
        lines.extend(lines_of(shape, number))
        size = sum(map(len, lines)) if number % 20 == 0 else size
    path = folder / "traces.jsonl"
    path.write_bytes(b"".join(lines))
    size = path.stat().st_size
    taken = seconds(lambda: sum(len(trace.spans) for trace in read_traces(path, "otlp")))
    floor = seconds(lambda: loads(lines))
    return (
        f"{shape.name:42} {size / len(lines):8,.0f} B/span {size / taken / 1e6:6.0f} MB/s"
        f" {taken / len(lines) * 1e6:6.1f} us/span"
        f"   json.loads {size / floor / 1e6:4.0f} MB/s   ratio {floor / taken:.2f}"
    )


def measure_stored(folder: Path) -> str:
    paths: list[Path] = []
    for number in range(1, STORED + 1):
        paths.append(folder / f"{number}.jsonl")
        paths[-1].write_bytes(b"".join(lines_of(SMALL, number)))
    lines = [line for path in paths for line in path.read_bytes().splitlines()]
    taken = seconds(lambda: [list(read_traces(path, "otlp")) for path in paths])
    floor = seconds(lambda: loads(lines))
    return f"{SMALL.name:42} {len(lines) // STORED} spans {STORED / taken:8,.0f} traces/s   ratio {floor / taken:.2f}"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for shape in SHAPES:
            print(measure(shape, Path(folder)))
        print(measure_stored(Path(folder)))


if __name__ == "__main__":
    main()
