import json
from collections import Counter
from pathlib import Path
from typing import Any

from agents_eval_core.formats.who_and_when import WhoAndWhenFormat
from agents_eval_core.trace import Trace


def traces_of(folder: Path) -> list[tuple[Any, Trace]]:
    found: list[tuple[Any, Trace]] = []
    for path in sorted(folder.glob("*.json")):
        assert WhoAndWhenFormat().recognises(path, path.read_bytes()[:65536])
        (trace,) = WhoAndWhenFormat().read(path)
        found.append((json.loads(path.read_bytes()), trace))
    assert found, f"there is no file of JSON in {folder}"
    return found


def test_every_entry_of_magentic_one_is_one_span_and_every_instruction_one_delegation(real_data: Path) -> None:
    found = traces_of(real_data / "traces/who-and-when/Hand-Crafted")
    assert len(found) == 35
    for run, trace in found:
        roles = Counter("->" in entry["role"] for entry in run["history"])
        assert len(trace.spans) == len(run["history"]) + 1
        assert sum(span.is_delegation for span in trace.spans) == roles[True]
        speakers = {entry["role"].partition(" (")[0] for entry in run["history"]}
        addressees = {
            entry["role"].partition("-> ")[2].rstrip(")") for entry in run["history"] if "->" in entry["role"]
        }
        assert {agent.name for agent in trace.agents} == speakers | addressees
    assert sum(span.is_delegation for _, trace in found for span in trace.spans) == 403
    plans = [span for _, trace in found for span in trace.spans if span.operation == "plan"]
    assert sum((span.text or "").startswith("Updated Ledger") for span in plans) == 443
    assert Counter(span.text is not None for _, trace in found for span in trace.spans if span.operation == "message")


def test_executions_of_the_named_half_are_the_terminals_outputs(real_data: Path) -> None:
    found = traces_of(real_data / "traces/who-and-when/Algorithm-Generated")
    assert len(found) == 78
    entries = [entry for run, _ in found for entry in run["history"]]
    calls = [span for _, trace in found for span in trace.spans if span.tool]
    assert len(calls) == sum(entry["content"].startswith("exitcode: ") for entry in entries) == 137
    failed = sum(entry["content"].startswith(("exitcode: 1", "exitcode: 6")) for entry in entries)
    assert sum(span.status == "error" for span in calls) == failed
    assert sum(len(trace.spans) - 1 for _, trace in found) == len(entries)


def test_the_failing_step_points_to_its_span_and_no_label_is_in_the_spans(real_data: Path) -> None:
    for half in ("Hand-Crafted", "Algorithm-Generated"):
        for run, trace in traces_of(real_data / "traces/who-and-when" / half):
            labels = {label.name: label for label in trace.annotations}
            step = labels["mistake_step"]
            assert step.value == int(run["mistake_step"])
            assert trace.span_by_id[step.span_id or ""].id == run["mistake_step"]
            assert labels["mistake_agent"].value == run["mistake_agent"]
            assert trace.outcome is not None
            assert trace.outcome.success is False
            assert all(run["mistake_reason"] not in (span.text or "") for span in trace.spans)


def test_magentic_ones_own_log_is_read_with_times_actions_and_tokens() -> None:
    lines: list[dict[str, Any]] = [
        {"type": "OrchestrationEvent", "source": "human", "message": "Go"},
        {"type": "LLMCallEvent", "prompt_tokens": 9, "completion_tokens": 2},
        {"type": "OrchestrationEvent", "source": "Orchestrator (-> WebSurfer)", "message": "Look"},
        {"type": "WebSurferEvent", "source": "WebSurfer", "url": "u", "action": "click", "arguments": {"at": 1}},
        {"type": "AgentEvent", "source": "WebSurfer", "message": "Nothing"},
    ]
    for second, line in enumerate(lines):
        line["timestamp"] = f"2025-01-01T10:00:0{second}"
    path = Path("log.jsonl")
    path.write_text("\n".join(json.dumps(line) for line in lines))
    assert WhoAndWhenFormat().recognises(path, path.read_bytes())
    (trace,) = WhoAndWhenFormat().read(path)
    assert [span.operation for span in trace.spans[1:]] == ["message", "chat", "handoff", "execute_tool", "message"]
    assert trace.elapsed_seconds == 4
    assert trace.spans[4].status == "unknown"
    assert trace.spans[2].usage is not None
    assert trace.spans[2].usage.input_tokens == 9
