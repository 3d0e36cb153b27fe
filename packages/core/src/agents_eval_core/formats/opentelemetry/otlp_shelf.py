"""Span records put aside by trace: decoded if they fit into memory, else only their places in the file."""

import os
from array import array
from collections.abc import Iterator
from typing import BinaryIO, Protocol

from msgspec import Struct, field

from agents_eval_core.formats.opentelemetry.conventions import NEVER_READ
from agents_eval_core.formats.opentelemetry.otlp_messages import AnySpan
from agents_eval_core.formats.opentelemetry.otlp_records import Context, Record
from agents_eval_core.formats.opentelemetry.otlp_wire import BAD_JSON, decoded_ids, decoded_span
from agents_eval_core.formats.opentelemetry.raw_span import RawSpan, Reading


class Shelf(Protocol):
    """Where records wait until all of a trace are there."""

    def put(self, record: Record) -> None:
        """Put a record aside.

        Raises:
            ValueError, RecursionError, OverflowError: It is damaged.
        """
        ...

    def traces(self, reading: Reading) -> Iterator[tuple[str, Iterator[RawSpan]]]:
        """Yield the traces in the order of their first records; what turns out to be damaged is counted."""
        ...


class MemoryShelf:
    """Keeps the spans."""

    def __init__(self) -> None:
        self._spans: dict[str, list[RawSpan]] = {}

    def put(self, record: Record) -> None:
        """Decode a record."""
        span = _decoded(record.data, record.size, record.context)
        self._spans.setdefault(span.trace_id, []).append(span)

    def traces(self, reading: Reading) -> Iterator[tuple[str, Iterator[RawSpan]]]:  # noqa: ARG002  nothing is left to fail
        """Yield the traces and let go of them."""
        for trace_id in list(self._spans):
            yield trace_id, iter(self._spans.pop(trace_id))


class Places(Struct):
    """Where the spans of a trace are: offsets, sizes and contexts."""

    offsets: "array[int]" = field(default_factory=lambda: array("Q"))
    sizes: "array[int]" = field(default_factory=lambda: array("Q"))
    contexts: "array[int]" = field(default_factory=lambda: array("L"))


class FileShelf:
    """Keeps 24 bytes a span; the spans of a trace are decoded when its turn comes."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._places: dict[str, Places] = {}
        self._contexts: list[Context] = []
        self._numbers: dict[int, int] = {}

    def put(self, record: Record) -> None:
        """Note where a record is."""
        trace_id, _ = decoded_ids(record.data)
        places = self._places.setdefault(trace_id, Places())
        number = self._numbers.get(id(record.context))
        if number is None:
            number = self._numbers[id(record.context)] = len(self._contexts)
            self._contexts.append(record.context)
        places.offsets.append(record.offset)
        places.sizes.append(record.size)
        places.contexts.append(number)

    def traces(self, reading: Reading) -> Iterator[tuple[str, Iterator[RawSpan]]]:
        """Yield the traces, reading the file again."""
        for trace_id in list(self._places):
            yield trace_id, self._spans(self._places.pop(trace_id), reading)

    def _spans(self, places: Places, reading: Reading) -> Iterator[RawSpan]:
        for offset, size, number in zip(places.offsets, places.sizes, places.contexts, strict=True):
            try:
                yield _decoded(os.pread(self._file.fileno(), size, offset), size, self._contexts[number])
            except BAD_JSON as problem:
                reading.miss("damaged span", f"byte {offset}: {problem}")


def _decoded(data: AnySpan, size: int, context: Context) -> RawSpan:
    return decoded_span(data, size=size, scope=context.scope, resource=context.resource, left_out=NEVER_READ)
