"""Work that goes on in the background: in threads of the server, so that it outlives page changes and reloads."""

import asyncio
import secrets
import threading
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, Literal

import streamlit as st

from agents_eval_core.errors import AgentsEvalError

State = Literal["running", "done", "failed", "cancelled"]
MOST_LINES: Final = 5000


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What somebody did at a moment."""

    at: datetime
    agent: str
    action: str


@dataclass(slots=True, kw_only=True)
class Job:
    """One piece of work. Only its own thread writes to it; pages read.

    Attributes:
        kind: `review` or `sweep`.
        result: What it gave; None until it is done.
        problem: Why it failed, in a sentence.
    """

    id: str
    kind: str
    title: str
    begun_at: datetime
    state: State = "running"
    lines: list[Line] = field(default_factory=list[Line])
    result: Any = None
    problem: str = ""
    cancel: Callable[[], None] = field(default=lambda: None)

    def tell(self, agent: str, action: str) -> None:
        """Take down what somebody is doing; beyond 5,000 lines the oldest go."""
        self.lines.append(Line(at=datetime.now(UTC), agent=agent, action=action))
        del self.lines[:-MOST_LINES]


class Background:
    """The work of this server, the newest first."""

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()

    def start(self, kind: str, title: str, work: Callable[[Job], Coroutine[Any, Any, Any]]) -> Job:
        """Begin a piece of work and return it at once; `work` is handed the job, to tell what it does."""
        job = Job(id=secrets.token_hex(6), kind=kind, title=title, begun_at=datetime.now(UTC))
        with self._lock:
            self._jobs[job.id] = job
        threading.Thread(target=_run, args=(job, work), name=f"{kind} {job.id}", daemon=True).start()
        return job

    def jobs(self, kind: str) -> tuple[Job, ...]:
        """Return what was begun, the newest first."""
        with self._lock:
            return tuple(job for job in reversed(self._jobs.values()) if job.kind == kind)

    def find(self, job_id: str) -> Job | None:
        """Return the piece of work of that id."""
        return self._jobs.get(job_id)


@st.cache_resource
def background() -> Background:
    """Return the work of this server, one for all its sessions."""
    return Background()


def _run(job: Job, work: Callable[[Job], Coroutine[Any, Any, Any]]) -> None:
    try:
        job.result = asyncio.run(_cancellable(job, work))
        job.state = "done"
    except asyncio.CancelledError:
        job.state = "cancelled"
    except AgentsEvalError as problem:
        job.problem, job.state = str(problem), "failed"
    except Exception as problem:  # noqa: BLE001  a thread that died without a word would look as if it worked on
        job.problem, job.state = f"{type(problem).__name__}: {problem}", "failed"


async def _cancellable(job: Job, work: Callable[[Job], Coroutine[Any, Any, Any]]) -> Any:
    loop, task = asyncio.get_running_loop(), asyncio.ensure_future(work(job))

    def cancel() -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(task.cancel)

    job.cancel = cancel
    return await task
