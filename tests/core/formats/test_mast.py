import json
import re
from collections import Counter
from pathlib import Path

from agents_eval_core.formats.mast import MastFormat
from agents_eval_core.trace import Trace

ENTRY = re.compile(r"HyperAgent_\S+ - INFO - (.*)")


def test_every_entry_of_all_real_logs_is_read(real_data: Path) -> None:
    files = sorted((real_data / "traces/mast-hyperagent").glob("*.json"))
    assert len(files) == 16
    found, expected = Counter[str](), Counter[str]()
    for path in files:
        expected += independent_count(json.loads(path.read_bytes())["trajectory"])
        assert MastFormat().recognises(path, path.read_bytes()[:65536])
        (trace,) = MastFormat().read(path)
        found += Counter(span.operation for span in trace.spans if span.operation != "invoke_workflow")
        assert {agent.name for agent in trace.agents} <= {"Planner", "Navigator", "Editor", "Executor"}
        assert trace.unread == {}
        assert any(label.by == "MAST annotators" for label in trace.annotations)
    assert found == expected


def independent_count(lines: list[str]) -> Counter[str]:
    joined = "\n".join(lines)
    entries = re.split(r"(?m)^(?=HyperAgent_\S+ - INFO - )", joined)[1:]
    counts = Counter[str]()
    for entry in entries:
        said = entry.partition(" - INFO - ")[2]
        if "'s Response:" in said[:60]:
            counts["chat"] += 1
            is_planner = said.startswith("Planner")
            counts["handoff"] += is_planner and "\nIntern Name:" in said
            counts["execute_tool"] += not is_planner and re.search(r"\nAction:\s*```", said) is not None
        else:
            counts["message" if "->Planner:" in said[:40] else "other"] += 1
    return counts


def test_every_turn_of_peer_review_is_read_in_rounds(real_data: Path) -> None:
    files = sorted((real_data / "traces/mast-peer-review").glob("*.json"))
    assert len(files) == 3
    for path in files:
        lists = json.loads(path.read_bytes())["trajectory"]
        assert MastFormat().recognises(path, path.read_bytes()[:65536])
        (trace,) = MastFormat().read(path)
        turns = [span for span in trace.spans if span.operation in ("chat", "message")]
        assert len(turns) == sum(len(messages) for messages in lists.values())
        assert [span.id for span in turns[:3]] == ["0.0", "1.0", "2.0"]
        assert [agent.name for agent in trace.agents if agent.role == "worker"] == ["agent 0", "agent 1", "agent 2"]


def test_a_collection_gives_each_run_with_its_annotations() -> None:
    log = "HyperAgent_x-1 - INFO - Planner's Response: Done."
    runs = [
        {
            "mas_name": "HyperAgent",
            "trace_id": 0,
            "trace": {"trajectory": log},
            "mast_annotation": {"1.1": 1, "1.2": 0},
        },
        {"mas_name": "ChatDev", "trace_id": 0, "trace": {"trajectory": "[2024] text"}, "mast_annotation": {}},
    ]
    path = Path("mad.json")
    path.write_text(json.dumps(runs))
    assert MastFormat().recognises(path, path.read_bytes())
    known, unknown = MastFormat().read(path)
    assert [(label.name, label.value) for label in known.annotations[:2]] == [("1.1", True), ("1.2", False)]
    assert unknown.unread == {"trajectory without known speakers": 1}
    assert unknown.spans[0].text == "[2024] text"


def read_one(mas_name: str, log: str) -> Trace:
    path = Path("mad.json")
    path.write_text(json.dumps([{"mas_name": mas_name, "trace_id": 1, "trace": log, "annotations": []}]))
    assert MastFormat().recognises(path, path.read_bytes())
    (trace,) = MastFormat().read(path)
    return trace


def test_a_log_of_chatdev_gives_messages_between_roles_and_the_tokens_of_its_calls() -> None:
    trace = read_one(
        "ChatDev",
        "[2025-17-01 11:36:43 INFO] **[Preprocessing]**\n\n**task_prompt**: A clock.\n"
        "[2025-17-01 11:36:44 INFO] HTTP Request: POST somewhere\n"
        "[2025-17-01 11:36:45 INFO] Director: **[Start Chat]**\n\n[You are Maker.]\n\nWhich kind of clock?\n"
        "[2025-17-01 11:36:46 INFO] **[OpenAI_Usage_Info Receive]**\nprompt_tokens: 42\ncompletion_tokens: 7\n"
        "[2025-17-01 11:36:47 INFO] Maker: **Maker<->Director on : Demand, turn 0**\n\n"
        "[You are Director.]\n\nA sundial.\n",
    )
    assert [(span.operation, span.agent_id, span.to_agent_id, span.text) for span in trace.spans[1:]] == [
        ("other", None, None, "**task_prompt**: A clock."),
        ("message", "Director", None, "Which kind of clock?"),
        ("chat", None, None, None),
        ("message", "Maker", "Director", "A sundial."),
    ]
    usage = trace.spans[3].usage
    assert usage is not None
    assert (usage.input_tokens, usage.output_tokens) == (42, 7)
    assert trace.unread == {"line of the program's own log": 1}
    assert trace.clock == "none"


def test_a_log_of_metagpt_gives_the_messages_of_its_blocks() -> None:
    rule = "-" * 80
    trace = read_one(
        "MetaGPT",
        "=== MetaGPT Agent Communication Log - Started at 2025-03-31 12:53:42 ===\n\n"
        "[2025-03-31 12:53:42] FROM: Human TO: {'<all>'}\nACTION: metagpt.actions.Requirement\nCONTENT:\nA clock.\n"
        f"{rule}\n\n[2025-03-31 12:54:14] NEW MESSAGES:\n\nCoder: \ntick()\n{rule}\n",
    )
    assert [(span.operation, span.agent_id, span.text) for span in trace.spans[1:]] == [
        ("message", "Human", "A clock."),
        ("message", "Coder", "tick()"),
    ]
    assert [agent.role for agent in trace.agents] == ["user", "worker"]
