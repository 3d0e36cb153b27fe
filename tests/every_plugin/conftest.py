"""The samples of every trace format, damage done to them, and a guard against readers that hang."""

import io
import json
import signal
import zipfile
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from agents_eval_core import registry

TRACES = Path(__file__).parents[1] / "data" / "traces"
HEAD_BYTES = 65536
ZIP = b"PK\x03\x04"
STRANGE: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    1.5,
    2**63,
    10**400,
    -(10**20),
    "",
    "x" * 5000,
    "\ud83d",
    "\x1b[2J\x00",
    "2026-13-45T99:99:99Z",
    "9999-12-31T23:59:59+14:00",
    "1e999",
    [],
    {},
    [[]],
    [None],
    {"": None},
    {"id": {"id": []}},
    [{"type": "text"}],
)
ODD_BYTES = (
    b"\xff",
    b"\x00",
    b'"',
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"\n",
    b"\xed\xa0\x80",
    b"1e999",
    b"\\ud800",
)


@dataclass(frozen=True, slots=True)
class Sample:
    """A source that a format reads, and the folder of samples that it is part of."""

    trace_format: str
    source: Path
    folder: Path

    def __str__(self) -> str:
        """Name the sample in the list of tests."""
        return str(self.source.relative_to(TRACES))


def owner(folder: str) -> str | None:
    """Return the format that a folder of samples is named after; `otlp_old` holds further ones of `otlp`."""
    names = [name for name in registry.names("formats") if folder == name or folder.startswith(f"{name}_")]
    return max(names, key=len, default=None)


def head_of(path: Path) -> bytes:
    return b"" if path.is_dir() else path.read_bytes()[:HEAD_BYTES]


def all_samples() -> list[Sample]:
    """Return what the formats recognise in the folders that are named after them."""
    found: list[Sample] = []
    for folder in sorted(path for path in TRACES.iterdir() if path.is_dir()):
        name = owner(folder.name)
        if name is None:
            continue
        reader = registry.trace_format(name)
        paths = sorted(folder.rglob("*"))
        found += [Sample(name, path, folder) for path in paths if reader.recognises(path, head_of(path))]
    return found


@pytest.fixture(scope="session")
def samples() -> Mapping[str, list[Sample]]:
    """Return the samples by format."""
    gathered: dict[str, list[Sample]] = {}
    for sample in all_samples():
        gathered.setdefault(sample.trace_format, []).append(sample)
    return gathered


@pytest.fixture(scope="session")
def time_guard() -> Callable[[float], AbstractContextManager[None]]:
    """Return what fails a test that takes longer than some seconds of this process's own time."""

    @contextmanager
    def guard(seconds: float) -> Generator[None]:
        def stop(*_: object) -> None:
            pytest.fail(f"still reading after {seconds} s of computing")

        before = signal.signal(signal.SIGVTALRM, stop)
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, before)

    return guard


@pytest.fixture(scope="session")
def damaged() -> Callable[[Random, bytes], bytes]:
    """Return what damages the bytes of a file: as bytes, as JSON, or within an archive."""
    return damage


def damage(random: Random, data: bytes) -> bytes:
    if data.startswith(ZIP) and random.random() < 0.7:
        return _in_archive(random, data)
    for _ in range(random.choice((1, 1, 1, 2, 5))):
        data = _odd_json(random, data) if random.random() < 0.6 else random.choice(DAMAGES)(random, data)
    return data


def _in_archive(random: Random, data: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as old:
        members = {name: old.read(name) for name in old.namelist()}
    victim = random.choice(list(members))
    members[victim] = damage(random, members[victim])
    changed = io.BytesIO()
    with zipfile.ZipFile(changed, "w", random.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as new:
        for name, content in members.items():
            new.writestr(name, content)
    return changed.getvalue()


def _odd_json(random: Random, data: bytes) -> bytes:
    """Put a strange value in place of one in the document, or in one of its lines."""
    lines = data.split(b"\n") if data.count(b"\n{") else [data]
    at = random.randrange(len(lines))
    try:
        document = json.loads(lines[at])
    except (ValueError, RecursionError):
        return _swapped(random, data)
    places = list(_places(document))
    if not places:
        return data
    holder, key = random.choice(places)
    match random.randrange(4):
        case 0:
            del holder[key]
        case 1:
            holder[key] = random.choice(places)[0]
        case _:
            holder[key] = random.choice(STRANGE)
    try:
        lines[at] = json.dumps(document).encode("utf-8", "surrogatepass")
    except (ValueError, RecursionError):
        return data
    return b"\n".join(lines)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        items: list[tuple[Any, Any]] = []
        if isinstance(one, dict):
            items = list(one.items())  # pyright: ignore[reportUnknownArgumentType]
        elif isinstance(one, list):
            items = list(enumerate(one))  # pyright: ignore[reportUnknownArgumentType]
        for key, below in items:
            yield one, key
            waiting.append(below)


def _cut(random: Random, data: bytes) -> bytes:
    return data[: random.randrange(len(data) + 1)]


def _without(random: Random, data: bytes) -> bytes:
    start = random.randrange(len(data) + 1)
    return data[:start] + data[start + random.randrange(200) :]


def _with(random: Random, data: bytes) -> bytes:
    start = random.randrange(len(data) + 1)
    return data[:start] + random.choice(ODD_BYTES) * random.choice((1, 1, 3)) + data[start:]


def _swapped(random: Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(random.choice((1, 4))):
        if changed:
            changed[random.randrange(len(changed))] = random.randrange(256)
    return bytes(changed)


def _doubled(random: Random, data: bytes) -> bytes:
    start = random.randrange(len(data) + 1)
    piece = data[start : start + random.randrange(1000)]
    return data[:start] + piece + data[start:]


def _deep(random: Random, data: bytes) -> bytes:
    start = random.randrange(len(data) + 1)
    opening, closing = random.choice(((b"[", b"]"), (b'{"a":', b"}")))
    depth = random.choice((100, 100, 100, 1000, 10_000))
    return data[:start] + opening * depth + b"1" + closing * depth + data[start:]


DAMAGES = (_cut, _without, _with, _swapped, _doubled, _deep)
