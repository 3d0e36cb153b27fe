"""One session of Claude Code as a process of its own group: its lines as they come, and its end however it comes."""

import asyncio
import os
import signal
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

LONGEST_LINE: Final = 64 * 2**20
LARGEST_STREAM: Final = 256 * 2**20
KEPT_OF_STDERR: Final = 40
PATIENCE_SECONDS: Final = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionEnd:
    """What a session left.

    Attributes:
        stream: What it printed, as it stands.
        complaint: The end of what it wrote to standard error.
        exit_code: None where it was ended from outside.
        is_timed_out: Whether it was ended because its time was over.
        is_cut: Whether it printed more than is kept.
    """

    stream: bytes
    complaint: str
    exit_code: int | None
    is_timed_out: bool = False
    is_cut: bool = False


@dataclass(slots=True)
class _Stream:
    parts: list[bytes]
    size: int = 0
    is_cut: bool = False

    def take(self, line: bytes) -> None:
        self.is_cut = self.is_cut or self.size + len(line) > LARGEST_STREAM
        if not self.is_cut:
            self.parts.append(line)
            self.size += len(line)


class SessionInterruptedError(Exception):
    """The session was cancelled; what it had printed is kept here."""

    def __init__(self, end: SessionEnd) -> None:
        super().__init__("the session was cancelled")
        self.end = end


async def run_session(
    command: Sequence[str],
    *,
    environment: Mapping[str, str],
    folder: Path,
    seconds: float,
    on_line: Callable[[bytes], None],
) -> SessionEnd:
    """Run a session to its end, or to the end of its time; nothing of its process group is left.

    Raises:
        OSError: It could not be started.
        SessionInterruptedError: This task was cancelled meanwhile.
    """
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=dict(environment),
        cwd=folder,
        start_new_session=True,
        limit=LONGEST_LINE,
    )
    stream, complaint = _Stream([]), deque[bytes](maxlen=KEPT_OF_STDERR)
    readers = asyncio.gather(_read(process.stdout, stream, on_line), _drain(process.stderr, complaint))
    is_timed_out = False

    def end(exit_code: int | None) -> SessionEnd:
        text = b"".join(complaint).decode("utf-8", "replace").strip()
        return SessionEnd(
            stream=b"".join(stream.parts),
            complaint=text,
            exit_code=exit_code,
            is_timed_out=is_timed_out,
            is_cut=stream.is_cut,
        )

    try:
        await asyncio.wait_for(asyncio.shield(readers), seconds)
        await process.wait()
    except TimeoutError:
        is_timed_out = True
    except asyncio.CancelledError:
        await _end_group(process, readers)
        raise SessionInterruptedError(end(None)) from None
    exit_code = None if is_timed_out else process.returncode
    await _end_group(process, readers)
    return end(exit_code)


async def _read(source: asyncio.StreamReader | None, stream: _Stream, on_line: Callable[[bytes], None]) -> None:
    while source is not None and (line := await source.readline()):
        stream.take(line)
        on_line(line)


async def _drain(source: asyncio.StreamReader | None, kept: deque[bytes]) -> None:
    while source is not None and (part := await source.read(4096)):
        kept.append(part)


async def _end_group(process: asyncio.subprocess.Process, readers: "asyncio.Future[tuple[None, None]]") -> None:
    """End the process and whatever it has started, first kindly."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, sign)
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), PATIENCE_SECONDS)
            break
    with suppress(TimeoutError, asyncio.CancelledError):
        await asyncio.wait_for(readers, PATIENCE_SECONDS)
