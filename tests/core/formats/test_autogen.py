import json
from collections import Counter
from pathlib import Path
from typing import Any

from agents_eval_core.formats.autogen import AutoGenFormat
from agents_eval_core.trace import Trace


def read(value: Any) -> Trace:
    path = Path("chat.json")
    path.write_text(json.dumps(value))
    assert AutoGenFormat().recognises(path, path.read_bytes())
    (trace,) = AutoGenFormat().read(path)
    return trace


def says(name: str, text: str) -> dict[str, Any]:
    return {"name": name, "role": "user", "content": text}


def test_every_entry_of_all_real_conversations_is_a_message_or_an_execution(real_data: Path) -> None:
    files = sorted((real_data / "traces/mast-ag2").glob("*/*.json"))
    assert len(files) == 378
    expected, found = Counter[str](), Counter[str]()
    for path in files:
        run = json.loads(path.read_bytes())
        expected += independent_count(run)
        (trace,) = AutoGenFormat().read(path)
        assert AutoGenFormat().recognises(path, path.read_bytes()[:65536])
        assert trace.outcome is not None
        assert trace.outcome.success == run["other_data"]["correct"]
        assert trace.group_id == run["instance_id"]
        assert trace.unread == {}
        found += Counter(span.operation for span in trace.spans if span.operation != "invoke_workflow")
        found["failed"] += sum(span.status == "error" for span in trace.spans)
        found["agents"] += len(trace.agents)
    assert found == expected


def independent_count(run: Any) -> Counter[str]:
    counts, before = Counter[str](), ""
    for place, entry in enumerate(run["trajectory"]):
        text = "\n".join(entry["content"])
        by_proxy = entry["name"] == "mathproxyagent" and place > 0 and not text.startswith("Continue.")
        if text.startswith("exitcode: ") or (by_proxy and "```" in before):
            counts["execute_tool"] += 1
            bad = ("exitcode: 1", "Error: ", "No output found. Make sure", "Your requested query response is too long")
            counts["failed"] += text.startswith(bad)
        else:
            counts["message"] += 1
        before = text
    counts["agents"] += len({entry["name"] for entry in run["trajectory"]})
    return counts


def test_annotated_runs_carry_their_labels_and_unfilled_forms_do_not(real_data: Path) -> None:
    folder = real_data / "traces/mast-ag2"
    annotated = list((folder / "annotated").glob("*.json"))
    unfilled = list((folder / "trajs_gpt-4_impr_prompt_impr_topology_42").glob("*.json"))
    assert annotated
    assert unfilled
    for path in annotated:
        (trace,) = AutoGenFormat().read(path)
        assert sum(label.by == "MAST annotators" for label in trace.annotations) >= 22
    for path in unfilled:
        (trace,) = AutoGenFormat().read(path)
        assert not any(label.by for label in trace.annotations)


def test_output_belongs_to_whoever_wrote_the_code_whatever_name_it_is_spoken_under() -> None:
    code = "```python\nprint(1)\n```"
    trace = read(
        [says("planner", "Do it."), says("coder", code), says("critic", "exitcode: 0 (execution succeeded)\n1")]
    )
    (call,) = [span for span in trace.spans if span.tool]
    assert (call.agent_id, call.attributes["spoken_by"]) == ("coder", "critic")
    assert call.source_span_ids == ("1", "2")


def test_code_that_nobody_runs_is_no_call() -> None:
    trace = read([says("coder", "```python\nprint(1)\n```"), says("critic", "Looks good.")])
    assert not any(span.tool for span in trace.spans)


def test_messages_of_two_are_to_each_other_and_in_a_group_to_nobody() -> None:
    pair = read([says("a", "hello"), says("b", "hello")])
    group = read([says("a", "hello"), says("b", "hello"), says("c", "hello")])
    assert [span.to_agent_id for span in pair.spans[1:]] == ["b", "a"]
    assert [span.to_agent_id for span in group.spans[1:]] == [None, None, None]


def test_tool_calls_of_a_chat_history_get_their_responses() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "add", "arguments": '{"a": 1}'}}
    response = {"tool_call_id": "c", "role": "tool", "content": "Error: no b"}
    trace = read(
        [
            says("user_proxy", "add"),
            {"name": "coder", "role": "assistant", "content": "", "tool_calls": [call]},
            {"name": "user_proxy", "role": "tool", "content": "Error: no b", "tool_responses": [response]},
        ]
    )
    (span,) = [span for span in trace.spans if span.tool]
    assert (span.agent_id, span.status, span.status_source) == ("coder", "error", "inferred")
    assert [agent.role for agent in trace.agents] == ["user", "worker"]


def test_a_handoff_without_a_call_and_a_chosen_speaker_are_delegations() -> None:
    trace = read(
        {
            "messages": [
                {"type": "TextMessage", "source": "user", "content": "Go", "models_usage": None},
                {"type": "SelectSpeakerEvent", "source": "SelectorGroupChatManager", "content": ["desk"]},
                {"type": "HandoffMessage", "source": "desk", "target": "flights", "content": "Yours."},
                {
                    "type": "CodeExecutionEvent",
                    "source": "flights",
                    "result": {"exit_code": 1, "output": "KeyError: 1"},
                },
            ],
            "stop_reason": None,
        }
    )
    given = [(span.operation, span.agent_id, span.to_agent_id) for span in trace.spans if span.is_delegation]
    assert given == [("handoff", "SelectorGroupChatManager", "desk"), ("handoff", "desk", "flights")]
    assert (trace.spans[-1].status, trace.spans[-1].status_source, trace.spans[-1].error_type) == (
        "error",
        "declared",
        "KeyError",
    )
    assert trace.agent_by_id["SelectorGroupChatManager"].role == "orchestrator"
