"""A place on this machine that programs send their OpenTelemetry spans to, over OTLP/HTTP as protobuf or JSON."""

import zlib
from collections.abc import Callable, Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any, Final

import msgspec
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import DecodeError
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

LARGEST_BODY: Final = 64 * 2**20
LARGEST_TOTAL: Final = 1024 * 2**20
TRACES: Final = "/v1/traces"
TIMEOUT_SECONDS: Final = 30.0


class _Scope(msgspec.Struct, rename="camel"):
    spans: list[dict[str, Any]] = []


class _Resource(msgspec.Struct, rename="camel"):
    scope_spans: list[_Scope] = []


class _Export(msgspec.Struct, rename="camel"):
    """As much of the form of an export as must be there to count its spans."""

    resource_spans: list[_Resource] = []

    @property
    def spans(self) -> int:
        return sum(len(scope.spans) for resource in self.resource_spans for scope in resource.scope_spans)


class OtlpEndpoint(ThreadingHTTPServer):
    """Listens on loopback and keeps each export of spans as a line of OTLP JSON.

    Logs and metrics are answered with success and not kept. What cannot be read is refused, so that the sender knows.
    """

    daemon_threads = True

    def __init__(self, keep: Callable[[bytes], object]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self._keep = keep
        self._lock = Lock()
        self.spans = 0
        self.bytes = 0

    @property
    def url(self) -> str:
        """The base URL, as `OTEL_EXPORTER_OTLP_ENDPOINT` takes it."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def take(self, export: dict[str, Any]) -> bool:
        """Keep an export; False if all that is kept would become too large.

        Raises:
            msgspec.ValidationError: It is not of the form of an export.
        """
        spans = msgspec.convert(export, _Export).spans
        line = msgspec.json.encode(export) + b"\n"
        with self._lock:
            if self.bytes + len(line) > LARGEST_TOTAL:
                return False
            self.bytes += len(line)
            self.spans += spans
            self._keep(line)
            return True


@contextmanager
def listening(keep: Callable[[bytes], object]) -> Generator[OtlpEndpoint]:
    """Listen while something runs; exports under way when it ends are still taken."""
    endpoint = OtlpEndpoint(keep)
    thread = Thread(target=endpoint.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield endpoint
    finally:
        endpoint.shutdown()
        thread.join()
        endpoint.server_close()


class _Handler(BaseHTTPRequestHandler):
    server: OtlpEndpoint  # type: ignore[assignment]  the server that made this handler
    protocol_version = "HTTP/1.1"
    timeout = TIMEOUT_SECONDS

    def do_POST(self) -> None:
        """Take one export."""
        length = self.headers.get("content-length", "")
        if not length.isdecimal() or int(length) > LARGEST_BODY:
            self.close_connection = True
            self._answer(413 if length.isdecimal() else 411)
            return
        body = self.rfile.read(int(length))
        if self.path.rstrip("/") != TRACES:
            self._answer(200)
            return
        export = _export(body, self.headers.get("content-type", ""), self.headers.get("content-encoding", ""))
        is_kept = False
        try:
            is_kept = export is not None and self.server.take(export)
        except msgspec.ValidationError:
            export = None
        if export is None:
            self._answer(400)
        else:
            self._answer(200 if is_kept else 507)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the name it overrides
        """Say nothing: standard error belongs to the program that runs."""

    def _answer(self, status: int) -> None:
        is_json = "json" in self.headers.get("content-type", "")
        body = b"{}" if is_json else b""
        self.send_response(status)
        self.send_header("content-type", "application/json" if is_json else "application/x-protobuf")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _export(body: bytes, kind: str, encoding: str) -> dict[str, Any] | None:
    """Return an export as the object that OTLP JSON has for it; None where it cannot be read."""
    try:
        plain = _unpacked(body) if encoding == "gzip" else body
        if "json" in kind:
            return msgspec.json.decode(plain, type=dict[str, Any])
        return MessageToDict(ExportTraceServiceRequest.FromString(plain))
    except (OSError, EOFError, zlib.error, DecodeError, msgspec.DecodeError, ValueError, RecursionError):
        return None


def _unpacked(body: bytes) -> bytes:
    """Unpack a body; one that becomes too large is refused before it has."""
    unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    plain = unpacker.decompress(body, LARGEST_BODY)
    if unpacker.unconsumed_tail:
        raise ValueError("an export beyond the limit")
    return plain
