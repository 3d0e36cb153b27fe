"""How much memory the skeleton of one trace of 500 MB takes at its peak, in a process of its own.

    uv run python benchmarks/large_traces.py [MEGABYTES]

What counts is how many steps a trace has, not how long their texts are: long texts are cut while they are read. So each
format is measured with long steps (20 kB and more, as of agents that read files) and with short ones (3 to 4 kB).
Measured is `VmHWM`, which begins anew with a program.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

MEGABYTES = 500
BEGUN = 1_700_000_000_000_000_000
WORDS = 'return the_path import "value" = for in settings: None # why\n'
READING = """
import sys, time
from pathlib import Path
from agents_eval_core import registry
from agents_eval_core.trace_source import read_traces
list(registry.load_all("formats"))
def peak():
    status = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM"))
before, begun = peak(), time.process_time()
kept = list(read_traces(Path(sys.argv[1])))
print(len(kept), sum(len(trace.spans) for trace in kept), before, peak(), f"{time.process_time() - begun:.1f}")
"""

Json = dict[str, Any]
Shape = Callable[[int], Iterator[bytes]]


def a_text(length: int) -> str:
    return (WORDS * (length // len(WORDS) + 1))[:length]


def texts(length: int) -> Iterator[str]:
    """Yield texts of all lengths up to twice the one that they have on average, as results of tools have."""
    whole = a_text(2 * length)
    for number in count(1):
        yield whole[: number * 7919 % (2 * length)]


def line(value: Json) -> bytes:
    return json.dumps(value).encode() + b"\n"


def claude_code_stream(length: int) -> Iterator[bytes]:
    """Yield calls and results as `claude -p` prints them; a result stands there twice."""
    about = {"parent_tool_use_id": None, "session_id": "s"}
    for number, text in enumerate(texts(length // 2)):
        usage = {"input_tokens": 3, "cache_read_input_tokens": 20_000 + number, "output_tokens": 1}
        call = {"type": "tool_use", "id": f"t{number}", "name": "Read", "input": {"file_path": f"/p/{number}.py"}}
        message = {"id": f"m{number}", "model": "m", "role": "assistant", "usage": usage, "content": [call]}
        yield line({"type": "assistant", "message": message, "uuid": f"a{number}", **about})
        answer = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": f"t{number}", "content": text}]}
        note = {"type": "text", "file": {"content": text}}
        yield line({"type": "user", "message": answer, "uuid": f"u{number}", "tool_use_result": note, **about})


def otlp(length: int) -> Iterator[bytes]:
    """Yield spans that repeat the messages so far."""
    history = json.dumps([{"role": "user", "parts": [{"type": "text", "content": a_text(length * 3 // 4)}]}])
    said = {"gen_ai.operation.name": "chat", "gen_ai.agent.name": "a", "gen_ai.request.model": "m"}
    for number, text in enumerate(texts(length // 4), start=1):
        answer = json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": text}]}])
        said |= {"gen_ai.input.messages": history, "gen_ai.output.messages": answer}
        attributes = [{"key": key, "value": {"stringValue": value}} for key, value in said.items()]
        attributes.append({"key": "gen_ai.usage.input_tokens", "value": {"intValue": str(1000 + number)}})
        at = BEGUN + number * 10**9
        times = {"startTimeUnixNano": str(at), "endTimeUnixNano": str(at + 10**9)}
        span = {"traceId": "1" * 32, "spanId": f"{number:016x}", "name": "chat", "attributes": attributes, **times}
        yield line({"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]})


def otel_dump(length: int) -> Iterator[bytes]:
    """Yield span objects as Phoenix writes them."""
    about: Json = {"openinference.span.kind": "LLM", "llm.model_name": "m", "input.value": a_text(length * 3 // 4)}
    for number, text in enumerate(texts(length // 4), start=1):
        about |= {"output.value": text, "llm.token_count.prompt": 1000 + number}
        context = {"trace_id": "1" * 32, "span_id": f"{number:016x}"}
        times = {"start_time": BEGUN + number * 10**9, "end_time": BEGUN + (number + 1) * 10**9}
        yield line({"name": "llm", "context": context, "attributes": about, **times})


def openai_messages(length: int) -> Iterator[bytes]:
    """Yield messages, one a line, of one conversation."""
    for number, text in enumerate(texts(length)):
        function = {"name": "read", "arguments": json.dumps({"path": f"/p/{number}.py"})}
        call = {"id": f"c{number}", "type": "function", "function": function}
        yield line({"role": "assistant", "content": None, "tool_calls": [call]})
        yield line({"role": "tool", "tool_call_id": f"c{number}", "content": text})


SHAPES: tuple[tuple[Shape, int], ...] = tuple(
    (shape, length) for shape in (claude_code_stream, otlp, otel_dump, openai_messages) for length in (20_000, 3_500)
)


def write(path: Path, lines: Iterator[bytes], size: int) -> None:
    written = 0
    with path.open("wb") as file:
        for each in lines:
            written += file.write(each)
            if written >= size:
                return


def main() -> None:
    megabytes = int(sys.argv[1]) if sys.argv[1:] else MEGABYTES
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.jsonl"
        for shape, length in SHAPES:
            write(path, shape(length), megabytes * 10**6)
            begun = time.monotonic()
            command = [sys.executable, "-c", READING, str(path)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603  no shell, our words
            traces, spans, before, peak, seconds = done.stdout.split()
            print(
                f"{shape.__name__:20} {length / 1000:4.1f} kB a step: {traces} trace, {spans:>7} spans,"
                f" peak {peak:>4} MB ({before} before), {seconds} s of CPU, {time.monotonic() - begun:.0f} s"
            )


if __name__ == "__main__":
    main()
