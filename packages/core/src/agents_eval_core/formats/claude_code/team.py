"""What a team of Claude Code agents leaves behind: its members, their inboxes and the tasks they shared."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from agents_eval_core.formats.claude_code.cast import DistinctIds
from agents_eval_core.formats.claude_code.export_files import ExportFiles, named_text, time_of
from agents_eval_core.formats.claude_code.texts import TextLimit
from agents_eval_core.formats.json_text.json_values import as_list, as_record, parsed
from agents_eval_core.trace import Agent, Source, Span, Status, Trace

CONFIG: Final = "config.json"
LEAD: Final = "team-lead"
STATUS: Final[dict[str, Status]] = {"completed": "ok", "done": "ok", "failed": "error", "cancelled": "error"}
USED: Final = ("from", "to", "text", "content", "timestamp")


def trace_of_team(files: ExportFiles, limit: TextLimit, format_name: str) -> Trace:
    """Return the trace of a team: its hand-offs and messages, by time; what has no time comes last."""
    config = files.record(CONFIG)
    team = named_text(config, "team_name", "name") or files.folder.name
    people = _People(config)
    ids = DistinctIds(team)
    work = _Work(files, people, limit, team)
    timed = sorted(work.spans(), key=_when)
    spans = [replace(span, id=ids.own(span.id), seq=seq) for seq, span in enumerate(timed, start=1)]
    times = [moment for span in spans for moment in (span.started_at, span.ended_at) if moment is not None]
    about = {key: value for key, value in config.items() if key != "members"}
    root = Span(
        id=team,
        seq=0,
        operation="invoke_workflow",
        name="claude_code team",
        started_at=min(times, default=None),
        ended_at=max(times, default=None),
        attributes=about,
    )
    return Trace(
        id=team,
        source=Source(format=format_name, path=str(files.folder), digest=files.digest),
        spans=(root, *spans),
        agents=people.agents(),
        clock="wall" if times else "none",
        unread=dict(files.unread),
    )


class _People:
    """The members of a team, by id, name and whatever else they are called."""

    def __init__(self, config: dict[str, Any]) -> None:
        self._agents: dict[str, Agent] = {}
        self._by_name: dict[str, str] = {}
        self._lead_name = named_text(config, "leadAgentId") or LEAD
        for member in as_list(config.get("members")):
            about = as_record(member) or {"name": member}
            name = named_text(about, "name", "agentId")
            if name is not None:
                self._join(named_text(about, "agentId", "agent_id") or name, name)
        self.lead = self.find(self._lead_name)

    def find(self, name: str) -> str:
        """Return the id of whoever is called so; somebody unknown joins."""
        if name not in self._by_name:
            self._join(name, name.partition("@")[0] or name)
        return self._by_name[name]

    def agents(self) -> tuple[Agent, ...]:
        """Return the members, the lead in charge."""
        return tuple(self._agents.values())

    def _join(self, agent_id: str, name: str) -> None:
        if agent_id in self._agents:
            return
        in_charge = self._lead_name in (agent_id, name) or self._lead_name.partition("@")[0] == name
        self._agents[agent_id] = Agent(id=agent_id, name=name, role="orchestrator" if in_charge else "worker")
        for called in (agent_id, name, agent_id.partition("@")[0]):
            self._by_name.setdefault(called, agent_id)


class _Work:
    """The tasks and messages of a team as spans."""

    def __init__(self, files: ExportFiles, people: _People, limit: TextLimit, team: str) -> None:
        self._files = files
        self._people = people
        self._limit = limit
        self._team = team
        self._assigned: dict[tuple[str, str], tuple[str, datetime | None]] = {}
        self._tasks: dict[str, dict[str, Any]] = {}

    def spans(self) -> Iterator[Span]:
        """Yield messages, then tasks: a message that assigns a task tells of the task who assigned it and when."""
        for path, tasks in self._files.each(self._task_folder()):
            for task in tasks:
                self._tasks[named_text(task, "id") or path.stem] = task
        for path, messages in self._files.each(self._files.folder / "inboxes"):
            for number, message in enumerate(messages, start=1):
                receiver = self._people.find(named_text(message, "to") or path.stem)
                span = self._message(message, receiver, f"{path.stem}:{number}")
                if span is not None:
                    yield span
        for task_id, task in self._tasks.items():
            yield self._task(task_id, task)

    def _task_folder(self) -> Path:
        own = self._files.folder / "tasks"
        return own if own.is_dir() else self._files.folder.parent.parent / "tasks" / self._files.folder.name

    def _message(self, message: dict[str, Any], receiver: str, place: str) -> Span | None:
        sender = self._people.find(named_text(message, "from") or "?")
        text = named_text(message, "text", "content")
        at = time_of(message.get("timestamp"))
        order = _order_in(text)
        task_id = named_text(order, "taskId", "task_id")
        if order.get("type") == "task_assignment" and task_id:
            assigner = self._people.find(named_text(order, "assignedBy") or sender)
            if task_id in self._tasks:
                self._assigned.setdefault((task_id, receiver), (assigner, at))
                return None
            order = {**order, "owner": receiver, "status": None}
            self._assigned.setdefault((task_id, receiver), (assigner, at))
            return self._task(task_id, order)
        attributes = {key: value for key, value in message.items() if key not in USED}
        return Span(
            id=f"{self._team}:message:{place}",
            seq=0,
            operation="message",
            name=named_text(order, "type") or named_text(message, "type") or "message",
            parent_id=self._team,
            agent_id=sender,
            to_agent_id=receiver,
            started_at=at,
            status="ok",
            status_source="inferred",
            text=self._limit.text(text, "text", attributes),
            attributes=attributes,
        )

    def _task(self, task_id: str, task: dict[str, Any]) -> Span:
        owner_name = named_text(task, "owner")
        owner = self._people.find(owner_name) if owner_name else None
        assigner, assigned_at = self._assigned.get((task_id, owner or ""), (self._people.lead, None))
        status = STATUS.get(named_text(task, "status") or "", "unknown")
        attributes = {key: value for key, value in task.items() if key not in ("subject", "title", "description")}
        told = (named_text(task, "subject", "title"), named_text(task, "description"))
        text = "\n".join(part for part in told if part) or None
        return Span(
            id=f"{self._team}:task:{task_id}",
            seq=0,
            operation="plan" if owner is None else "handoff",
            name=f"task {task_id}",
            parent_id=self._team,
            agent_id=assigner,
            to_agent_id=owner,
            started_at=assigned_at or time_of(task.get("created_at")) or time_of(task.get("createdAt")),
            ended_at=time_of(task.get("completed_at")) or time_of(task.get("completedAt")),
            status=status,
            error_type=named_text(task, "status") if status == "error" else None,
            text=self._limit.text(text, "text", attributes),
            attributes=attributes,
        )


def _order_in(text: str | None) -> dict[str, Any]:
    """Return the object that a message of the team's own protocol is, or an empty one."""
    return as_record(parsed(text)) if text and text.startswith("{") else {}


def _when(span: Span) -> tuple[bool, float]:
    return span.started_at is None, span.started_at.timestamp() if span.started_at is not None else 0.0
