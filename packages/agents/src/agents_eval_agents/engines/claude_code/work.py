"""A review by Claude Code, from the paper on a file to the run with its trace."""

import asyncio
import os
import tempfile
import uuid
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from agents_eval_agents.engines.claude_code.answer import review_in
from agents_eval_agents.engines.claude_code.executable import Executable
from agents_eval_agents.engines.claude_code.invocation import Invocation
from agents_eval_agents.engines.claude_code.session_process import SessionEnd, SessionInterruptedError, run_session
from agents_eval_agents.engines.claude_code.stream_lines import failure_of, progress_of, said_by_the_lead, session_of
from agents_eval_agents.engines.recorded_work import DEFAULT_SCALE, Ending
from agents_eval_agents.publishing import publish
from agents_eval_agents.recorder import FILE_NAME
from agents_eval_agents.review_team.desk import Desk
from agents_eval_core import registry
from agents_eval_core.case import Case
from agents_eval_core.claude_code_sessions import session_transcript
from agents_eval_core.errors import AgentsEvalError, UnreadableError, UsageError
from agents_eval_core.paper import Paper
from agents_eval_core.ports.engine import EngineOptions, EngineResult
from agents_eval_core.ports.trace_format import WritableFormat
from agents_eval_core.review import Scale
from agents_eval_core.run import Problem, Run, System
from agents_eval_core.trace import Trace, Usage
from agents_eval_core.trace_source import read_trace

STREAM: Final = "stream.jsonl"
PAPER: Final = "paper.md"
SECONDS: Final = 1800.0
SHOWN: Final = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaudeCodeWork:
    """One review, to be done or done already.

    Attributes:
        desk: Where the paper lies.
        expects_a_team: Whether it is told in the notes when no work was given to another agent.
    """

    case: Case
    desk: Desk
    options: EngineOptions
    system: System
    expects_a_team: bool

    async def done(self, invocation: Invocation, executable: Executable) -> EngineResult:
        """Let Claude Code review the paper, in a folder that holds nothing else.

        A failure, the end of its time or of its budget is a run with status `failed`, being cancelled is
        `interrupted`; both keep the stream and the trace so far.
        """
        created_at = datetime.now(UTC)
        is_interrupted = False
        with _desk_folder(self.desk.paper) as folder:
            try:
                end = await run_session(
                    invocation.command(executable),
                    environment=invocation.environment(),
                    folder=folder,
                    seconds=self.options.limits.seconds or SECONDS,
                    on_line=self._tell,
                )
            except SessionInterruptedError as interruption:
                end, is_interrupted = interruption.end, True
            except OSError as problem:
                raise UsageError(f"'claude' could not be started: {problem.strerror or problem}") from problem
        return await self._result(end, created_at, is_interrupted=is_interrupted)

    async def made_earlier(self, record: Path) -> EngineResult:
        """Return the run that a stream, or a session's transcript, is the record of; nothing is started.

        Raises:
            UnreadableError: It is not the record of a session.
        """
        try:
            stream = await asyncio.to_thread(record.read_bytes)
        except OSError as problem:
            raise UnreadableError(f"{record} cannot be read: {problem.strerror or problem}") from problem
        end = SessionEnd(stream=stream, complaint="", exit_code=0)
        known = await asyncio.to_thread(read_trace, record)
        return await self._result(end, datetime.now(UTC), is_interrupted=False, known=known)

    def _tell(self, line: bytes) -> None:
        progress = progress_of(line)
        if progress is not None:
            self.options.on_progress(progress)

    async def _result(
        self, end: SessionEnd, created_at: datetime, *, is_interrupted: bool, known: Trace | None = None
    ) -> EngineResult:
        trace, notes = await asyncio.to_thread(trace_of_stream, end.stream)
        trace = trace or known
        ending = self._ending(end, trace, is_interrupted=is_interrupted)
        if self.options.limits.requests is not None or self.options.limits.tokens is not None:
            notes.append("Claude Code keeps limits of cost and time; those of requests and tokens were not kept")
        if end.is_cut:
            notes.append("the stream was longer than what is kept; its end is missing")
        if self.expects_a_team and trace is not None and not any(span.is_delegation for span in trace.spans):
            notes.append("no team was formed: no work was given to another agent")
        files: dict[str, bytes] = {STREAM: end.stream}
        if trace is not None:
            files[FILE_NAME] = _as_otlp(trace)
            notes += await publish(files[FILE_NAME], self.options.viewers)
        run = Run(
            id=self.options.run_id,
            status=ending.status,
            case=self.case,
            system=_with_model(self.system, trace),
            trace=trace,
            output=ending.output,
            created_at=created_at,
            finished_at=datetime.now(UTC),
            problem=ending.problem,
            notes=tuple(notes),
        )
        return EngineResult(run=run, files=files)

    def _ending(self, end: SessionEnd, trace: Trace | None, *, is_interrupted: bool) -> Ending:
        output = review_in(said_by_the_lead(end.stream), self.desk.scale)
        if is_interrupted:
            told = Problem(error_type="CancelledError", message="the run was interrupted before it ended")
            return Ending(status="interrupted", problem=told)
        problem = self._problem(end)
        if problem is None and output is None:
            problem = Problem(error_type="NoReview", message="Claude Code ended without a word of review")
        if problem is None and trace is None:
            problem = Problem(error_type="NoTrace", message="Claude Code left a stream that holds no session")
        return Ending(status="complete" if problem is None else "failed", output=output, problem=problem)

    def _problem(self, end: SessionEnd) -> Problem | None:
        if end.is_timed_out:
            limit = self.options.limits.seconds or SECONDS
            message = f"Claude Code was ended after {limit:g} s; give it more with --seconds"
            return Problem(error_type="TimeoutError", message=message)
        failure = failure_of(end.stream)
        if failure is None and not end.exit_code:
            return None
        told = failure or end.complaint or f"it ended with exit code {end.exit_code} and without a result"
        return Problem(error_type="ClaudeCodeError", message=f"Claude Code failed: {' '.join(told.split())[:SHOWN]}")


@contextmanager
def _desk_folder(paper: Paper) -> Generator[Path]:
    """Give a folder that holds the paper and nothing else, and take it away afterwards."""
    with tempfile.TemporaryDirectory(prefix="agents-eval-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        (folder / PAPER).write_text(paper_text(paper), encoding="utf-8", errors="replace")
        yield folder


def paper_text(paper: Paper) -> str:
    """Return the paper as the Markdown file that Claude Code reads."""
    parts = [f"# {paper.title}", "## Abstract", paper.abstract] if paper.abstract else [f"# {paper.title}"]
    for section in paper.sections:
        parts += [f"## {section.heading or 'Text'}", section.text]
    return "\n\n".join(parts) + "\n"


def asked_form(form: str, scale: Scale | None) -> str:
    """Return the form of the answer for the rating scale of a venue."""
    known = scale or DEFAULT_SCALE
    return form.replace("LOWEST", f"{known.lowest:g}").replace("HIGHEST", f"{known.highest:g}")


def new_session_id() -> str:
    """Return an id under which Claude Code keeps the session."""
    return str(uuid.uuid4())


def trace_of_stream(stream: bytes) -> tuple[Trace | None, list[str]]:
    """Return the trace of a session and what to know of it.

    The session's own transcript in the user's home, where it still is, knows the tokens of each request and all that
    sub-agents said; what the stream says of the outcome is kept with it.
    """
    with tempfile.TemporaryDirectory(prefix="agents-eval-") as folder:
        path = Path(folder) / STREAM
        path.write_bytes(stream)
        try:
            told = next(iter(registry.trace_format("claude_code_stream").read(path)), None)
        except UnreadableError:
            return None, []
    if told is None:
        return None, []
    transcript = _transcript(session_of(stream), os.environ)
    if transcript is None:
        return told, [
            "tokens of single requests are those of the stream: the session's transcript is not there or cannot be read"
        ]
    return replace(_with_cost(transcript, told), outcome=told.outcome), []


def _with_cost(transcript: Trace, told: Trace) -> Trace:
    """Return the trace with the cost that the stream tells, where the transcript of an older version has none."""
    usage = next((span.usage for span in told.spans if span.usage and span.usage.cost_usd is not None), None)
    has_cost = any(span.usage and span.usage.cost_usd is not None for span in transcript.spans)
    if usage is None or has_cost or not transcript.spans:
        return transcript
    top, *others = transcript.spans
    own = replace(top.usage or Usage(scope="subtree"), cost_usd=usage.cost_usd)
    return replace(transcript, spans=(replace(top, usage=own), *others))


def _transcript(session_id: str | None, environment: Mapping[str, str]) -> Trace | None:
    if session_id is None:
        return None
    with suppress(AgentsEvalError, StopIteration):
        path = session_transcript(f"claude-code:{session_id}", environment)
        return next(iter(registry.trace_format("claude_code_session").read(path)))
    return None


def _as_otlp(trace: Trace) -> bytes:
    writer = registry.trace_format("otlp")
    if not isinstance(writer, WritableFormat):
        raise TypeError("the reader of OTLP writes too")
    return writer.write(trace)


def _with_model(system: System, trace: Trace | None) -> System:
    """Return the system with the model that answered, where it was one and none was asked for."""
    models = {span.model for span in trace.spans if span.model is not None} if trace is not None else set[str | None]()
    return system if system.model is not None or len(models) != 1 else system.changed(model=models.pop())
