"""The body of an answer, unpacked and never larger than agreed."""

import zlib
from collections.abc import AsyncIterable
from typing import Final, Protocol

from httpcore2 import RemoteProtocolError

from agents_eval_core.errors import NetworkError, RefusedError

GZIP: Final = zlib.MAX_WBITS | 16
PLAIN: Final = ("", "identity")
PACKED: Final = ("gzip", "x-gzip")
OVERHEAD: Final = 64 * 1024


class _Decoder(Protocol):
    def decode(self, data: bytes, room: int) -> bytes: ...

    def finish(self) -> None: ...


async def read_body(chunks: AsyncIterable[bytes], encoding: str, *, largest_bytes: int) -> bytes:
    """Return a body, unpacked.

    What is read and what it is unpacked to are both counted, so that neither a small answer that unpacks to a huge one
    nor a huge one that unpacks to nothing gets through.

    Args:
        chunks: The body as it comes.
        encoding: Its content encoding; what was not asked for (anything but gzip) is refused.
        largest_bytes: How large it may be, unpacked.

    Raises:
        RefusedError: It is larger than that.
        NetworkError: It is packed in a way that was not asked for.
        RemoteProtocolError: It is damaged or cut off.
    """
    decoder = _decoder(encoding.strip().lower())
    body = bytearray()
    read = 0
    async for chunk in chunks:
        read += len(chunk)
        body += decoder.decode(chunk, largest_bytes + 1 - len(body))
        if len(body) > largest_bytes or read > largest_bytes + OVERHEAD:
            raise RefusedError(f"the answer is larger than the {largest_bytes:,} bytes that it may have")
    decoder.finish()
    return bytes(body)


def _decoder(encoding: str) -> _Decoder:
    if encoding in PLAIN:
        return _Plain()
    if encoding in PACKED:
        return _Gzip()
    raise NetworkError(f"the answer is packed as {encoding[:40]!r}, which was not asked for")


class _Plain:
    def decode(self, data: bytes, room: int) -> bytes:
        return data[:room]

    def finish(self) -> None:
        """Nothing can be missing: the length is counted by HTTP."""


class _Gzip:
    def __init__(self) -> None:
        self._stream = zlib.decompressobj(GZIP)

    def decode(self, data: bytes, room: int) -> bytes:
        if self._stream.eof:
            raise RemoteProtocolError("the packed body goes on after its end")
        try:
            return self._stream.decompress(data, room)
        except zlib.error as problem:
            raise RemoteProtocolError(f"the packed body is damaged: {problem}") from problem

    def finish(self) -> None:
        if not self._stream.eof:
            raise RemoteProtocolError("the packed body is cut off")
