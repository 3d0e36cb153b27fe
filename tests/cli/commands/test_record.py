"""Recording another program: whatever it sends over OTLP/HTTP is kept, without secrets, and can be evaluated."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

Program = Callable[..., subprocess.CompletedProcess[str]]
SENDS = """
import os
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor

provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(OTLPSpanExporter()))
tracer = provider.get_tracer("mine")
agent = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "scout", "gen_ai.agent.id": "h"}
call = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "look", "gen_ai.tool.call.arguments": "{}"}
with tracer.start_as_current_span("invoke_agent scout", attributes=agent):
    with tracer.start_as_current_span("execute_tool look", attributes={**call, "key": "sk-" + "a1B2" * 12}):
        pass
provider.shutdown()
"""
SENDS_JSON = """
import os, urllib.request
url = os.environ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"]
bodies = ((b"{broken", "application/json"), (b'{"resourceSpans": [1]}', "application/json"))
for body, kind in (*bodies, (b"\\xff\\xff", "application/x-protobuf")):
    request = urllib.request.Request(url, data=body, headers={"content-type": kind})
    try:
        urllib.request.urlopen(request)
        raise SystemExit("it was taken")
    except urllib.error.HTTPError as refused:
        assert refused.code == 400
"""


def test_spans_of_any_program_are_kept_and_scored(program: Program, clean_place: Path) -> None:
    done = program("record", "--out", "mine.jsonl", "--json", "--", sys.executable, "-c", SENDS)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["spans"] == 2
    assert "a1B2a1B2" not in (clean_place / "mine.jsonl").read_text()
    evaluated = program("evaluate", "mine.jsonl", "--json")
    assert evaluated.returncode == 0, evaluated.stderr
    measures = {measure["name"]: measure["value"] for measure in json.loads(evaluated.stdout)["scorecard"]["measures"]}
    assert measures["tool_calls"] == 1


def test_a_program_that_sends_nothing_usable_is_told_so(program: Program) -> None:
    done = program("record", "--out", "none.jsonl", "--", sys.executable, "-c", SENDS_JSON)
    assert done.returncode == 3
    assert "no span came" in done.stderr


def test_the_exit_code_of_the_program_is_told(program: Program) -> None:
    done = program("record", "--out", "a.jsonl", "--", sys.executable, "-c", "raise SystemExit(7)")
    assert done.returncode == 3
    assert "exit code 7" in done.stderr


def test_nothing_is_overwritten_and_what_cannot_start_is_said(program: Program, clean_place: Path) -> None:
    (clean_place / "kept.jsonl").write_text("mine")
    again = program("record", "--out", "kept.jsonl", "--", sys.executable, "-c", "pass")
    assert (again.returncode, (clean_place / "kept.jsonl").read_text()) == (2, "mine")
    absent = program("record", "--", "no-such-program-here")
    assert absent.returncode == 2
    assert "cannot be started" in absent.stderr
