"""The trace format `atif`: the Agent Trajectory Interchange Format of Harbor, versions 1.0 to 1.8."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from agents_eval_core.formats.atif_wire import (
    AgentInfo,
    Embedded,
    Step,
    content_text,
    metrics_usage,
    step_facts,
    step_results,
    total_usage,
)
from agents_eval_core.formats.building.failure_text import failure_in
from agents_eval_core.formats.building.trace_builder import TraceBuilder
from agents_eval_core.formats.json_text.json_document import JsonDocument
from agents_eval_core.formats.json_text.json_outline import outline
from agents_eval_core.formats.json_text.json_values import as_count, as_list, as_moment, as_record, as_records, as_text
from agents_eval_core.trace import Role, ToolUse, Trace

MARK: Final = re.compile(rb'"schema_version"\s*:\s*"ATIF-v\d')
DEEPEST: Final = 32


class AtifFormat:
    """Reads a trajectory with the sub-agents that it embeds.

    Each agent step that asked a model is a `chat` with its own usage; `final_metrics` repeat it and stay attributes,
    but where no step has usage they are that of the whole. Steps copied from an earlier trajectory are left to it, and
    counted in `copied_steps` of the root. A call whose result refers to a sub-agent's trajectory is a delegation; a
    trajectory in another file is counted as unread. Failures are inferred from the results' texts unless `extra` has
    `is_error`.

    References:
        https://github.com/harbor-framework/harbor, rfcs/0001-trajectory-format.md.
    """

    @property
    def name(self) -> str:
        """The name it is declared under."""
        return "atif"

    def recognises(self, source: Path, head: bytes) -> bool:  # noqa: ARG002  the content tells, not the name
        """Whether the first bytes name the schema.

        >>> AtifFormat().recognises(Path("any"), b'{"schema_version": "ATIF-v1.7", "session_id": "s"')
        True
        """
        return head.lstrip()[:1] == b"{" and MARK.search(head) is not None and "schema_version" in outline(head)

    def read(self, source: Path, *, longest_text: int | None = None) -> Iterator[Trace]:
        """Yield the trace of a file.

        Raises:
            UnreadableError: The file cannot be read, or is no trajectory.
        """
        document = JsonDocument(source, self.name)
        version = as_text(document.value("schema_version"))
        if version is None or not version.startswith("ATIF-"):
            raise document.refusal("it has no schema_version ATIF-v…" if "steps" in document else "")
        reading = _Reading(document, TraceBuilder(document.source, longest_text=longest_text))
        agent = document.member("agent", AgentInfo) or AgentInfo()
        nested = list(document.elements("subagent_trajectories", Embedded, "sub-agent trajectory"))
        steps = document.elements("steps", Step, "step")
        own = as_text(document.value("trajectory_id")) or as_text(document.value("session_id"))
        reading.trajectory(
            _Trajectory(own or "root", agent, steps, document.value("final_metrics"), nested), None, "worker"
        )
        if document.value("continued_trajectory_ref") is not None:
            document.miss("continuation in another file")
        yield reading.builder.trace(own or source.stem, clock="wall", unread=document.unread + reading.builder.unread)


class _Trajectory(Struct):
    """One agent's steps, wherever they were."""

    key: str
    agent: AgentInfo
    steps: Iterator[Step]
    totals: Any
    nested: Sequence[Embedded]


class _Level(Struct):
    """Where a trajectory is being written to."""

    root: str
    agent_id: str
    model: str | None
    nested: dict[str, Embedded]
    depth: int
    copied: int = 0


class _Reading:
    """Writes a trajectory and those within it."""

    def __init__(self, document: JsonDocument, builder: TraceBuilder) -> None:
        self.builder = builder
        self._document = document

    def trajectory(self, one: _Trajectory, parent: str | None, role: Role, depth: int = 0) -> str:
        """Write a trajectory under a span, and return its agent."""
        name = as_text(one.agent.name) or "agent"
        agent_id = self.builder.agent(name, role=role, key=f"{depth} {one.key}")
        root = self.builder.add("invoke_agent", f"invoke_agent {name}", parent_id=parent, agent_id=agent_id)
        nested = {str(each.trajectory_id or each.session_id or number): each for number, each in enumerate(one.nested)}
        level = _Level(root, agent_id, as_text(one.agent.model_name), nested, depth)
        has_usage = False
        for step in one.steps:
            has_usage = self._step(level, step) or has_usage
        for key in list(level.nested):
            self._embedded(level, key, root, "worker")
        about = {"version": one.agent.version, "final_metrics": one.totals, "copied_steps": level.copied or None}
        self.builder.change(
            root,
            usage=None if has_usage else total_usage(as_record(one.totals)),
            attributes={key: value for key, value in about.items() if value is not None},
        )
        return agent_id

    def _step(self, level: _Level, step: Step) -> bool:
        if step.is_copied_context is True:
            level.copied += 1
            return False
        match step.source:
            case "agent":
                return self._agent_step(level, step)
            case "user" | "system":
                self._message(level, step)
            case _:
                self.builder.unread[f"step of source {str(step.source)[:40]}"] += 1
        return False

    def _message(self, level: _Level, step: Step) -> None:
        role: Role = "user" if step.source == "user" else "system"
        speaker = self.builder.agent(role, role=role)
        self._said(
            level, speaker, content_text(step.message), f"{role} message", step_facts(step), timestamp=step.timestamp
        )
        for result in step_results(step):
            references = as_records(result.get("subagent_trajectory_ref"))
            for reference in references:
                self._delegate(level, reference, level.root, "system")
            if not references:
                self._said(
                    level, speaker, content_text(result.get("content")), "system event", {}, timestamp=step.timestamp
                )

    def _agent_step(self, level: _Level, step: Step) -> bool:
        usage = metrics_usage(as_record(step.metrics))
        asked = as_count(step.llm_call_count) != 0
        if asked:
            self.builder.add(
                "chat",
                "chat",
                parent_id=level.root,
                agent_id=level.agent_id,
                started_at=as_moment(step.timestamp),
                status="ok",
                status_source="inferred",
                model=as_text(step.model_name) or level.model,
                usage=usage,
                text=content_text(step.message),
                attributes=step_facts(step),
            )
        elif text := content_text(step.message):
            self._said(
                level, level.agent_id, text, "dispatch", step_facts(step), timestamp=step.timestamp, is_for_agent=False
            )
        self._calls(level, step)
        return asked and usage is not None

    def _calls(self, level: _Level, step: Step) -> None:
        open_calls: dict[str, str] = {}
        for call in as_records(step.tool_calls):
            name = as_text(call.get("function_name")) or "?"
            call_id = as_text(call.get("tool_call_id"))
            extra = as_record(call.get("extra"))
            span_id = self.builder.add(
                "execute_tool",
                f"execute_tool {name}",
                parent_id=level.root,
                agent_id=level.agent_id,
                started_at=as_moment(step.timestamp),
                tool=ToolUse(name=name, call_id=call_id, arguments=call.get("arguments")),
                attributes={"extra": extra} if extra else {},
            )
            open_calls.setdefault(call_id or f"#{span_id}", span_id)
        self._miss_odd(step.tool_calls, "tool call")
        for result in step_results(step):
            self._result(level, result, open_calls, step.timestamp)

    def _miss_odd(self, listed: Any, kind: str) -> None:
        odd = len(as_list(listed)) - len(as_records(listed))
        if odd:
            self._document.miss(f"damaged {kind}", odd)

    def _result(self, level: _Level, result: Mapping[str, Any], calls: Mapping[str, str], timestamp: Any) -> None:
        text = content_text(result.get("content"))
        span_id = calls.get(as_text(result.get("source_call_id")) or "")
        references = as_records(result.get("subagent_trajectory_ref"))
        if span_id is None:
            for reference in references:
                self._delegate(level, reference, level.root, "worker")
            if text is not None:
                speaker = self.builder.agent("environment", role="environment")
                self._said(level, speaker, text, "observation", {}, timestamp=timestamp)
            return
        extra = as_record(result.get("extra"))
        declared = extra.get("is_error")
        failure = failure_in(text)
        failed = declared if isinstance(declared, bool) else failure is not None
        span = self.builder.span(span_id)
        answered = "\n".join(filter(None, (span.tool.result if span.tool else None, text))) or None
        self.builder.change(
            span_id,
            tool=replace(span.tool, result=answered if text is not None else None) if span.tool else None,
            status="error" if failed else "ok",
            status_source="declared" if isinstance(declared, bool) else "inferred",
            error_type=(failure.error_type if failure else "ToolError") if failed else None,
            error_text=text if failed else None,
            attributes={**span.attributes, **({"result_extra": extra} if extra else {})},
        )
        for reference in references:
            delegate = self._delegate(level, reference, span_id, "worker")
            self.builder.change(span_id, to_agent_id=delegate)
            self.builder.lead(level.agent_id)

    def _delegate(self, level: _Level, reference: Mapping[str, Any], parent: str, role: Role) -> str:
        """Write the trajectory that is referred to, and return its agent."""
        key = str(reference.get("trajectory_id") or reference.get("session_id") or reference.get("trajectory_path"))
        if key in level.nested:
            return self._embedded(level, key, parent, role)
        self._document.miss("sub-agent trajectory in another file")
        return self.builder.agent(key, role=role, key=f"{level.depth + 1} {key}")

    def _embedded(self, level: _Level, key: str, parent: str, role: Role) -> str:
        one = level.nested.pop(key)
        if level.depth >= DEEPEST:
            self._document.miss("sub-agent trajectory nested too deeply")
            return self.builder.agent(as_text(one.agent.name) or key, role=role, key=f"{level.depth + 1} {key}")
        steps = self._document.readable(one.steps, Step, "step")
        nested = list(self._document.readable(one.subagent_trajectories, Embedded, "sub-agent trajectory"))
        found = _Trajectory(f"{level.root} {key}", one.agent, steps, one.final_metrics, nested)
        return self.trajectory(found, parent, role, level.depth + 1)

    def _said(
        self,
        level: _Level,
        speaker: str,
        text: str | None,
        name: str,
        about: Mapping[str, Any],
        *,
        timestamp: Any,
        is_for_agent: bool = True,
    ) -> None:
        self.builder.add(
            "message",
            name,
            parent_id=level.root,
            agent_id=speaker,
            to_agent_id=level.agent_id if is_for_agent else None,
            started_at=as_moment(timestamp),
            status="ok",
            status_source="inferred",
            text=text,
            attributes=about,
        )
