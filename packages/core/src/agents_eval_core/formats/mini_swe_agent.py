"""The trace format `mini_swe_agent`: trajectories of mini-SWE-agent, versions 1 and 2 (`….traj.json`)."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from agents_eval_core.formats.building.known_usage import known_usage
from agents_eval_core.formats.building.shell_answer import shell_failure
from agents_eval_core.formats.building.trace_builder import TraceBuilder
from agents_eval_core.formats.json_text.json_document import JsonDocument
from agents_eval_core.formats.json_text.json_outline import outline
from agents_eval_core.formats.json_text.json_values import (
    as_amount,
    as_count,
    as_json,
    as_moment,
    as_record,
    as_records,
    as_text,
)
from agents_eval_core.formats.json_text.small_record import small_record
from agents_eval_core.trace import Outcome, Role, ToolUse, Trace, Usage

AGENT: Final = "mini-swe-agent"
MARK: Final = re.compile(rb'"trajectory_format"\s*:\s*"mini-swe-agent')
FENCE: Final = re.compile(r"```(?:mswea_bash_command|bash)\s*\n(.*?)\n```", re.DOTALL)
RETURN_CODE: Final = re.compile(r"\s*<returncode>(-?\d+)</returncode>")
TOOL: Final = "bash"
LABELS: Final = "labels.json"


class Message(Struct):
    """One message; `extra` has what the model's service or the shell said beside it."""

    role: str = ""
    content: Any = None
    tool_calls: Any = None
    tool_call_id: Any = None
    extra: Mapping[str, Any] = field(default_factory=dict[str, Any])


class MiniSweAgentFormat:
    """Reads a trajectory: one agent that runs shell commands.

    A command is a call if it was run, that is, if an answer follows; version 1 shows it as the first code block of a
    message, version 2 as `extra.actions`. The status is declared by the return code. A reply that was refused for its
    form is no call: the refusal is a message of the environment. The last answer repeats the submission.
    """

    @property
    def name(self) -> str:
        """The name it is declared under."""
        return "mini_swe_agent"

    def recognises(self, source: Path, head: bytes) -> bool:  # noqa: ARG002  the content tells, not the name
        """Whether the first bytes are those of a trajectory: its format's name, or `info` as it writes it.

        >>> MiniSweAgentFormat().recognises(Path("any"), b'{"info": {"exit_status": "Submitted", "mini_version": "1')
        True
        """
        if head.lstrip()[:1] != b"{" or (b'"exit_status"' not in head and b'"trajectory_format"' not in head):
            return False
        keys = outline(head)
        if "trajectory_format" in keys and MARK.search(head):
            return True
        return {"info", "info.exit_status"} <= keys and bool(
            {"info.mini_version"} <= keys or ({"info.model_stats", "messages"} <= keys and "trajectory" not in keys)
        )

    def read(self, source: Path, *, longest_text: int | None = None) -> Iterator[Trace]:
        """Yield the trace of a file.

        Raises:
            UnreadableError: The file cannot be read, or holds no messages.
        """
        document = JsonDocument(source, self.name)
        info = document.member("info", dict[str, Any]) or {}
        instance = as_text(document.value("instance_id"))
        reading = _Reading(TraceBuilder(document.source, longest_text=longest_text), as_text(info.get("submission")))
        for message in document.elements("messages", Message, "message"):
            reading.take(message)
        if not reading.messages:
            raise document.refusal("it has no messages")
        status = as_text(info.get("exit_status"))
        reading.finish(info)
        yield reading.builder.trace(
            instance or source.name.removesuffix(".json").removesuffix(".traj"),
            clock="wall",
            task_id=instance,
            outcome=_outcome(source, instance, status),
            unread=document.unread + reading.builder.unread,
        )

    def parts(self, source: Path) -> tuple[Path, ...]:
        """Return the labels beside a file."""
        beside = source.with_name(LABELS)
        return (beside,) if beside.exists() else ()


class _Reading:
    """The messages of one trajectory, taken in one after another."""

    def __init__(self, builder: TraceBuilder, submission: str | None) -> None:
        self.builder = builder
        self.messages = 0
        self._submission = submission
        self._open: list[str] = []
        self._asked: str | None = None
        self._agent = builder.agent(AGENT)
        self._root = builder.add("invoke_agent", f"invoke_agent {AGENT}", agent_id=self._agent)

    def take(self, message: Message) -> None:
        self.messages += 1
        match message.role:
            case "assistant":
                self._chat(message)
            case "tool" | "user" | "environment":
                self._answer(message)
            case "system":
                self._said("system prompt", "system", message)
            case "exit":
                if self._open:
                    self._result(self._open.pop(0), message)
            case _:
                self.builder.unread[f"message of role {message.role[:40]}"] += 1

    def finish(self, info: Mapping[str, Any]) -> None:
        """Give the root what holds for the whole run."""
        stats = as_record(info.get("model_stats"))
        kept = {key: info[key] for key in ("mini_version", "exit_status") if key in info}
        spent = any(span.usage and span.usage.cost_usd is not None for span in self.builder.spans())
        cost = as_amount(stats.get("instance_cost"))
        usage = None if spent or not cost else Usage(cost_usd=cost, scope="subtree")
        self.builder.change(self._root, attributes={**kept, "model_stats": stats}, usage=usage)

    def _chat(self, message: Message) -> None:
        response = as_record(message.extra.get("response"))
        stamp = as_moment(message.extra.get("timestamp"))
        self.builder.add(
            "chat",
            "chat",
            parent_id=self._root,
            agent_id=self._agent,
            started_at=None if stamp else as_moment(response.get("created")),
            ended_at=stamp,
            status="ok",
            status_source="inferred",
            model=as_text(response.get("model")),
            usage=_usage(response, message.extra),
            text=_content(message.content),
        )
        self._open = []
        for action in as_records(message.extra.get("actions")):
            self._call(as_text(action.get("command")), as_text(action.get("tool_call_id")), stamp)
        self._asked = None if self._open else _content(message.content)

    def _call(self, command: str | None, call_id: str | None = None, started: Any = None) -> None:
        tool = ToolUse(name=TOOL, call_id=call_id, arguments=None if command is None else {"command": command})
        self._open.append(
            self.builder.add(
                "execute_tool",
                f"execute_tool {TOOL}",
                parent_id=self._root,
                agent_id=self._agent,
                started_at=started,
                tool=tool,
            )
        )

    def _answer(self, message: Message) -> None:
        text = _content(message.content) or ""
        if not self._open and self._asked is not None and self._is_result(text):
            fences = FENCE.findall(self._asked)
            self._call(fences[0].strip() if fences else None)
            self._asked = None
        if self._open and message.extra.get("interrupt_type") is None:
            self._result(self._answered(message), message)
        elif self.messages <= 2 and message.role == "user":  # noqa: PLR2004  the task follows the system prompt
            self._said("task", "user", message)
        else:
            self._said("reply", "environment", message)

    def _is_result(self, text: str) -> bool:
        if RETURN_CODE.match(text) or text == self._submission:
            return True
        found = shell_failure(text)
        return found is not None and found.error_type == "TimeoutError"

    def _answered(self, message: Message) -> str:
        """Return the call that a message answers: that of its id, else the first that is open."""
        for position, span_id in enumerate(self._open):
            tool = self.builder.span(span_id).tool
            if tool and tool.call_id and tool.call_id == message.tool_call_id:
                return self._open.pop(position)
        return self._open.pop(0)

    def _result(self, span_id: str, message: Message) -> None:
        text = _content(message.content)
        span = self.builder.span(span_id)
        code = _return_code(text, message.extra)
        failure = _failure(code, text, message.extra)
        self.builder.change(
            span_id,
            tool=replace(span.tool, result=text) if span.tool else None,
            ended_at=as_moment(message.extra.get("timestamp")),
            status="error" if failure else "ok",
            status_source="inferred" if code is None else "declared",
            error_type=failure,
            attributes={} if code is None else {"return_code": code},
        )

    def _said(self, name: str, role: Role, message: Message) -> None:
        self.builder.add(
            "message",
            name,
            parent_id=self._root,
            agent_id=self.builder.agent(role, role=role),
            to_agent_id=self._agent,
            status="ok",
            status_source="inferred",
            text=_content(message.content),
        )


def _content(content: Any) -> str | None:
    """Return the text of a message, of which parts may be images."""
    if isinstance(content, list):
        return "\n".join(filter(None, (as_text(part.get("text")) for part in as_records(content)))) or None
    return as_text(content) if content is None or isinstance(content, str) else as_json(content)


def _usage(response: Mapping[str, Any], extra: Mapping[str, Any]) -> Usage | None:
    told = as_record(response.get("usage"))
    return known_usage(
        Usage(
            input_tokens=as_count(told.get("prompt_tokens")),
            output_tokens=as_count(told.get("completion_tokens")),
            cached_tokens=as_count(as_record(told.get("prompt_tokens_details")).get("cached_tokens")),
            cost_usd=as_amount(told.get("cost", extra.get("cost"))),
        )
    )


def _return_code(text: str | None, extra: Mapping[str, Any]) -> int | None:
    told = extra.get("returncode")
    if isinstance(told, int) and not isinstance(told, bool):
        return told
    found = RETURN_CODE.match(text or "")
    return int(found[1][:10]) if found else None


def _failure(code: int | None, text: str | None, extra: Mapping[str, Any]) -> str | None:
    raised = extra.get("exception_info")
    if raised:
        return as_text(extra.get("exception_type")) or as_text(as_record(raised).get("exception_type")) or "Exception"
    if code is not None:
        return f"ReturnCode{code}" if code else None
    found = shell_failure(text)
    return found.error_type if found else None


def _outcome(source: Path, instance: str | None, status: str | None) -> Outcome | None:
    """Return how it ended, and whether the task was solved where a file of labels beside it says so."""
    told = small_record(source.with_name(LABELS)).get(instance) if instance else None
    success = told if isinstance(told, bool) else None
    return None if success is None and status is None else Outcome(success=success, text=status)
