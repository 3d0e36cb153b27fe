"""The trace format `mast`: the data sets of MAST, except for AG2's conversations, which `autogen` reads.

Read are runs whose trajectory is the log of HyperAgent, ChatDev or MetaGPT, runs of multi-agent peer review (an object
that gives each agent its own list of messages), and collections of runs with `mas_name`, `trace` and
`mast_annotation`. In peer review the agents answer in rounds, so the messages are ordered by their places; what an
agent is shown of the others is quoted in its prompts, which come from the user. A trajectory without known speakers is
one `other` span and is counted in `unread`.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

from agents_eval_core.formats.building.trace_log import TraceLog
from agents_eval_core.formats.chat.content_parts import text_of
from agents_eval_core.formats.json_text.json_file import JsonFile
from agents_eval_core.formats.json_text.json_format import JsonFormat
from agents_eval_core.formats.json_text.json_sketch import Sketch
from agents_eval_core.formats.json_text.json_values import as_list, as_record, as_text
from agents_eval_core.formats.speakers import mast_labels
from agents_eval_core.formats.speakers.hyperagent import HyperAgentLog, is_hyperagent
from agents_eval_core.formats.speakers.team_logs import team_log
from agents_eval_core.trace import Annotation, Trace

NAME: Final = "mast"
KNOWN: Final = ("instance_id", "trajectory", "problem_statement", "other_data", "note")
COLLECTED: Final = ("trace", "trace_id")


def _is_known(seen: Sketch) -> bool:
    """Whether a file has MAST's fields and a trajectory that is no list of messages.

    >>> from pathlib import Path
    >>> log = b'"trajectory": ["HyperAgent_x - INFO - Initialized tools"'
    >>> MastFormat().recognises(Path("any"), b'{"instance_id": "x", "problem_statement": [], ' + log)
    True
    """
    run = as_record(seen.first)
    if "mas_name" in run and "trace" in run:
        return True
    trajectory = run.get("trajectory")
    is_listed = isinstance(trajectory, list) and any(not isinstance(line, str) for line in as_list(trajectory))
    return not is_listed and mast_labels.is_mast_run(run)


def _traces(_: Any, values: Iterator[Any], file: JsonFile) -> Iterator[Trace]:
    for number, value in enumerate(values):
        run = as_record(value)
        trace = as_record(run.get("trace")) or {"trajectory": run.get("trace")}
        if "trajectory" in run:
            yield _trace(run, file, number)
        elif isinstance(trace.get("trajectory"), str | list | dict):
            yield _trace({**run, **trace}, file, number)
        else:
            file.miss("entry without trajectory", f"entry {number}")


def _trace(run: Mapping[str, Any], file: JsonFile, number: int) -> Trace:
    log = _heard(run["trajectory"], file.longest_text)
    task = as_text(run.get("instance_id"))
    return log.trace(
        file.trace_id(task or _collected_id(run), number),
        file.source(NAME),
        task_id=task,
        outcome=mast_labels.outcome(run),
        annotations=[*mast_labels.annotations(run), *_others(run, log)],
    )


def _collected_id(run: Mapping[str, Any]) -> str | None:
    parts = [run.get(key) for key in ("mas_name", "benchmark_name", "trace_id")]
    return "-".join(str(part) for part in parts if isinstance(part, int | str)) or None


def _others(run: Mapping[str, Any], log: TraceLog) -> Iterator[Annotation]:
    for mode, value in as_record(run.get("mast_annotation")).items():
        yield log.annotation(mode, bool(value) if value in (0, 1) else value, by=mast_labels.ANNOTATORS)
    known = (*KNOWN, *COLLECTED, "mast_annotation")
    yield from (log.annotation(key, value) for key, value in run.items() if key not in known)


def _heard(trajectory: Any, longest_text: int | None) -> TraceLog:
    if isinstance(trajectory, dict):
        return _peer_review(as_record(trajectory), longest_text)
    lines = trajectory.splitlines() if isinstance(trajectory, str) else as_list(trajectory)
    texts = [line for line in lines if isinstance(line, str)]
    if is_hyperagent(texts):
        log = HyperAgentLog(longest_text)
        log.read(texts)
        return log
    whole = "\n".join(texts)
    team = team_log(whole, longest_text)
    if team is not None:
        return team
    log = TraceLog(longest_text)
    if texts:
        log.miss("trajectory without known speakers")
        log.add("other", "log", text=whole)
    return log


def _peer_review(lists: Mapping[str, Any], longest_text: int | None) -> TraceLog:
    log = TraceLog(longest_text)
    log.add("invoke_workflow", "invoke_workflow peer review", id="root", status="unknown")
    for name in lists:
        agent_id = log.agent(f"agent {name}", key=name)
        log.add(
            "invoke_agent",
            f"invoke_agent {agent_id}",
            id=agent_id,
            parent_id="root",
            agent_id=agent_id,
            status="unknown",
        )
    rounds = max((len(as_list(messages)) for messages in lists.values()), default=0)
    for place in range(rounds):
        for name, messages in lists.items():
            if place < len(as_list(messages)):
                _take_turn(log, as_record(as_list(messages)[place]), name, f"{name}.{place}")
    return log


def _take_turn(log: TraceLog, message: Mapping[str, Any], name: str, source_id: str) -> None:
    agent_id, role = log.agent(f"agent {name}", key=name), message.get("role")
    about: dict[str, Any] = {"id": source_id, "parent_id": agent_id, "source_ids": [source_id]}
    text = text_of(message.get("content"))
    if role == "assistant":
        log.add("chat", f"chat {agent_id}", agent_id=agent_id, text=text, **about)
    elif role in ("user", "system"):
        user = log.agent("user", "user", key=" user")
        log.add("message", str(role), agent_id=user, to_agent_id=agent_id, text=text, **about)
    else:
        log.miss(f"message with role {role}")


MastFormat: Final = partial(JsonFormat, name=NAME, holds="run of MAST", is_known=_is_known, traces=_traces)
