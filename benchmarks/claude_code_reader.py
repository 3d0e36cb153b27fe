"""How fast Claude Code's output becomes a trace, in CPU time of this process, as a ratio to `json.loads`.

Run it with `python benchmarks/claude_code_reader.py [FILE…]`. Without files, streams are made up in three shapes: lines
as long as those of a coding session with files that are read (about 3.5 kB), of one with short commands (1.5 kB), and
of one with large tool results (20 kB). Each figure is the best of several passes over the same bytes, since other work
on the machine only ever adds to it.
"""

import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from agents_eval_core.trace_source import read_traces

BYTES = 8_000_000
FORMAT = "claude_code_stream"
SHAPES = {"3.5 kB a line": 5_200, "1.5 kB a line": 1_500, "20 kB a line": 45_000}
WORDS = ("return", "the_path", "import", "value", "=", "for", "in", "settings:", "None", "# why", '"name"', "é")
SESSION = "5e55-0001"


def best_seconds(work: Callable[[], object], *, passes: int = 7) -> float:
    """Return the CPU time of the fastest pass."""
    figures: list[float] = []
    for _ in range(passes):
        begun = time.process_time()
        work()
        figures.append(time.process_time() - begun)
    return min(figures)


def some_text(chance: random.Random, length: int) -> str:
    """Return numbered lines like those of a file that is read."""
    lines = (f"{number:>6}\t{' '.join(chance.choices(WORDS, k=6))}" for number in range(1, length // 40 + 2))
    return "\n".join(lines)[:length]


def events(chance: random.Random, result_length: int) -> Iterator[dict[str, object]]:
    """Yield events without end: a message in words, its call of a tool, and the result, as they come in sessions."""
    about = {"parent_tool_use_id": None, "session_id": SESSION}
    yield {"type": "system", "subtype": "init", "model": "claude-test-1", "tools": ["Read"], "uuid": "u", **about}
    results = [some_text(chance, result_length) for _ in range(50)]
    number = 0
    while True:
        number += 1
        usage = {"input_tokens": 3, "cache_read_input_tokens": 20_000 + number, "output_tokens": 1}
        message = {"id": f"msg_{number}", "model": "claude-test-1", "role": "assistant", "usage": usage}
        blocks: list[dict[str, object]] = [
            {"type": "text", "text": some_text(chance, 200)},
            {
                "type": "tool_use",
                "id": f"toolu_{number}",
                "name": "Read",
                "input": {"file_path": f"/project/{number}.py"},
            },
        ]
        for place, block in enumerate(blocks):
            said = {**message, "content": [block], "stop_reason": None}
            yield {"type": "assistant", "message": said, "uuid": f"a{number}-{place}", **about}
        text = results[number % len(results)]
        result = {"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": text}
        answer = {"role": "user", "content": [result]}
        note = {"type": "text", "file": {"filePath": f"/project/{number}.py", "content": text}}
        yield {"type": "user", "message": answer, "uuid": f"u{number}", "tool_use_result": note, **about}


def write_stream(path: Path, result_length: int, size: int) -> None:
    written = 0
    with path.open("wb") as file:
        chance = random.Random(1)  # noqa: S311  made-up text, no secret
        for event in events(chance, result_length):
            written += file.write(json.dumps(event, separators=(",", ":"), ensure_ascii=False).encode() + b"\n")
            if written >= size:
                return


def report(name: str, path: Path) -> None:
    lines = path.read_bytes().splitlines()
    size = path.stat().st_size / 1e6

    def load_json() -> None:
        for line in lines:
            json.loads(line)

    floor = best_seconds(load_json)
    ours = best_seconds(lambda: list(read_traces(path, FORMAT)))
    print(
        f"{name:<24} json.loads {size / floor:5.0f} MB/s   trace {size / ours:5.0f} MB/s ({floor / ours:.2f} of it)"
        f"   {ours / len(lines) * 1e6:.1f} µs a line"
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name, length in SHAPES.items() if not sys.argv[1:] else ():
            path = Path(folder) / "stream.jsonl"
            write_stream(path, length, BYTES)
            report(name, path)
        for given in sys.argv[1:]:
            report(Path(given).name[:24], Path(given))


if __name__ == "__main__":
    main()
