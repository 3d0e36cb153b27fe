"""JSON read value by value from a file that may be larger than memory.

The ends of values are found by msgspec, which skips a value at more than 1 GB/s and says where it ended; nothing is
decoded here.
"""

import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from hashlib import sha256
from typing import BinaryIO, Final

import msgspec

BLOCK_BYTES: Final = 2**20
LONGEST_LINE: Final = 4 * 2**20
"""What is looked through for the end of a line; a longer line is read value by value."""
KEPT_BYTES: Final = 65536
"""What stays in memory before the position, so that reading can begin again at a line that was gone past."""
LONGEST_VALUE: Final = 48 * 2**20
"""A single record beyond this size is not read: it alone would fill the memory that reading may take."""

NOT_SPACE: Final = re.compile(rb"[^ \t\r\n]")
NEXT_RECORD: Final = re.compile(rb"\n(?=[{\[])")
_skip: Final = msgspec.json.Decoder(msgspec.Raw)


class BadJsonError(ValueError):
    """What stands at a place is not JSON, or ends too soon."""


class JsonStream:
    r"""A position in a file of JSON.

    >>> from io import BytesIO
    >>> stream = JsonStream(BytesIO(b'{"a": [1, {"b": 2}]}\n[3]'))
    >>> [(key, [stream.value() for _ in stream.elements()]) for key in stream.members()]
    [('a', [b'1', b'{"b": 2}'])]
    >>> stream.value(), stream.peek(), stream.line_number
    (b'[3]', b'', 2)
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._digest = sha256()
        self._data = b""
        self._at: int = 0
        self._base: int = 0
        self._lines: int = 0
        self._at_end = False
        self._more(0)
        if self._data.startswith(BOM_UTF8):
            self._at = len(BOM_UTF8)

    @property
    def offset(self) -> int:
        """The position in the file."""
        return self._base + self._at

    @property
    def line_number(self) -> int:
        """The line of the position, from 1."""
        return self._lines + self._data.count(b"\n", 0, self._at) + 1

    @property
    def is_blank(self) -> bool:
        """Whether nothing but white space was found so far."""
        return self._base == 0 and not self._data.strip()

    def digest(self) -> str:
        """Return the SHA-256 of the whole file, reading what is left of it."""
        while not self._at_end:
            self._at = len(self._data)
            self._more(0)
        return self._digest.hexdigest()

    def peek(self) -> bytes:
        """Go to the next byte that is not white space and return it; nothing at the end of the file."""
        while True:
            found = NOT_SPACE.search(self._data, self._at)
            if found is not None:
                self._at = found.start()
                return found.group()
            self._at = len(self._data)
            if self._at_end:
                return b""
            self._more(0)

    def skip(self) -> None:
        """Go one byte further."""
        self._at += 1

    def line(self) -> bytes | None:
        """Take the rest of the line, without its end; None, and nothing is taken, if the line is very long."""
        end = self._data.find(b"\n", self._at)
        while end < 0 and not self._at_end and len(self._data) - self._at <= LONGEST_LINE:
            self._more(self._at)
            end = self._data.find(b"\n", self._at)
        if end < 0:
            if not self._at_end:
                return None
            end = len(self._data)
        taken = self._data[self._at : end]
        self._at = end
        return taken

    def back(self, size: int) -> None:
        """Go back over what `line` just took."""
        self._at -= size

    def value(self) -> bytes:
        """Take the next value.

        Raises:
            BadJsonError: There is none, it is damaged or longer than 48 MiB.
        """
        self.peek()
        while True:
            end = self._end_of_value()
            if end is not None:
                taken = self._data[self._at : end].rstrip()
                self._at = end
                return taken
            if len(self._data) - self._at > LONGEST_VALUE:
                raise BadJsonError(f"a value of more than {LONGEST_VALUE} bytes")
            self._more(self._at)

    def elements(self) -> Iterator[None]:
        """Enter a list and stop before each element, which has to be taken before the next step."""
        yield from self._entries(b"[", b"]")

    def entry(self) -> None:
        """Make sure that an object or a list begins here.

        Raises:
            BadJsonError: Something else does.
        """
        if self.peek() not in (b"{", b"["):
            raise BadJsonError("this is not JSON with records")

    def members(self) -> Iterator[str]:
        """Enter an object and stop before the value of each member, which has to be taken before the next step."""
        for _ in self._entries(b"{", b"}"):
            key = self._key()
            self._expect(b":")
            yield key

    def next_record(self, not_before: int) -> None:
        """Go to the next line that begins with an object or a list, or to the end of the file."""
        self._at = max(not_before - self._base, 0)
        while True:
            found = NEXT_RECORD.search(self._data, self._at)
            if found is not None:
                self._at = found.end()
                return
            self._at = len(self._data) if self._at_end else max(self._at, len(self._data) - 1)
            if self._at_end:
                return
            self._more(self._at)

    def _entries(self, opening: bytes, closing: bytes) -> Iterator[None]:
        self._expect(opening)
        if self.peek() == closing:
            self.skip()
            return
        while True:
            yield
            mark = self.peek()
            if mark not in (b",", closing):
                raise BadJsonError(f"{mark!r} where a comma or {closing.decode()} should be")
            self.skip()
            if mark == closing:
                return

    def _expect(self, mark: bytes) -> None:
        found = self.peek()
        if found != mark:
            raise BadJsonError(f"{found.decode(errors='replace')!r} where {mark.decode()!r} should be")
        self.skip()

    def _key(self) -> str:
        try:
            return msgspec.json.decode(self.value(), type=str)
        except ValueError as problem:
            raise BadJsonError("a member without a name") from problem

    def _end_of_value(self) -> int | None:
        """Return where the value ends; None if more of the file has to be read to tell."""
        try:
            _skip.decode(memoryview(self._data)[self._at :])
        except msgspec.DecodeError as problem:
            said = str(problem)
            if "trailing characters" in said:
                return self._at + int(said[said.rindex(" ") + 1 : -1]) - 1
            if "truncated" in said and not self._at_end:
                return None
            raise BadJsonError(said) from problem
        except RecursionError as problem:
            raise BadJsonError(f"nested too deep: {problem}") from problem
        return len(self._data) if self._at_end else None

    def _more(self, keep_from: int) -> None:
        """Read on; what stands before a place in the buffer is let go."""
        keep_from = max((keep_from or self._at) - KEPT_BYTES, 0)
        block = self._file.read(max(BLOCK_BYTES, len(self._data) - keep_from))
        self._at_end = not block
        self._digest.update(block)
        if self._at_end:
            return
        self._lines += self._data.count(b"\n", 0, keep_from)
        self._data = self._data[keep_from:] + block
        self._base += keep_from
        self._at -= keep_from
