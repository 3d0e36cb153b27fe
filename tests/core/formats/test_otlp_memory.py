"""How much memory reading takes, measured in a process of its own.

Measured is `VmHWM`, which begins anew with a program; `ru_maxrss` would begin with the peak of the process that
started it.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest

Json: TypeAlias = dict[str, Any]
MEGABYTES, MOST_MEGABYTES = 60, 150
READING = """
import sys
from pathlib import Path
from agents_eval_core.trace_source import read_traces
spans = sum(len(trace.spans) for trace in read_traces(Path(sys.argv[1])))
status = Path("/proc/self/status").read_text().splitlines()
print(spans, next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM")))
"""


def spans(megabytes: int) -> Iterator[Json]:
    """Yield requests to a model that repeat a long history, 20 in a trace."""
    history = json.dumps([{"role": "user", "parts": [{"type": "text", "content": "a long paper " * 700}]}])
    answer = json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": "an answer " * 300}]}])
    said = {"gen_ai.operation.name": "chat", "gen_ai.input.messages": history, "gen_ai.output.messages": answer}
    attributes = [{"key": key, "value": {"stringValue": value}} for key, value in said.items()]
    for number in range(1, megabytes * 10**6 // (len(history) + len(answer))):
        ids = {"traceId": f"{number // 20 + 1:032x}", "spanId": f"{number:016x}"}
        yield {**ids, "name": "chat", "startTimeUnixNano": str(number * 10**9), "attributes": attributes}


def in_lines(path: Path) -> int:
    with path.open("w") as file:
        count = 0
        for span in spans(MEGABYTES):
            count += file.write(json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}) + "\n") > 0
    return count


def one_document(path: Path) -> int:
    with path.open("w") as file:
        file.write('{"resourceSpans": [{"scopeSpans": [{"spans": [')
        count = 0
        for span in spans(MEGABYTES):
            count += file.write(("," if count else "") + json.dumps(span)) > 0
        file.write("]}]}]}")
    return count


@pytest.mark.proof
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of one program is only told by Linux")
@pytest.mark.parametrize("write", [in_lines, one_document])
def test_a_large_file_is_read_in_little_memory(write: Any, tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    count = write(path)
    assert path.stat().st_size > MEGABYTES * 0.9e6
    done = subprocess.run([sys.executable, "-c", READING, str(path)], capture_output=True, text=True, check=True)
    read, peak = (int(figure) for figure in done.stdout.split())
    assert read == count
    assert peak < MOST_MEGABYTES
