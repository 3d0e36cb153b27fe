"""What is true of every trace format in the registry."""

import os
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, suppress
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from agents_eval_core import registry
from agents_eval_core.errors import UnreadableError
from agents_eval_core.ports.trace_format import TraceFormat
from agents_eval_core.report.trace_skeleton import trace_skeleton
from agents_eval_core.trace import Span, Trace
from agents_eval_core.use_cases.convert_traces import convert_traces, writable_formats

FUZZ_INPUTS = int(os.environ.get("FUZZ_INPUTS", "100000"))
FUZZ_FIRST = int(os.environ.get("FUZZ_FIRST", "0"))
FUZZ_SECONDS = float(os.environ.get("FUZZ_SECONDS", "inf"))
FUZZ_MEMORY = 512 * 2**20
LONGEST_READ = 20.0
TASKS = ("question", "task", "problem_statement")
SENTINEL = "sk-proj-abcdefgh12345678abcdefgh"

Samples = Mapping[str, list[Any]]
Damage = Callable[[Random, bytes], bytes]
Guard = Callable[[float], AbstractContextManager[None]]

formats = pytest.mark.parametrize("name", registry.names("formats"))


def traces_of(name: str, samples: Samples) -> Iterator[Trace]:
    reader = registry.trace_format(name)
    for sample in samples[name]:
        yield from reader.read(sample.source)


def flaws(trace: Trace) -> list[str]:
    """Return what no trace may be."""
    ids = [span.id for span in trace.spans]
    agents = [agent.id for agent in trace.agents]
    named = {name for span in trace.spans for name in (span.agent_id, span.to_agent_id) if name is not None}
    times = [moment for span in trace.spans for moment in (span.started_at, span.ended_at) if moment is not None]
    flaw = {
        "span ids are not unique": len(set(ids)) < len(ids),
        "seq is not the order of the spans": [span.seq for span in trace.spans] != list(range(len(ids))),
        "agent ids are not unique": len(set(agents)) < len(agents),
        "a span names an agent that is not there": not named <= set(agents),
        "a time has no zone": any(moment.tzinfo is None for moment in times),
        "a count is negative": any(count < 0 for span in trace.spans for count in counts(span)),
        "an unread count is not positive": any(count < 1 for count in trace.unread.values()),
    }
    return [f"{trace.source.path}: {text}" for text, found in flaw.items() if found]


def counts(span: Span) -> list[float]:
    usage = span.usage
    figures = (usage.input_tokens, usage.output_tokens, usage.cached_tokens, usage.cost_usd) if usage else ()
    return [figure for figure in figures if figure is not None]


@formats
def test_each_format_has_samples(name: str, samples: Samples) -> None:
    registry.trace_format(name)
    assert samples.get(name)


@formats
def test_each_sample_is_recognised_by_exactly_one_format(name: str, samples: Samples) -> None:
    registry.trace_format(name)
    for sample in samples[name]:
        head = b"" if sample.source.is_dir() else sample.source.read_bytes()[:65536]
        readers = [registry.trace_format(other) for other in registry.names("formats")]
        assert [reader.name for reader in readers if reader.recognises(sample.source, head)] == [name], str(sample)


@formats
def test_each_trace_of_a_sample_is_in_order(name: str, samples: Samples) -> None:
    found = list(traces_of(name, samples))
    assert found
    assert [flaw for trace in found for flaw in flaws(trace)] == []


@formats
def test_reading_twice_gives_the_same(name: str, samples: Samples) -> None:
    assert list(traces_of(name, samples)) == list(traces_of(name, samples))


@formats
def test_usage_is_never_counted_twice(name: str, samples: Samples) -> None:
    for trace in traces_of(name, samples):
        own = [span for span in trace.spans if span.usage and span.usage.scope == "self"]
        sources = [source for span in own for source in span.source_span_ids]
        assert len(set(sources)) == len(sources), f"{trace.source.path}: two spans have the usage of one record"
        for span in own:
            outer = [above for above in trace.ancestors(span) if above.usage == span.usage]
            assert not outer, f"{trace.source.path}: {span.name} and {outer[0].name} above it have the same usage"


@formats
def test_labels_are_in_no_span(name: str, samples: Samples) -> None:
    for trace in traces_of(name, samples):
        labels = [
            note.value
            for note in trace.annotations
            if note.name not in TASKS and isinstance(note.value, str) and len(note.value) > 20
        ]
        spoken = [str((span.text, span.tool, span.attributes, span.error_text)) for span in trace.spans]
        assert [label for label in labels if any(label in text for text in spoken)] == []


@formats
def test_long_texts_are_cut_and_their_lengths_kept(name: str, samples: Samples) -> None:
    reader = registry.trace_format(name)
    for sample in samples[name]:
        for trace in reader.read(sample.source, longest_text=12):
            assert flaws(trace) == []
            for span in trace.spans:
                result = span.tool.result if span.tool else None
                lengths = [len(text) for text in (span.text, result) if text is not None]
                assert max(lengths, default=0) <= 12, f"{sample}: {span.name}"
                if 12 in lengths and span.attributes.get("cut"):
                    assert max(span.attributes["cut"].values()) > 12


@formats
@pytest.mark.parametrize("to", writable_formats())
def test_each_trace_comes_back_equal_from_the_formats_that_are_written(
    name: str, to: str, samples: Samples, tmp_path: Path
) -> None:
    registry.trace_format(name)
    for number, sample in enumerate(samples[name]):
        path = tmp_path / f"{number}.jsonl"
        path.write_bytes(b"".join(convert_traces(sample.source, to, trace_format=name)))
        before = list(registry.trace_format(name).read(sample.source))
        after = list(registry.trace_format(to).read(path))
        assert [replace(trace, source=before[0].source) for trace in after] == [
            replace(trace, source=before[0].source) for trace in before
        ], str(sample)


@formats
def test_secrets_are_taken_out_of_what_is_written(name: str, samples: Samples, tmp_path: Path) -> None:
    reader = registry.trace_format(name)
    tried = 0
    for place, sample in enumerate(samples[name]):
        copied = copied_to(sample.source, tmp_path / str(place))
        files = [copied] if copied.is_file() else [file for file in copied.rglob("*") if file.is_file()]
        kept = b"".join(file.read_bytes() for file in files)
        words = {word.encode() for trace in reader.read(copied) for span in trace.spans for word in texts_of(span)}
        found = sorted((word for word in words if len(word) >= 4 and word in kept), key=len)[-1:]
        for file, word in product(files, found):
            file.write_bytes(file.read_bytes().replace(word, SENTINEL.encode()))
        if SENTINEL in str(list(reader.read(copied))):
            tried += 1
            for to in writable_formats():
                assert SENTINEL not in str(b"".join(convert_traces(copied, to, trace_format=name)))
    assert tried, f"no sample of {name} has a text that can be replaced"


def copied_to(source: Path, folder: Path) -> Path:
    """Return a copy of a sample, a file or a folder, under its own name."""
    folder.mkdir()
    if source.is_dir():
        return Path(shutil.copytree(source, folder / source.name))
    return Path(shutil.copy(source, folder / source.name))


def texts_of(span: Span) -> Iterator[str]:
    """Yield what a step says: its text, and what its tool was given and gave back."""
    yield span.text or ""
    yield span.error_text or ""
    if span.tool is not None:
        yield span.tool.result or ""
        given = cast("object", span.tool.arguments)
        values = cast("dict[str, object]", given).values() if isinstance(given, dict) else ()
        yield from (value for value in values if isinstance(value, str))


@formats
def test_what_is_shown_of_a_trace_cannot_steer_a_terminal(name: str, samples: Samples) -> None:
    for trace in traces_of(name, samples):
        loud = replace(trace, spans=tuple(replace(span, text="\x1b[2J\u202e\x07") for span in trace.spans))
        steps = list(trace_skeleton(loud))
        assert len(steps) == len(trace.spans)
        assert all(step.words.isprintable() for step in steps)


def try_to_read(reader: TraceFormat, source: Path, guard: Guard) -> None:
    """Read a source that may be anything; nothing but an `UnreadableError` may come of it, and no flawed trace."""
    with guard(LONGEST_READ):
        reader.recognises(source, b"" if source.is_dir() else source.read_bytes()[:65536])
        with suppress(UnreadableError):
            for trace in reader.read(source, longest_text=None):
                assert flaws(trace) == []


@formats
def test_other_formats_samples_are_read_or_refused(name: str, samples: Samples, time_guard: Guard) -> None:
    reader = registry.trace_format(name)
    for others in samples.values():
        for sample in others:
            try_to_read(reader, sample.source, time_guard)


HOSTILE = {
    "empty": b"",
    "blank": b" \n\n ",
    "brackets": b"[" * 100_000,
    "braces": b'{"a":' * 100_000,
    "deep list": b"[" * 10_000 + b"1" + b"]" * 10_000,
    "deep object": b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
    "no utf-8": b'{"a": "\xff\xfe\xed\xa0\x80"}',
    "utf-16": '{"a": 1}'.encode("utf-16"),
    "zeros": bytes(10_000),
    "number": b"1" * 10_000,
    "null": b"null",
    "text": b"Once upon a time.\n" * 100,
    "nan": b'[NaN, Infinity, {"a": 1e999}]',
    "open string": b'{"a": "' + b"\\" * 100_001,
    "archive": b"PK\x03\x04" + b"samples/" * 100,
    "lines": b"{}\n" * 1000,
}


@formats
@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_files_are_read_or_refused(name: str, kind: str, time_guard: Guard, tmp_path: Path) -> None:
    reader = registry.trace_format(name)
    path = tmp_path / "hostile"
    path.write_bytes(HOSTILE[kind])
    try_to_read(reader, path, time_guard)
    try_to_read(reader, tmp_path, time_guard)


class Bench:
    """A copy of a format's samples, of which one file at a time is damaged and put back."""

    def __init__(self, name: str, samples: Samples, place: Path) -> None:
        self.reader = registry.trace_format(name)
        self.sources: list[tuple[Path, list[Path]]] = []
        for folder in dict.fromkeys(sample.folder for sample in samples[name]):
            copy = place / folder.name
            shutil.copytree(folder, copy)
            files = sorted(path for path in copy.rglob("*") if path.is_file())
            for sample in samples[name]:
                if sample.folder == folder:
                    source = copy / sample.source.relative_to(folder)
                    self.sources.append((source, [source] if source.is_file() else files))
        self.whole = {path: path.read_bytes() for _, files in self.sources for path in files}

    def read_damaged(self, random: Random, damaged: Damage, guard: Guard) -> None:
        source, files = random.choice(self.sources)
        victim = random.choice(files)
        victim.write_bytes(damaged(random, self.whole[victim]))
        try:
            try_to_read(self.reader, source, guard)
        finally:
            victim.write_bytes(self.whole[victim])


@formats
def test_damaged_files_are_read_or_refused(
    name: str, samples: Samples, damaged: Damage, time_guard: Guard, tmp_path: Path
) -> None:
    bench = Bench(name, samples, tmp_path)

    @settings(max_examples=60, database=None, suppress_health_check=[HealthCheck.too_slow])
    @given(st.integers(0, 2**48))
    def one(seed: int) -> None:
        bench.read_damaged(Random(seed), damaged, time_guard)  # noqa: S311  damage is no cryptography

    one()


@formats
def test_every_beginning_of_a_sample_is_read_or_refused(
    name: str, samples: Samples, time_guard: Guard, tmp_path: Path
) -> None:
    reader = registry.trace_format(name)
    path = tmp_path / "beginning"
    for sample in samples[name]:
        if sample.source.is_file():
            data = sample.source.read_bytes()
            for end in range(0, len(data), max(1, len(data) // 40)):
                path.write_bytes(data[:end])
                try_to_read(reader, path, time_guard)


@pytest.fixture
def place_in_memory() -> Iterator[Path]:
    """Yield a folder in memory where there is one: truncating files on a disk takes longer than reading them."""
    memory = Path("/dev/shm")  # noqa: S108  a folder of our own is made in it
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        yield Path(folder)


@pytest.fixture
def bounded_memory() -> Iterator[None]:
    """Let this process take no more than another 512 MB; what wants more fails with a `MemoryError`."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + FUZZ_MEMORY, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


@pytest.mark.proof
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="what a process has is only told by Linux")
@pytest.mark.usefixtures("bounded_memory")
@formats
def test_long_fuzz_finds_nothing(
    name: str, samples: Samples, damaged: Damage, time_guard: Guard, place_in_memory: Path
) -> None:
    """Read the damaged files of some numbers, each of which is the seed of its damage.

    They are `FUZZ_INPUTS` (100,000) from `FUZZ_FIRST` (0) on, for at most `FUZZ_SECONDS`.
    """
    bench = Bench(name, samples, place_in_memory)
    begun, done = time.monotonic(), 0
    while done < FUZZ_INPUTS and time.monotonic() < begun + FUZZ_SECONDS:
        seed = FUZZ_FIRST + done
        try:
            bench.read_damaged(Random(seed), damaged, time_guard)  # noqa: S311  damage is no cryptography
        except Exception as problem:
            raise AssertionError(f"{name}, seed {seed}: {type(problem).__name__}: {problem}") from problem
        done += 1
    seconds = time.monotonic() - begun
    sys.stdout.write(f"{name}: {done} damaged inputs in {seconds:.0f} s, no finding\n")
    assert done
