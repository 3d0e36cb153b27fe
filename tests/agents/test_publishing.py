"""Whether viewers get the spans of a run, and that no viewer can harm a run or its kept trace."""

import asyncio
import gzip
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from textwrap import dedent
from typing import Literal, cast

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from agents_eval import run_review_sync
from agents_eval_agents.engines.mas import MasEngine
from agents_eval_agents.engines.recorded_work import Workplace
from agents_eval_agents.logfire_projects import logfire_projects
from agents_eval_agents.publishing import publish
from agents_eval_agents.recorder import FILE_NAME, Recorder
from agents_eval_core.case import Case
from agents_eval_core.ports.engine import EngineOptions, Viewers
from agents_eval_core.settings import load_settings
from agents_eval_core.use_cases.evaluate_trace import EvaluatedRun

TOKEN = "pylf_v1_us_" + "0" * 40
SOON = 0.3
MUCH_LATER = 5.0


@dataclass
class Received:
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def request(self) -> ExportTraceServiceRequest:
        return ExportTraceServiceRequest.FromString(gzip.decompress(self.body))

    @property
    def spans(self) -> list[Span]:
        parts = [scoped for part in self.request.resource_spans for scoped in part.scope_spans]
        return [span for scoped in parts for span in scoped.spans]


class Receiver(ThreadingHTTPServer):
    """A viewer on this machine, that answers in one of several manners."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answering)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.received: list[Received] = []
        self.status = 200
        self.manner: Literal["prompt", "silent", "trickling"] = "prompt"
        self.asked = threading.Event()
        self.released = threading.Event()


class Answering(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        receiver = cast("Receiver", self.server)
        body = self.rfile.read(int(self.headers["content-length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        receiver.received.append(Received(path=self.path, headers=headers, body=body))
        receiver.asked.set()
        match receiver.manner:
            case "prompt":
                self._answer(receiver.status)
            case "silent":
                receiver.released.wait(MUCH_LATER)
            case "trickling":
                self._trickle(receiver.released)

    def _answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def _trickle(self, released: threading.Event) -> None:
        with suppress(ConnectionError):
            for letter in b"HTTP/1.1 200 OK\r\nx: " + b"y" * 1000:
                self.wfile.write(bytes([letter]))
                if released.wait(0.02):
                    return

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the name that it has there
        pass


@pytest.fixture
def viewer() -> Iterator[Receiver]:
    receiver = Receiver()
    thread = threading.Thread(target=receiver.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield receiver
    receiver.released.set()
    receiver.shutdown()
    thread.join()
    receiver.server_close()


@pytest.fixture
def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@pytest.fixture
def reviewed(a_case: Case) -> Callable[..., bytes]:
    """Let a team review and return its kept trace."""

    def run(**viewers: str | bool) -> bytes:
        options = EngineOptions(run_id="r1", composition="full", viewers=Viewers(**viewers))  # type: ignore[arg-type]  # test data
        return asyncio.run(MasEngine(place=Workplace(recorder=Recorder())).run(a_case, options)).files[FILE_NAME]

    return run


@pytest.fixture
def logfire_at(viewer: Receiver, monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    monkeypatch.setenv("LOGFIRE_TOKEN", TOKEN)
    monkeypatch.setenv("LOGFIRE_BASE_URL", viewer.url)
    logfire_projects.cache_clear()
    yield viewer
    logfire_projects.cache_clear()


def review(**given: str) -> EvaluatedRun:
    settings = load_settings(None, environment=given)
    return run_review_sync("sparse-gates", dataset="sample", composition="manager+researcher", settings=settings)


def published(lines: bytes, url: str, *, seconds: float = MUCH_LATER) -> tuple[str, ...]:
    return asyncio.run(publish(lines, Viewers(phoenix_endpoint=url), seconds=seconds))


def texts(span: Span) -> dict[str, str]:
    return {one.key: one.value.string_value for one in span.attributes if one.value.HasField("string_value")}


def shape(lines: bytes) -> bytes:
    """What is the same in each run: all but identifiers and times."""
    return re.sub(rb"[0-9a-f][0-9a-f-]{14,}", b"", lines)


def test_a_review_sends_the_spans_that_it_keeps_to_phoenix(viewer: Receiver) -> None:
    done = review(JUDGE_PHOENIX_ENDPOINT=f"{viewer.url}/")
    assert done.run.notes == ()
    assert done.run.trace is not None
    (received,) = viewer.received
    assert [span.span_id.hex() for span in received.spans] == [span.id for span in done.run.trace.spans]
    assert {span.trace_id.hex() for span in received.spans} == {done.run.trace.id}
    assert received.path == "/v1/traces"
    assert received.headers["content-type"] == "application/x-protobuf"
    assert received.headers["x-project-name"] == "agents-eval"


def test_the_kept_trace_is_the_same_whoever_watches(logfire_at: Receiver, reviewed: Callable[..., bytes]) -> None:
    unwatched = reviewed()
    watched = reviewed(phoenix_endpoint=logfire_at.url, logfire=True)
    assert len(logfire_at.received) == 2
    assert shape(watched) == shape(unwatched)
    assert shape(unwatched) != shape(unwatched.replace(b"manager", b"other"))


def test_no_host_name_is_kept_or_sent(logfire_at: Receiver, reviewed: Callable[..., bytes]) -> None:
    lines = reviewed(logfire=True)
    assert b"host.name" not in lines
    (received,) = logfire_at.received
    sent = {one.key for part in received.request.resource_spans for one in part.resource.attributes}
    assert sent == {"service.name"}


def test_a_trace_that_is_not_kept_is_not_sent(viewer: Receiver) -> None:
    done = review(JUDGE_PHOENIX_ENDPOINT=viewer.url, JUDGE_TRACE_COLLECTION="false", JUDGE_LOGFIRE_ENABLED="true")
    assert done.run.notes == ()
    assert viewer.received == []


def test_a_viewer_that_does_not_run_is_a_note_and_costs_nothing(free_port: int) -> None:
    url = f"http://127.0.0.1:{free_port}"
    done = review(JUDGE_PHOENIX_ENDPOINT=url)
    assert done.run.status == "complete"
    assert done.scorecard is not None
    (note,) = done.run.notes
    assert re.fullmatch(
        rf"the trace could not be published to {url}: no connection \(.+\); it is kept in the run directory", note
    )
    assert done.directory is not None
    assert (done.directory / FILE_NAME).is_file()
    assert "no connection" in (done.directory / "report.md").read_text()


def test_a_refusal_is_known_at_once(free_port: int) -> None:
    began = time.monotonic()
    (note,) = published(b"", f"http://127.0.0.1:{free_port}")
    assert "no connection" in note
    assert time.monotonic() - began < MUCH_LATER / 2


@pytest.mark.parametrize("status", [307, 401, 415, 500, 503])
def test_an_answer_that_is_no_acceptance_is_a_note(viewer: Receiver, status: int) -> None:
    viewer.status = status
    (note,) = published(b"", viewer.url)
    assert f"to {viewer.url}: it answered {status} " in note
    assert len(viewer.received) == 1


def test_a_silent_viewer_is_waited_for_no_longer_than_allowed(viewer: Receiver) -> None:
    viewer.manner = "silent"
    began = time.monotonic()
    (note,) = published(b"", viewer.url, seconds=SOON)
    assert "no answer within 0.3 s" in note
    assert time.monotonic() - began < MUCH_LATER / 2


def test_something_else_that_listens_there_is_a_note(free_port: int) -> None:
    async def greet(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail.example.org ready\r\n")
        await writer.drain()
        writer.close()

    async def send() -> tuple[str, ...]:
        async with await asyncio.start_server(greet, "127.0.0.1", free_port):
            return await publish(b"", Viewers(phoenix_endpoint=f"http://127.0.0.1:{free_port}"), seconds=MUCH_LATER)

    assert "no HTTP answer" in asyncio.run(send())[0]


def test_an_answer_that_never_ends_is_cut_off(viewer: Receiver) -> None:
    viewer.manner = "trickling"
    (note,) = published(b"", viewer.url, seconds=SOON)
    assert "no answer within 0.3 s" in note


@pytest.mark.parametrize("name", ["HTTP_PROXY", "http_proxy", "ALL_PROXY"])
def test_no_proxy_stands_before_a_viewer_on_this_machine(
    viewer: Receiver, free_port: int, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.setenv(name, f"http://127.0.0.1:{free_port}")
    assert published(b"", viewer.url) == ()
    assert published(b"", viewer.url.replace("127.0.0.1", "localhost")) == ()


def test_a_viewer_elsewhere_is_reached_as_the_environment_says(
    viewer: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.setenv("HTTP_PROXY", viewer.url)
    assert published(b"", "http://phoenix.example.org:6006") == ()
    assert viewer.received[0].path == "http://phoenix.example.org:6006/v1/traces"


def test_lines_that_cannot_be_read_are_a_note(viewer: Receiver) -> None:
    (note,) = published(b"{\n", viewer.url)
    assert "DecodeError" in note
    assert viewer.received == []


async def test_an_interruption_while_publishing_keeps_the_run(a_case: Case, viewer: Receiver) -> None:
    viewer.manner = "silent"
    options = EngineOptions(run_id="r1", composition="manager", viewers=Viewers(phoenix_endpoint=viewer.url))
    work = asyncio.ensure_future(MasEngine(place=Workplace(recorder=Recorder())).run(a_case, options))
    assert await asyncio.to_thread(viewer.asked.wait, MUCH_LATER)
    work.cancel()
    run = (await work).run
    assert run.status == "complete"
    assert run.output is not None
    assert "it was interrupted" in run.notes[-1]


def test_logfire_gets_the_spans_of_a_review_with_the_users_token(logfire_at: Receiver) -> None:
    done = review(JUDGE_LOGFIRE_ENABLED="true")
    assert done.run.notes == ()
    assert done.run.trace is not None
    (received,) = logfire_at.received
    assert received.path == "/v1/traces"
    assert received.headers["authorization"] == TOKEN
    assert len(received.spans) == len(done.run.trace.spans)


def test_logfire_rewrites_nothing_that_is_evaluated(logfire_at: Receiver) -> None:
    text = "the session keeps a secret of its author"
    with Recorder().recording(run_id="r1", attributes={"gen_ai.tool.call.arguments": text}) as recording:
        pass
    assert asyncio.run(publish(recording.lines, Viewers(logfire=True), seconds=MUCH_LATER)) == ()
    assert texts(logfire_at.received[0].spans[0])["gen_ai.tool.call.arguments"] == text


def test_logfire_that_refuses_is_a_note_without_the_token(logfire_at: Receiver) -> None:
    logfire_at.status = 401
    (note,) = asyncio.run(publish(b"", Viewers(logfire=True), seconds=MUCH_LATER))
    assert f"published to {logfire_at.url}: it answered 401" in note
    assert TOKEN not in note


def test_the_credentials_of_a_logfire_project_do_as_well(
    viewer: Receiver, clean_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LOGFIRE_TOKEN", raising=False)
    (clean_place / ".logfire").mkdir()
    kept = {"token": TOKEN, "project_name": "p", "project_url": viewer.url, "logfire_api_url": f"{viewer.url}/"}
    (clean_place / ".logfire" / "logfire_credentials.json").write_text(json.dumps(kept))
    logfire_projects.cache_clear()
    assert asyncio.run(publish(b"", Viewers(logfire=True), seconds=MUCH_LATER)) == ()
    assert viewer.received[0].headers["authorization"] == TOKEN
    logfire_projects.cache_clear()


def test_broken_credentials_of_logfire_do_not_keep_phoenix_from_its_spans(
    viewer: Receiver, clean_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LOGFIRE_TOKEN", raising=False)
    (clean_place / ".logfire").mkdir()
    (clean_place / ".logfire" / "logfire_credentials.json").write_text("{")
    logfire_projects.cache_clear()
    viewers = Viewers(phoenix_endpoint=viewer.url, logfire=True)
    (note,) = asyncio.run(publish(b"", viewers, seconds=MUCH_LATER))
    assert "published to Logfire: DecodeError" in note
    assert len(viewer.received) == 1


def test_logfire_without_a_token_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LOGFIRE_TOKEN", raising=False)
    logfire_projects.cache_clear()
    (note,) = review(JUDGE_LOGFIRE_ENABLED="true").run.notes
    assert "to Logfire: there is no token; set LOGFIRE_TOKEN" in note
    logfire_projects.cache_clear()


def test_logfire_is_not_loaded_unless_it_is_switched_on(viewer: Receiver, tmp_path: Path) -> None:
    script = f"""
    import sys
    sys.modules["logfire"] = None  # loading it fails
    from agents_eval import run_review_sync
    from agents_eval_core.settings import load_settings

    for enabled in ("false", "true"):
        given = {{"JUDGE_PHOENIX_ENDPOINT": "{viewer.url}", "JUDGE_LOGFIRE_ENABLED": enabled}}
        settings = load_settings(None, environment=given)
        done = run_review_sync("sparse-gates", dataset="sample", composition="manager", settings=settings)
        print(done.run.status, done.run.notes, "agents_eval_agents.logfire_projects" in sys.modules)
    """
    environment = {**os.environ, "PYDANTIC_DISABLE_PLUGINS": "logfire-plugin"}  # pydantic itself would load it
    done = subprocess.run(
        [sys.executable, "-c", dedent(script)],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    off, on = done.stdout.splitlines()
    assert off == "complete () False"
    assert on.startswith("complete ('the trace could not be published")
    assert "logfire" in on
