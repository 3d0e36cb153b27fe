"""All real files of the OpenTelemetry family: totals counted here with plain JSON are those of the readers."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from agents_eval_core.errors import UnreadableError
from agents_eval_core.formats.otel_dump import OtelDumpFormat
from agents_eval_core.formats.otlp import OtlpFormat
from agents_eval_core.trace import Trace
from agents_eval_core.trace_source import recognised

Json: TypeAlias = dict[str, Any]
LISTS = ("otel-pydantic-ai-logfire", "otel-openai-agents-logfire", "otel-claude-agent-sdk-logfire")


def traces_of(path: Path) -> list[Trace]:
    found = recognised(path)
    assert isinstance(found, OtlpFormat | OtelDumpFormat), found.name
    return list(found.read(path))


def tally(traces: list[Trace]) -> Counter[str]:
    """Count chats, tool calls, failed calls, invocations, hand-offs and tokens."""
    counts = Counter[str]()
    for span in (span for trace in traces for span in trace.spans):
        counts[span.operation] += 1
        counts["failed"] += span.operation == "execute_tool" and span.status == "error"
        if span.operation == "chat" and span.usage is not None and span.usage.scope == "self":
            counts["in"] += span.usage.input_tokens or 0
            counts["out"] += span.usage.output_tokens or 0
    return counts


def assert_equal(counts: Counter[str], expected: Json) -> None:
    assert {name: counts[name] for name in expected} == expected


def files(real_data: Path, *folders: str, pattern: str = "*.json") -> list[Path]:
    found = [path for folder in folders for path in sorted((real_data / "traces" / folder).rglob(pattern))]
    assert found
    return found


def test_logfires_snapshots(real_data: Path) -> None:
    for path in files(real_data, *LISTS):
        records: list[Json] = json.loads(path.read_bytes())
        about = [record["attributes"] for record in records]
        operations = Counter(each.get("gen_ai.operation.name") for each in about)
        names = Counter(record["name"].partition(":")[0] for record in records)
        chats = [each for each in about if "gen_ai.usage.input_tokens" in each and "num_turns" not in each]
        chat_names = operations["chat"] + names["Chat completion with {gen_ai.request.model!r}"]
        wrappers = sum(each.get("gen_ai.request.model") == "mcp-sampling" for each in about)
        counts = tally(traces_of(path))
        assert_equal(
            counts,
            {
                "chat": chat_names - wrappers,
                "execute_tool": operations["execute_tool"] + names["Function"],
                "invoke_agent": operations["invoke_agent"] + names["Agent run"],
                "handoff": names["Handoff"],
                "failed": sum(names["Function"] > 0 and "events" in record for record in records),
                "in": sum(each["gen_ai.usage.input_tokens"] for each in chats),
                "out": sum(each["gen_ai.usage.output_tokens"] for each in chats),
            },
        )
        assert (
            sum(counts[name] for name in ("chat", "execute_tool", "invoke_agent", "handoff", "other"))
            == len(records) - names["OpenAI Agents trace"]
        )


def test_agents_of_one_name_within_one_another_stay_apart(real_data: Path) -> None:
    (path,) = files(real_data, "otel-pydantic-ai-logfire")
    _, trace = traces_of(path)
    assert {agent.id: agent.role for agent in trace.agents} == {"agent": "orchestrator", "agent#2": "worker"}
    assert [span.to_agent_id for span in trace.spans if span.is_delegation] == ["agent#2"]


def test_the_total_of_an_agent_whose_requests_are_unfinished_is_its_subtrees(real_data: Path) -> None:
    for path in files(real_data, "otel-claude-agent-sdk-logfire"):
        (root,) = [one for one in json.loads(path.read_bytes()) if one["parent"] is None]
        (trace,) = traces_of(path)
        used = [span.usage for span in trace.spans if span.usage is not None]
        assert [(usage.scope, usage.input_tokens, usage.output_tokens) for usage in used] == [
            (
                "subtree",
                root["attributes"]["gen_ai.usage.input_tokens"],
                root["attributes"]["gen_ai.usage.output_tokens"],
            )
        ]


def test_any_agent(real_data: Path) -> None:
    for path in files(real_data, "otel-genai-any-agent"):
        records: list[Json] = json.loads(path.read_bytes())["spans"]
        about = [record["attributes"] for record in records]
        operations = Counter(each["gen_ai.operation.name"] for each in about)
        (trace,) = traces_of(path)
        assert_equal(
            tally([trace]),
            {
                "chat": operations["call_llm"],
                "execute_tool": operations["execute_tool"],
                "failed": 0,
                "in": sum(each.get("gen_ai.usage.input_tokens", 0) for each in about),
                "out": sum(each.get("gen_ai.usage.output_tokens", 0) for each in about),
            },
        )
        cost = sum(each.get(f"gen_ai.usage.{side}_cost", 0) for each in about for side in ("input", "output"))
        read = sum((span.usage.cost_usd or 0) for span in trace.spans if span.usage)
        assert read == pytest.approx(cost)
        assert trace.spans[0].operation == "invoke_agent"
        assert all(span.tool.result and span.tool.arguments for span in trace.spans if span.tool)


def test_phoenix(real_data: Path) -> None:
    for path in files(real_data, "openinference-phoenix"):
        records: list[Json] = json.loads(path.read_bytes())
        kinds = Counter(record["span_kind"] for record in records)
        prompts = [record["attributes"].get("llm.token_count.prompt", 0) for record in records]
        answers = [record["attributes"].get("llm.token_count.completion", 0) for record in records]
        errors = sum(record["span_kind"] == "TOOL" and record["status_code"] == "ERROR" for record in records)
        (trace,) = traces_of(path)
        assert_equal(
            tally([trace]),
            {
                "chat": kinds["LLM"],
                "execute_tool": kinds["TOOL"],
                "invoke_agent": kinds["AGENT"],
                "failed": errors,
                "in": sum(prompts),
                "out": sum(answers),
            },
        )
        assert len(trace.agents) == kinds["AGENT"]
        assert sum(span.is_delegation for span in trace.spans) == kinds["AGENT"] - 1


def nested(record: Json, above: tuple[Json, ...] = ()) -> Iterator[tuple[Json, tuple[Json, ...]]]:
    yield record, above
    for child in record["child_spans"]:
        yield from nested(child, (*above, record))


def kind(record: Json) -> str | None:
    return record["span_attributes"].get("openinference.span.kind")


def test_trail(real_data: Path) -> None:
    seen = 0
    for path in files(real_data, "openinference-trail/GAIA", "openinference-trail/SWE_Bench"):
        document = json.loads(path.read_bytes())
        records = [one for root in document["spans"] for one in nested(root)]
        chats = [record["span_attributes"] for record, _ in records if kind(record) == "LLM"]
        (trace,) = traces_of(path)
        assert len(trace.spans) == len(records)
        assert_equal(
            tally([trace]),
            {
                "chat": len(chats),
                "execute_tool": sum(kind(record) == "TOOL" for record, _ in records),
                "invoke_agent": sum(kind(record) == "AGENT" for record, _ in records),
                "failed": sum(kind(record) == "TOOL" and record["status_code"] == "Error" for record, _ in records),
                "in": sum(int(about["llm.token_count.prompt"]) for about in chats),
                "out": sum(int(about["llm.token_count.completion"]) for about in chats),
            },
        )
        managed = [1 for record, above in records if kind(record) == "AGENT" and any(kind(a) == "AGENT" for a in above)]
        assert [span.to_agent_id for span in trace.spans if span.is_delegation] == ["search_agent"] * len(managed)
        seen += 1
    assert seen == 31


def test_trails_labels_are_annotations_of_the_right_spans(real_data: Path) -> None:
    folder = real_data / "traces" / "openinference-trail"
    found = Counter[str]()
    for path in files(real_data, "openinference-trail/GAIA", "openinference-trail/SWE_Bench"):
        (labels,) = folder.glob(f"annotations_*/{path.name}")
        told = json.loads(labels.read_bytes())
        (trace,) = traces_of(path)
        errors = [label for label in trace.annotations if label.name == "error"]
        assert len(errors) == len(told["errors"])
        found["errors"] += len(errors)
        found["located"] += sum(label.span_id in trace.span_by_id for label in errors)
        found["answers"] += sum(label.name == "true_answer" for label in trace.annotations)
        assert "true_answer" not in repr(trace.spans)
    assert found["answers"] == 26
    assert found["located"] > 0.95 * found["errors"]


def wire_spans(path: Path) -> list[tuple[Json, Json]]:
    requests = [json.loads(line) for line in path.read_text().splitlines()]
    entries = [entry for request in requests for entry in request["resourceSpans"]]
    spans = [span for entry in entries for group in entry["scopeSpans"] for span in group["spans"]]
    return [
        (span, {pair["key"]: next(iter(pair["value"].values()), None) for pair in span["attributes"]}) for span in spans
    ]


def test_claude_codes_telemetry(real_data: Path) -> None:
    for path in files(real_data, "otel-claude-code", pattern="traces.jsonl"):
        records = wire_spans(path)
        kinds = Counter(about["span.type"] for _, about in records)
        inputs = ("input_tokens", "cache_read_tokens", "cache_creation_tokens")
        delegations = sum("subagent_type" in about for _, about in records)
        failed = sum(about["span.type"] == "tool.execution" and not about["success"] for _, about in records)
        denied = sum(about.get("decision") == "reject" for _, about in records)
        (trace,) = traces_of(path)
        assert_equal(
            tally([trace]),
            {
                "chat": kinds["llm_request"],
                "execute_tool": kinds["tool"],
                "invoke_agent": kinds["interaction"] + delegations,
                "failed": failed + denied,
                "in": sum(int(about.get(name, 0)) for _, about in records for name in inputs),
                "out": sum(int(about.get("output_tokens", 0)) for _, about in records),
                "other": 0,
            },
        )
        assert sum(span.is_delegation for span in trace.spans) == delegations
        assert len(trace.agents) == 1 + delegations
        assert {one for span in trace.spans for one in span.source_span_ids} == {span["spanId"] for span, _ in records}
        assert trace.unread == {}


def test_claude_codes_events_tell_the_same_as_its_spans(real_data: Path) -> None:
    for path in files(real_data, "otel-claude-code", pattern="traces.jsonl"):
        (told,) = traces_of(path.with_name("logs.jsonl"))
        (seen,) = traces_of(path)
        names = ("chat", "execute_tool", "failed", "in", "out")
        assert_equal(tally([told]), {name: tally([seen])[name] for name in names})
        calls = [{span.tool.call_id for span in trace.spans if span.tool} for trace in (told, seen)]
        assert calls[0] == calls[1]
        delegations = [[span.to_agent_id for span in trace.spans if span.is_delegation] for trace in (told, seen)]
        assert delegations[0] == delegations[1]
        assert told.unread == {}


def test_claude_codes_events_have_the_costs(real_data: Path) -> None:
    for path in files(real_data, "otel-claude-code", pattern="logs.jsonl"):
        costs = re.findall(r'"cost_usd","value":\{"doubleValue":([0-9.e-]+)\}', path.read_text())
        (trace,) = traces_of(path)
        read = [span.usage.cost_usd for span in trace.spans if span.usage and span.usage.cost_usd is not None]
        assert costs
        assert sorted(read) == sorted(float(cost) for cost in costs)


def test_a_file_of_metrics_holds_no_trace(real_data: Path) -> None:
    for path in files(real_data, "otel-claude-code", pattern="metrics.jsonl"):
        with pytest.raises(
            UnreadableError,
            match=r"metrics\.jsonl holds metrics, which tell of sums and not of steps; give the file with",
        ):
            traces_of(path)
