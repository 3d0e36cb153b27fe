"""The trace format `inspect_log`: logs of Inspect AI, as `.eval` archives and as `.json`; one trace a sample."""

from collections import Counter
from collections.abc import Iterator, Mapping
from hashlib import file_digest
from pathlib import Path
from typing import Any, Final

from msgspec import Raw, Struct, field
from msgspec.structs import replace

from agents_eval_core.errors import UnreadableError
from agents_eval_core.formats.building.trace_builder import TraceBuilder
from agents_eval_core.formats.inspect_ai.inspect_archive import InspectArchive, is_archive
from agents_eval_core.formats.inspect_ai.inspect_events import InspectEvents
from agents_eval_core.formats.inspect_ai.inspect_messages import InspectMessages
from agents_eval_core.formats.inspect_ai.inspect_wire import total_usage
from agents_eval_core.formats.json_text.json_document import UNREADABLE, JsonDocument, decoded
from agents_eval_core.formats.json_text.json_outline import outline
from agents_eval_core.formats.json_text.json_values import as_moment, as_number, as_record, as_text
from agents_eval_core.trace import Annotation, Outcome, Source, Trace

SAMPLES: Final = "samples/"
HEADERS: Final = ("header.json", "_journal/start.json")
GRADES: Final = {"C": True, "I": False}


class Header(Struct):
    """What holds for all samples."""

    eval: Mapping[str, Any] = field(default_factory=dict[str, Any])


class Sample(Struct):
    """One run of the agent on one input."""

    id: Any = None
    epoch: Any = None
    input: Any = None
    target: Any = None
    messages: list[Raw] = field(default_factory=list[Raw])
    scores: Any = None
    metadata: Any = None
    events: list[Raw] = field(default_factory=list[Raw])
    model_usage: Any = None
    total_time: Any = None
    working_time: Any = None
    started_at: Any = None
    completed_at: Any = None
    error: Any = None
    limit: Any = None
    uuid: Any = None
    attachments: Any = None


class InspectLogFormat:
    """Reads the samples of a log.

    The first scorer's value is the outcome: `C` and `I` are success and failure, a number is the reward. All scores and
    the target are annotations. Logs without events are read from their messages; usage is then known for the whole
    sample only. A damaged sample is an empty trace whose `unread` says so; archives that unpack to more than a log can
    be are refused.

    References:
        https://inspect.aisi.org.uk/eval-logs.html, https://inspect.aisi.org.uk/reference/inspect_ai.event.html
    """

    @property
    def name(self) -> str:
        """The name it is declared under."""
        return "inspect_log"

    def recognises(self, source: Path, head: bytes) -> bool:  # noqa: ARG002  the content tells, not the name
        """Whether the first bytes are those of a log: its archive's first member, or its keys.

        >>> InspectLogFormat().recognises(Path("any"), b'{"version": 2, "status": "success", "eval": {"run_id": "r"')
        True
        """
        if is_archive(head):
            return True
        if head.lstrip()[:1] != b"{" or b'"eval"' not in head:
            return False
        return {"version", "status", "eval", "eval.run_id"} <= outline(head)

    def read(self, source: Path, *, longest_text: int | None = None) -> Iterator[Trace]:
        """Yield a trace for each sample.

        Raises:
            UnreadableError: The file cannot be read, holds no sample, or is refused.
        """
        if is_archive(_start(source)):
            yield from _archive_traces(source, self.name, longest_text)
            return
        document = JsonDocument(source, self.name)
        about = document.member("eval", dict[str, Any])
        if about is None:
            raise document.refusal("it has no eval" if "samples" in document else "")
        last = None
        for sample in document.elements("samples", Sample, "sample"):
            if last is not None:
                yield last
            last = _trace(sample, about, document.source, longest_text)
        if last is None:
            raise document.refusal("it has no samples that can be read; was it written with --no-log-samples?")
        yield replace(last, unread=dict(Counter(last.unread) + document.unread))


def _start(source: Path) -> bytes:
    try:
        with source.open("rb") as file:
            return file.read(512)
    except OSError as problem:
        raise UnreadableError(f"{source} cannot be read: {problem.strerror or problem}; give a log file") from problem


def _archive_traces(source: Path, name: str, longest_text: int | None) -> Iterator[Trace]:
    with source.open("rb") as file:
        origin = Source(format=name, path=str(source), digest=file_digest(file, "sha256").hexdigest())
    archive = InspectArchive(source)
    try:
        about = _about(archive)
        damaged: list[tuple[str, str]] = []
        read = 0
        for member in archive.names(SAMPLES):
            try:
                sample = decoded(archive.read(member), Sample)
            except (UnreadableError, *UNREADABLE) as problem:
                damaged.append((member, str(problem)))
                continue
            read += 1
            yield _trace(sample, about, origin, longest_text)
        if not read:
            why = f"{damaged[0][0]}: {damaged[0][1]}" if damaged else "it has no samples"
            raise UnreadableError(f"{source} cannot be read as {name}: {why}; give the log as Inspect wrote it")
        for member, _ in damaged:
            yield Trace(id=member, source=origin, clock="none", unread={f"damaged sample {member}": 1})
    finally:
        archive.close()


def _about(archive: InspectArchive) -> Mapping[str, Any]:
    """Return what the log says about the evaluation; of one that was not finished, from its journal."""
    for name in HEADERS:
        if name in archive:
            try:
                return decoded(archive.read(name), Header).eval
            except (UnreadableError, *UNREADABLE):
                continue
    return {}


def _trace(sample: Sample, about: Mapping[str, Any], origin: Source, longest_text: int | None) -> Trace:
    builder = TraceBuilder(origin, longest_text=longest_text)
    task = as_text(about.get("task")) or "task"
    agent_id = builder.agent(as_text(about.get("solver")) or "solver")
    error = as_record(sample.error)
    root = builder.add(
        "invoke_workflow",
        f"invoke_workflow {task}",
        started_at=as_moment(sample.started_at),
        ended_at=as_moment(sample.completed_at),
        status="error" if error else "ok",
        error_type="SampleError" if error else None,
        error_text=as_text(error.get("message")),
        attributes=_facts(sample),
    )
    events = InspectEvents(builder, root, agent_id, as_record(sample.attachments))
    for raw in sample.events:
        events.take(raw)
    if not sample.events:
        messages = InspectMessages(builder, events, root, agent_id)
        for raw in sample.messages:
            messages.take(raw)
        if not sample.messages and isinstance(sample.input, str):
            events.said("user", sample.input)
    if not events.has_usage:
        builder.change(root, usage=total_usage(as_record(sample.model_usage)))
    return builder.trace(
        f"{sample.id}_epoch_{1 if sample.epoch is None else sample.epoch}",
        clock="wall",
        task_id=f"{task}/{sample.id}",
        outcome=_outcome(as_record(sample.scores)),
        annotations=tuple(_annotations(sample)),
    )


def _facts(sample: Sample) -> dict[str, Any]:
    facts = {"uuid": sample.uuid, "total_time": sample.total_time, "working_time": sample.working_time}
    return {name: value for name, value in {**facts, "limit": sample.limit}.items() if value is not None}


def _outcome(scores: Mapping[str, Any]) -> Outcome | None:
    if not scores:
        return None
    value = as_record(next(iter(scores.values()))).get("value")
    if isinstance(value, bool):
        return Outcome(success=value)
    if isinstance(value, str):
        return Outcome(success=GRADES.get(value), text=value)
    return Outcome(reward=as_number(value))


def _annotations(sample: Sample) -> Iterator[Annotation]:
    for scorer, score in as_record(sample.scores).items():
        yield Annotation(name="score", value=score, by=scorer)
    if sample.target not in (None, "", []):
        yield Annotation(name="target", value=sample.target)
    if sample.metadata:
        yield Annotation(name="metadata", value=sample.metadata)
