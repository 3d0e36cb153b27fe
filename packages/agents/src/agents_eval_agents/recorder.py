"""The recorder: what PydanticAI's own instrumentation tells about one run, kept apart from all other runs."""

import os
import tempfile
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final

from msgspec.structs import replace
from opentelemetry import context as otel_context
from opentelemetry.context import Context
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, Span, SpanLimits, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.sampling import ALWAYS_ON
from opentelemetry.trace import StatusCode, Tracer, get_current_span, set_span_in_context
from opentelemetry.util.types import AttributeValue
from pydantic_ai import InstrumentationSettings
from pydantic_ai.capabilities import Instrumentation

from agents_eval_agents.otlp_lines import otlp_lines
from agents_eval_core import registry
from agents_eval_core.errors import RunFailedError
from agents_eval_core.trace import Source, Trace

SERVICE: Final = "agents-eval"
ROOT_SPAN: Final = "agents_eval.run"
RUN_ID: Final = "agents_eval.run.id"
DELEGATE_TO: Final = "agents_eval.delegate.to"
FILE_NAME: Final = "trace.otlp.jsonl"
INSTRUMENTATION_FORMAT: Final = 5
UNLIMITED: Final = SpanLimits.UNSET


def mark_delegation(agent_name: str) -> None:
    """Say on the current span, a tool call, that it hands work to an agent.

    Called first thing in a delegating tool, it names the delegate even where the delegate never starts.
    """
    get_current_span().set_attribute(DELEGATE_TO, agent_name)


class SpansByTrace(SpanProcessor):
    """Files spans by trace id from their start, so that one run's spans are found among those of many."""

    def __init__(self) -> None:
        self._watched: dict[int, dict[int, ReadableSpan]] = {}
        self._lock = threading.Lock()

    def watch(self, root: ReadableSpan) -> None:
        """Keep the spans of a root's trace from now on."""
        trace_id, span_id = _ids(root)
        with self._lock:
            self._watched[trace_id] = {span_id: root}

    def spans(self, trace_id: int) -> tuple[ReadableSpan, ...]:
        """Return the spans so far in order of beginning, those that have not ended as they are now."""
        with self._lock:
            return tuple(self._watched.get(trace_id, {}).values())

    def forget(self, trace_id: int) -> None:
        """Drop a trace; spans that still arrive for it are not kept."""
        with self._lock:
            self._watched.pop(trace_id, None)

    def on_start(self, span: Span, parent_context: Context | None = None) -> None:  # noqa: ARG002  the SDK's shape
        """Keep a span that begins."""
        self._keep(span)

    def on_end(self, span: ReadableSpan) -> None:
        """Replace a span by its final form."""
        self._keep(span)

    def _keep(self, span: ReadableSpan) -> None:
        trace_id, span_id = _ids(span)
        with self._lock:
            spans = self._watched.get(trace_id)
            if spans is not None:
                spans[span_id] = span


class Recording:
    """The spans of one run.

    Attributes:
        run_id: The run that is recorded.
        trace_id: The trace's id, in hexadecimal.
    """

    def __init__(self, run_id: str, trace_id: int, processor: SpansByTrace) -> None:
        self.run_id = run_id
        self.trace_id = f"{trace_id:032x}"
        self._number = trace_id
        self._processor = processor
        self._closed: bytes | None = None

    @property
    def lines(self) -> bytes:
        """The spans as OTLP JSON lines without secrets, one request with one span a line; so far, while it is open."""
        return self._encoded() if self._closed is None else self._closed

    def trace(self) -> Trace:
        """Return the trace as the OTLP reader gives it, so that it is what the file says.

        Raises:
            RunFailedError: There is no span.
        """
        return trace_of(self.lines, self.run_id)

    def close(self) -> None:
        """End the recording: what is kept now stays as it is."""
        self._closed = self._encoded()
        self._processor.forget(self._number)

    def _encoded(self) -> bytes:
        return otlp_lines(self._processor.spans(self._number))


class Recorder:
    """Records runs of PydanticAI agents; use one for a process, see `process_recorder`.

    The sampler, the limits and the resource are stated, so the environment (`OTEL_TRACES_SAMPLER`,
    `OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT`, `OTEL_RESOURCE_ATTRIBUTES`, …) changes nothing; only `OTEL_SDK_DISABLED=true`
    cannot be overruled, and `recording` says so.

    Attributes:
        provider: The provider of tracers, for those who want to watch the spans as well.
        settings: What PydanticAI's instrumentation is to be made with.
    """

    def __init__(self) -> None:
        self._processor = SpansByTrace()
        self.provider = TracerProvider(
            sampler=ALWAYS_ON,
            resource=Resource({"service.name": SERVICE}),
            span_limits=_no_limits(),
            shutdown_on_exit=False,
        )
        self.provider.add_span_processor(self._processor)
        self.settings = InstrumentationSettings(
            version=INSTRUMENTATION_FORMAT, tracer_provider=self.provider, include_model_request_parameters=False
        )
        self._tracer = self.provider.get_tracer(SERVICE)

    @property
    def tracer(self) -> Tracer:
        """What makes further spans of a recorded run."""
        return self._tracer

    @property
    def instrumentation(self) -> Instrumentation:
        """The capability that makes an agent recordable: `Agent(…, capabilities=[recorder.instrumentation])`."""
        return Instrumentation(settings=self.settings)

    @contextmanager
    def recording(
        self, *, run_id: str, attributes: Mapping[str, AttributeValue] | None = None
    ) -> Generator[Recording, None, None]:
        """Record what agents do inside the `with` block as a trace of its own.

        However the block ends, the recording keeps the spans so far; an exception is written on the root span.

        Args:
            run_id: The run's id, kept on the root span as `agents_eval.run.id`.
            attributes: What else the root span says, by full names such as `agents_eval.composition`.

        Raises:
            RunFailedError: OpenTelemetry is switched off in this process.
        """
        about = {"gen_ai.operation.name": "invoke_workflow", RUN_ID: run_id, **(attributes or {})}
        root = self._tracer.start_span(ROOT_SPAN, context=Context(), attributes=about)
        if not isinstance(root, Span):
            raise RunFailedError(_why_nothing_is_recorded(run_id))
        recording = Recording(run_id, _ids(root)[0], self._processor)
        self._processor.watch(root)
        token = otel_context.attach(set_span_in_context(root, Context()))
        try:
            yield recording
            root.set_status(StatusCode.OK)
        except BaseException as problem:
            root.record_exception(problem)
            root.set_status(StatusCode.ERROR, f"{type(problem).__name__}: {problem}")
            raise
        finally:
            otel_context.detach(token)
            root.end()
            recording.close()


def trace_of(lines: bytes, run_id: str) -> Trace:
    """Return the trace that the OTLP reader finds in a run's recorded lines.

    Raises:
        RunFailedError: There is no span.
    """
    if not lines:
        raise RunFailedError(f"run {run_id} left no span, so there is no trace to read; run it again")
    with tempfile.TemporaryDirectory(prefix="agents-eval-") as folder:
        path = Path(folder, FILE_NAME)
        path.write_bytes(lines)
        (trace,) = registry.trace_format("otlp").read(path)
    return replace(trace, source=Source(format="otlp", path=FILE_NAME, digest=trace.source.digest))


@cache
def process_recorder() -> Recorder:
    """Return the recorder of this process, made on first use."""
    return Recorder()


def _ids(span: ReadableSpan) -> tuple[int, int]:
    context = span.get_span_context()
    return (context.trace_id, context.span_id) if context is not None else (0, 0)


def _no_limits() -> SpanLimits:
    return SpanLimits(
        max_attributes=UNLIMITED,
        max_events=UNLIMITED,
        max_links=UNLIMITED,
        max_span_attributes=UNLIMITED,
        max_event_attributes=UNLIMITED,
        max_link_attributes=UNLIMITED,
        max_attribute_length=UNLIMITED,
        max_span_attribute_length=UNLIMITED,
    )


def _why_nothing_is_recorded(run_id: str) -> str:
    if os.environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return f"run {run_id} cannot be recorded: OTEL_SDK_DISABLED is true; unset it and run again"
    return f"run {run_id} cannot be recorded: OpenTelemetry makes no spans in this process; check its OTEL_… variables"
