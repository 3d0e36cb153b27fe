"""Every real trace, converted by `agents-eval trace convert` and read back, is the same trace."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from agents_eval_cli.app import run
from agents_eval_core import registry
from agents_eval_core.ports.trace_format import WritableFormat
from agents_eval_core.redaction import redact_bytes
from agents_eval_core.trace import Trace
from agents_eval_core.trace_source import recognised
from agents_eval_core.use_cases.convert_traces import writable_format, writable_formats
from agents_eval_core.use_cases.trace_stats import trace_stats

LARGEST_IN_SUITE = 60_000
FILES = 650


def real_files(real_data: Path) -> Iterator[tuple[Path, str]]:
    for row in trace_stats([real_data / "traces"]):
        if row.format is not None and row.traces:
            yield row.path, row.format


def a_few(real_data: Path) -> Iterator[tuple[Path, str]]:
    """Yield the smallest file of each folder that is not large: each format and each convention is among them."""
    smallest: dict[str, tuple[int, Path]] = {}
    for path in sorted((real_data / "traces").rglob("*.json*")):
        folder, size = path.relative_to(real_data / "traces").parts[0], path.stat().st_size
        if size <= LARGEST_IN_SUITE and (folder not in smallest or size < smallest[folder][0]) and _is_trace(path):
            smallest[folder] = (size, path)
    for _, path in smallest.values():
        yield path, recognised(path).name


def _is_trace(path: Path) -> bool:
    return any(row.traces for row in trace_stats([path]))


def alike(traces: list[Trace]) -> list[Trace]:
    return [replace(trace, source=traces[0].source) for trace in traces]


def without_secrets(traces: list[Trace]) -> list[Any]:
    native = writable_format("native")
    return [msgspec.json.decode(redact_bytes(native.write(trace))) for trace in traces]


def assert_comes_back(path: Path, name: str, writer: WritableFormat, place: Path) -> None:
    """Convert a file by the program; what comes back is equal but for secrets, and without redaction equal."""
    before = list(registry.trace_format(name).read(path))
    place.write_bytes(b"".join(map(writer.write, before)))
    assert alike([replace(trace, source=before[0].source) for trace in writer.read(place)]) == alike(before), path
    assert run(["trace", "convert", str(path), "--to", writer.name, "--out", str(place), "--format", name]) == 0
    after = [replace(trace, source=before[0].source) for trace in writer.read(place)]
    assert without_secrets(alike(after)) == without_secrets(alike(before)), path


@pytest.mark.parametrize("to", writable_formats())
def test_a_trace_of_each_real_collection_comes_back_equal(to: str, real_data: Path, tmp_path: Path) -> None:
    files = list(a_few(real_data))
    assert len({name for _, name in files}) >= 9
    for path, name in files:
        assert_comes_back(path, name, writable_format(to), tmp_path / "converted.jsonl")


@pytest.mark.proof
@pytest.mark.parametrize("to", writable_formats())
def test_every_real_trace_comes_back_equal(to: str, real_data: Path, tmp_path: Path) -> None:
    files = list(real_files(real_data))
    assert len(files) > FILES
    for path, name in files:
        assert_comes_back(path, name, writable_format(to), tmp_path / "converted.jsonl")
