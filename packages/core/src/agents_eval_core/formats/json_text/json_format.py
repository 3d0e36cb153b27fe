"""A format that is a file of JSON: one object, one list, or lines."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from agents_eval_core.formats.json_text.json_file import JsonFile, open_json
from agents_eval_core.formats.json_text.json_sketch import Sketch, sketch
from agents_eval_core.trace import Trace


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonFormat:
    """Reads files of JSON by what tells them apart, and by what traces their values are.

    Attributes:
        name: The name it is declared under.
        holds: What such a file holds, in words for the refusal of others.
        is_known: Whether the beginning of a file is of this format.
        traces: Makes traces of the first value, all values, and the file.
    """

    name: str
    holds: str
    is_known: Callable[[Sketch], bool]
    traces: Callable[[Any, Iterator[Any], JsonFile], Iterator[Trace]]

    def recognises(self, source: Path, head: bytes) -> bool:  # noqa: ARG002  the content tells, not the name
        """Whether the first bytes of a file are JSON of this format."""
        seen = sketch(head)
        return seen is not None and self.is_known(seen)

    def read(self, source: Path, *, longest_text: int | None = None) -> Iterator[Trace]:
        """Yield the traces of a file; the last one carries what was not understood in the file.

        Raises:
            UnreadableError: The file cannot be read, or holds no such trace.
        """
        file = open_json(source, longest_text)
        values = file.values()
        first = next(values, None)
        found = self.traces(first, chain([first], values), file) if first is not None else iter(())
        yield from file.closing(found, self.holds)
