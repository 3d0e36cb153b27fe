"""The lines that Claude Code writes, as far as they are read: its output stream and its transcripts."""

from collections import Counter
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

import msgspec
from msgspec import Raw, Struct, ValidationError, field

from agents_eval_core.errors import UnreadableError
from agents_eval_core.formats.json_text.json_values import as_text
from agents_eval_core.formats.json_text.legible import legible

BAD_JSON: Final = (ValueError, RecursionError)
NOTHING: Final = Raw()
BUFFER_BYTES: Final = 2**20
LINES_LOOKED_AT: Final = 50
_any: Final[msgspec.json.Decoder[Any]] = msgspec.json.Decoder()
TLine = TypeVar("TLine", bound=Struct)
Count = int | float | None


class Tokens(Struct, gc=False):
    """What one request to the model took, in the words of the Messages API."""

    input_tokens: Count = None
    output_tokens: Count = None
    cache_read_input_tokens: Count = None
    cache_creation_input_tokens: Count = None


class Block(Struct, gc=False):
    """A part of a message: text, thinking, a tool call or the result of one."""

    type: str = ""
    text: str | None = None
    thinking: str | None = None
    id: str | None = None
    name: str | None = None
    input: Raw = NOTHING
    tool_use_id: str | None = None
    content: Raw = NOTHING
    is_error: bool | None = None


class ApiMessage(Struct, gc=False):
    """A message of the Messages API, or one block of it."""

    id: str | None = None
    model: str | None = None
    content: str | list[Block] = ""
    usage: Tokens | None = None
    stop_reason: str | None = None


class StreamLine(Struct, gc=False):
    """A line of `--output-format stream-json`, or the object that `--output-format json` prints."""

    type: str = ""
    subtype: str = ""
    message: ApiMessage | str | None = None
    parent_tool_use_id: str | None = None
    session_id: str | None = None
    uuid: str | None = None
    timestamp: str | None = None
    agent_id: str | None = None
    subagent_type: str | None = None
    tool_use_result: Raw = NOTHING
    tool_result_meta: Raw = NOTHING
    is_api_error_message: bool = False
    error: Raw = NOTHING
    request_id: str | None = None
    task_id: str | None = None
    tool_use_id: str | None = None
    description: str | None = None
    task_type: str | None = None
    status: str | None = None
    summary: str | None = None
    patch: Raw = NOTHING
    event: Raw = NOTHING
    is_error: bool | None = None


class TranscriptLine(Struct, rename="camel", gc=False):
    """A line of a session transcript."""

    type: str = ""
    subtype: str = ""
    message: ApiMessage | str | None = None
    uuid: str | None = None
    parent_uuid: str | None = None
    session_id: str | None = None
    timestamp: str | None = None
    is_sidechain: bool = False
    agent_id: str | None = None
    is_meta: bool = False
    is_compact_summary: bool = False
    is_api_error_message: bool = False
    error: Raw = NOTHING
    request_id: str | None = None
    tool_use_result: Raw = NOTHING
    permission_decision: Raw = NOTHING
    attachment: Raw = NOTHING
    data: Raw = NOTHING
    parent_tool_use_id: str | None = field(default=None, name="parentToolUseID")
    cwd: str | None = None
    version: str | None = None
    git_branch: str | None = None
    content: Raw = NOTHING
    compact_metadata: Raw = NOTHING
    total_cost_usd: float | None = field(default=None, name="totalCostUSD")
    model_usage: Raw = NOTHING


class Lines(Generic[TLine]):
    """Reads files of lines, in one pass; counts what is damaged and takes the digest of all bytes.

    A line that is not UTF-8, or has halves of surrogate pairs (texts that were cut in the middle of a character), is
    read with U+FFFD in their place.

    Attributes:
        problem: The first damage, with its line.
        current: The bytes of the line that was read last.
    """

    def __init__(self, shape: type[TLine], unread: Counter[str]) -> None:
        self._decoder = msgspec.json.Decoder(shape)
        self._unread = unread
        self._digest = sha256()
        self.problem = ""
        self.current = b""

    @property
    def digest(self) -> str:
        """The SHA-256 of what was read so far."""
        return self._digest.hexdigest()

    def of(self, path: Path) -> Iterator[TLine]:
        """Yield the lines of a file that can be read.

        Raises:
            UnreadableError: The file cannot be opened or read.
        """
        decode, digest = self._decoder.decode, self._digest.update
        try:
            with path.open("rb", buffering=BUFFER_BYTES) as file:
                for number, data in enumerate(file, start=1):
                    digest(data)
                    self.current = data
                    try:
                        line = decode(data)
                    except BAD_JSON as problem:
                        line = self._damaged(data, number, problem)
                    if line is not None:
                        yield line
        except OSError as problem:
            raise UnreadableError(
                f"{path} cannot be read: {problem.strerror or problem}; give a file of Claude Code"
            ) from problem

    def listed(self, data: bytes) -> Iterator[TLine]:
        """Yield the lines that some bytes have as one JSON array, or as one object."""
        self._digest.update(data)
        try:
            entries = msgspec.json.decode(data, type=list[Raw]) if data[:1] == b"[" else [Raw(data)]
        except BAD_JSON as problem:
            self._miss("damaged line", 1, problem)
            return
        for number, entry in enumerate(entries, start=1):
            self.current = bytes(entry)
            try:
                line = self._decoder.decode(entry)
            except BAD_JSON as problem:
                line = self._damaged(self.current, number, problem)
            if line is not None:
                yield line

    def _damaged(self, data: bytes, number: int, problem: Exception) -> TLine | None:
        if isinstance(problem, ValidationError):
            return self._miss("line of another kind", number, problem)
        if not data.strip():
            return None
        mended = legible(data)
        if mended == data or not isinstance(problem, ValueError):
            return self._miss("damaged line", number, problem)
        try:
            line = self._decoder.decode(mended)
            self.current = mended
        except BAD_JSON:
            return self._miss("damaged line", number, problem)
        self._unread["line with damaged characters"] += 1
        return line

    def _miss(self, kind: str, number: int, problem: Exception) -> None:
        self._unread[kind] += 1
        self.problem = self.problem or f"line {number}: {problem}"


def raw_value(raw: Raw | bytes) -> Any:
    """Return the value of a part that was not decoded with its line; None where there is none or it is too deep."""
    if not raw:
        return None
    try:
        return _any.decode(raw)
    except BAD_JSON:
        return None


def api_failure(error: Raw) -> str:
    """Return the kind of failure of a message that Claude Code itself wrote in place of the model's."""
    kind = as_text(raw_value(error))
    return "APIError" if kind in (None, "unknown") else kind


def told_by_lines(head: bytes, is_known: Callable[[bytes], bool | None]) -> bool | None:
    """Return what the first of some lines says that can be told by; None where none can."""
    told = (is_known(line) for line in head.splitlines()[:LINES_LOOKED_AT])
    return next((known for known in told if known is not None), None)
