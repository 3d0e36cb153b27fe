"""What the beginning of a file of JSON shows: the value as far as it goes, for those who recognise formats."""

from functools import lru_cache
from typing import Any, Final

from msgspec import Struct

from agents_eval_core.formats.json_text.json_mending import Shape, decoded, mended, shape_of, unmarked
from agents_eval_core.formats.json_text.json_values import as_list

LINES_SKETCHED: Final = 20


class Sketch(Struct, frozen=True):
    """What the beginning of a file shows: its shape, and its value (of lines, the first values) as far as it goes."""

    shape: Shape
    value: Any
    is_cut: bool = False

    def whole(self, values: list[Any]) -> list[Any]:
        """Return those of some values at the end of the sketch that are not cut, or the only one as far as it goes."""
        return values[:-1] if self.is_cut and len(values) > 1 else values

    @property
    def first(self) -> Any:
        """The first element of a list, the first line, or the object itself."""
        if self.shape == "object":
            return self.value
        return next(iter(as_list(self.value)), None)


@lru_cache(maxsize=4)
def sketch(head: bytes) -> Sketch | None:
    """Return what the first bytes of a file show, or None where they are no JSON. Treat it as frozen: it is kept.

    >>> sketch(b'{"messages": [{"role": "user", "content": "half of')
    Sketch(shape='object', value={'messages': [{'role': 'user'}]}, is_cut=True)
    """
    head = unmarked(head).lstrip()
    shape = shape_of(head)
    if shape is None:
        return None
    if shape == "lines":
        lines = (decoded(line) for line in head.split(b"\n")[:LINES_SKETCHED])
        return Sketch("lines", [line for line in lines if line is not None])
    value = decoded(head)
    if value is not None:
        return Sketch(shape, value)
    value = mended(head, lambda _: None, "head")
    return None if value is None else Sketch(shape, value, is_cut=True)
