"""JSON files of other people: read whole, with a limit, and understood only as far as needed."""

from pathlib import Path
from typing import Final, TypeVar

import msgspec

from agents_eval_core.errors import UnreadableError

T = TypeVar("T")
LARGEST_BYTES: Final = 64 * 1024 * 1024
BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


def read_json(path: Path, shape: type[T], *, largest_bytes: int = LARGEST_BYTES) -> T:
    """Return the content of a file in the given shape; fields that the shape lacks are ignored.

    A byte order mark is ignored too.

    Raises:
        UnreadableError: It is no file, cannot be opened, is larger than allowed, is not JSON, nests too deep or has
            another shape.

    >>> read_json(Path("none.json"), dict)
    Traceback (most recent call last):
    agents_eval_core.errors.UnreadableError: none.json is not there or is not a file; check the folder it should be in
    """
    if not path.is_file():  # opening a named pipe would wait for ever
        raise UnreadableError(f"{path} is not there or is not a file; check the folder it should be in")
    try:
        with path.open("rb") as file:
            content = file.read(largest_bytes + 1)
    except OSError as problem:
        raise UnreadableError(f"{path} cannot be read: {problem.strerror}; check the file") from problem
    if len(content) > largest_bytes:
        raise UnreadableError(f"{path} is larger than {largest_bytes:,} bytes, the limit for such a file; remove it")
    return decode_json(content, shape, name=str(path))


def decode_json(content: bytes, shape: type[T], *, name: str) -> T:
    """Return JSON bytes in the given shape.

    Raises:
        UnreadableError: With the name and the place in it.

    >>> decode_json(b'{"title": "A"}', dict[str, str], name="a.json")
    {'title': 'A'}
    """
    try:
        return msgspec.json.decode(content.removeprefix(BYTE_ORDER_MARK), type=shape)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise UnreadableError(f"{name} is not JSON of the expected shape: {problem}; repair or remove it") from problem
