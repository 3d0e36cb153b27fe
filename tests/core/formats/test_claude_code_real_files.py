"""All real files, with totals that are counted here by other means."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from agents_eval_core.formats.claude_code_session import ClaudeCodeSessionFormat
from agents_eval_core.formats.claude_code_stream import ClaudeCodeStreamFormat
from agents_eval_core.resources import resources_of
from agents_eval_core.trace import Trace


class Totals(NamedTuple):
    calls: int
    failed: int
    requests: int
    input_tokens: int
    cached_tokens: int
    output_tokens: int


def lines(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(errors="replace").splitlines():
        try:
            yield json.loads(line)
        except ValueError:
            continue


def counted(*paths: Path) -> Totals:
    calls, failed, usage = set[str](), set[str](), dict[str, dict[str, int]]()
    for line in (line for path in paths for line in lines(path)):
        message: Any = line.get("message")
        if line["type"] == "assistant" and message["model"] != "<synthetic>":
            usage[message["id"]] = message["usage"]
            calls |= {block["id"] for block in message["content"] if block["type"] == "tool_use"}
        elif line["type"] == "user" and isinstance(message["content"], list):
            blocks = [block for block in message["content"] if block["type"] == "tool_result"]
            failed |= {block["tool_use_id"] for block in blocks if block.get("is_error")}
    read = sum(each["cache_read_input_tokens"] for each in usage.values())
    fresh = sum(each["input_tokens"] + each["cache_creation_input_tokens"] for each in usage.values())
    output = sum(each["output_tokens"] for each in usage.values())
    return Totals(len(calls), len(failed), len(usage), fresh + read, read, output)


def understood(trace: Trace) -> Totals:
    calls = [span for span in trace.spans if span.operation == "execute_tool"]
    usage = [span.usage for span in trace.spans if span.operation == "chat" and span.usage]
    return Totals(
        len(calls),
        sum(span.status == "error" for span in calls),
        len(usage),
        sum(each.input_tokens or 0 for each in usage),
        sum(each.cached_tokens or 0 for each in usage),
        sum(each.output_tokens or 0 for each in usage),
    )


def files(folder: Path, *patterns: str) -> list[Path]:
    found = [path for pattern in patterns for path in sorted(folder.glob(pattern))]
    assert found, f"there is nothing of {patterns} in {folder}"
    return found


def sessions(real_data: Path) -> Iterator[tuple[Path, list[Path]]]:
    patterns = ("claude-code-session/**/*.jsonl", "claude_code_current/*/*/projects/*/*.jsonl")
    for main in files(real_data / "traces", *patterns):
        if not main.name.startswith("agent-"):
            yield main, [*main.with_suffix("").rglob("agent-*.jsonl"), *main.parent.glob("agent-*.jsonl")]


def streams(real_data: Path) -> list[Path]:
    patterns = ("claude-code-stream-json/*/*.jsonl", "claude_code_current/*/*/stream.jsonl")
    return files(real_data / "traces", *patterns)


def test_every_session_has_all_calls_and_the_exact_tokens_of_its_sub_agents_too(real_data: Path) -> None:
    found = list(sessions(real_data))
    assert sum(bool(below) for _, below in found) >= 9
    for main, below in found:
        [trace] = ClaudeCodeSessionFormat().read(main)
        assert understood(trace) == counted(main, *below), main
        assert trace.unread == {}, main


def test_every_sub_agent_of_a_session_lies_below_its_call_or_is_claude_codes_own(real_data: Path) -> None:
    for main, below in sessions(real_data):
        [trace] = ClaudeCodeSessionFormat().read(main)
        works = [span for span in trace.spans if span.operation == "invoke_agent" and span.agent_id != "main"]
        assert len(works) == len(below)
        for work in works:
            role = trace.agent_by_id[work.agent_id or ""].role
            assert role == "system" or (work.parent_id or "").startswith("toolu_"), (main, work)


def test_orphaned_sub_agents_are_read_with_all_their_calls(real_data: Path) -> None:
    folders = [
        folder
        for folder in (real_data / "traces" / "claude-code-session" / "spotter").iterdir()
        if folder.is_dir() and not folder.with_suffix(".jsonl").exists()
    ]
    assert len(folders) == 2
    for folder in folders:
        [trace] = ClaudeCodeSessionFormat().read(folder)
        assert understood(trace) == counted(*folder.rglob("agent-*.jsonl"))


def test_every_result_that_was_spilled_into_a_file_is_joined_to_its_call(real_data: Path) -> None:
    for spilled in files(real_data / "traces" / "claude_code_current", "*/*/projects/*/*/tool-results/*"):
        [trace] = ClaudeCodeSessionFormat().read(spilled.parent.parent.with_suffix(".jsonl"))
        results = [span.tool.result for span in trace.spans if span.tool and "result_shown" in span.attributes]
        assert results == [spilled.read_text()], spilled


def test_every_stream_has_all_calls(real_data: Path) -> None:
    found = streams(real_data)
    assert len(found) >= 25
    for path in found:
        [trace] = ClaudeCodeStreamFormat().read(path)
        handed_back = sum("read_from" in span.attributes for span in trace.spans)
        ours, theirs = understood(trace), counted(path)
        assert ours[:2] == theirs[:2], path
        assert ours.requests == theirs.requests + handed_back, path
        assert set(trace.unread) <= {"missing result: the stream was cut off"}, path


def test_the_totals_of_a_stream_are_those_of_its_last_result(real_data: Path) -> None:
    for path in streams(real_data):
        results = [line for line in lines(path) if line["type"] == "result"]
        if results:
            [trace] = ClaudeCodeStreamFormat().read(path)
            models = results[-1]["modelUsage"].values()
            took = resources_of(trace)
            keys = ("inputTokens", "cacheReadInputTokens", "cacheCreationInputTokens")
            assert took.input_tokens == sum(model[key] for model in models for key in keys), path
            assert took.output_tokens == sum(model["outputTokens"] for model in models), path
            assert took.cost_usd == results[-1]["total_cost_usd"], path
            assert trace.spans[0].status == ("error" if results[-1]["is_error"] else "ok"), path


def test_a_stream_and_the_transcripts_of_the_same_run_agree(real_data: Path) -> None:
    for path in files(real_data / "traces" / "claude_code_current", "*/*/stream.jsonl"):
        [stream] = ClaudeCodeStreamFormat().read(path)
        [transcript] = next(path.parent.glob("projects/*/*.jsonl")).parent.glob("*.jsonl")
        [session] = ClaudeCodeSessionFormat().read(transcript)
        assert understood(stream)[:5] == understood(session)[:5], path
        assert resources_of(stream).output_tokens == resources_of(session).output_tokens, path
        assert [span.to_agent_id for span in stream.spans if span.is_delegation] == [
            span.to_agent_id for span in session.spans if span.is_delegation
        ]


@pytest.mark.parametrize("folder", ["claude-code-session", "claude-code-stream-json", "claude_code_current"])
def test_each_file_is_claimed_by_its_own_reader_alone(real_data: Path, folder: str) -> None:
    for path in files(real_data / "traces" / folder, "**/*.json*"):
        with path.open("rb") as file:
            head = file.read(65536)
        is_stream = "stream" in path.parent.name + path.name or path.parent.parent.name == "claude-code-stream-json"
        is_result = path.name == "result.json"
        is_ours = path.name != "stub_requests.jsonl" and not path.name.endswith(".meta.json")
        claimed = (ClaudeCodeStreamFormat().recognises(path, head), ClaudeCodeSessionFormat().recognises(path, head))
        assert claimed == (is_stream or is_result, is_ours and not is_stream and not is_result), path


def test_no_other_format_is_claimed(real_data: Path) -> None:
    for path in files(real_data / "traces", "**/*.json*"):
        if not path.is_relative_to(real_data / "traces" / "otel-claude-code") and "claude" in str(
            path.relative_to(real_data)
        ):
            continue
        with path.open("rb") as file:
            head = file.read(65536)
        assert not ClaudeCodeStreamFormat().recognises(path, head), path
        assert not ClaudeCodeSessionFormat().recognises(path, head), path
