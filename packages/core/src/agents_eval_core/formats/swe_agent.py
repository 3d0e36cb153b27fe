"""The trace format `swe_agent`: trajectories of SWE-agent (`….traj`)."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from msgspec import Raw, Struct, field

from agents_eval_core.formats.building.known_usage import known_usage
from agents_eval_core.formats.building.shell_answer import shell_failure
from agents_eval_core.formats.building.trace_builder import TraceBuilder
from agents_eval_core.formats.json_text.json_document import JsonDocument
from agents_eval_core.formats.json_text.json_outline import outline
from agents_eval_core.formats.json_text.json_values import as_amount, as_count, as_number, as_record, as_text
from agents_eval_core.trace import Outcome, ToolUse, Trace, Usage

AGENT: Final = "swe-agent"
COMMAND: Final = re.compile(r"\s*([A-Za-z_][\w.-]{0,63})(?=\s|$)")
SHELL: Final = "shell"
GIVEN_UP: Final = re.compile(r"exit_(?:cost|context|format|error|api|forfeit|total_execution_time|command_timeout)")
LAST_STEP: Final = "Exit "


class TrajectoryStep(Struct):
    """One turn: what the model said, the command taken from it, and what the shell answered."""

    action: Any = None
    observation: Any = None
    response: Any = None
    thought: Any = None
    state: Any = None
    execution_time: Any = None
    extra_info: Any = None


class HistoryItem(Struct):
    """One message to or from the model; only those before the first answer are no repetition of the steps."""

    role: Any = None
    content: Any = None
    agent: Any = None
    message_type: Any = None
    is_demo: Any = None


class Attempt(Struct):
    """One of several tries at the same task."""

    trajectory: list[Raw] = field(default_factory=list[Raw])
    history: list[Raw] = field(default_factory=list[Raw])
    info: Any = None


class SweAgentFormat:
    """Reads a trajectory: one agent that works in a shell, once or in several attempts.

    Each step is a `chat` and, where the model gave a command, a call; the tool is the first word of the command. What
    ended the run without a command (`exit_cost`, …) is an `other` span with an error. Nothing but the observation's
    text tells of a failure. Tokens and cost are known for whole attempts only; times are not known, only how long each
    command took (`execution_time`). Of several attempts the chosen one is written again at the top, which is not read.

    References:
        https://swe-agent.com/latest/usage/trajectories/
    """

    @property
    def name(self) -> str:
        """The name it is declared under."""
        return "swe_agent"

    def recognises(self, source: Path, head: bytes) -> bool:  # noqa: ARG002  the content tells, not the name
        """Whether the first bytes have steps of action and observation.

        >>> SweAgentFormat().recognises(Path("any"), b'{"trajectory": [{"action": "ls", "observation": "a.py"')
        True
        """
        if head.lstrip()[:1] != b"{" or b'"trajectory"' not in head:
            return False
        keys = outline(head)
        return any(
            {f"{place}trajectory[].action", f"{place}trajectory[].observation"} <= keys for place in ("", "attempts[].")
        )

    def read(self, source: Path, *, longest_text: int | None = None) -> Iterator[Trace]:
        """Yield the trace of a file.

        Raises:
            UnreadableError: The file cannot be read, or has no trajectory.
        """
        document = JsonDocument(source, self.name)
        if "trajectory" not in document and "attempts" not in document:
            raise document.refusal("it has no trajectory" if "info" in document or "history" in document else "")
        info = document.member("info", dict[str, Any]) or {}
        builder = TraceBuilder(document.source, longest_text=longest_text)
        attempts = list(document.elements("attempts", Attempt, "attempt"))
        for attempt in attempts:
            steps = document.readable(attempt.trajectory, TrajectoryStep, "step")
            history = document.readable(attempt.history, HistoryItem, "message")
            _attempt(builder, steps, history, as_record(attempt.info))
        if not attempts:
            steps = document.elements("trajectory", TrajectoryStep, "step")
            _attempt(builder, steps, document.elements("history", HistoryItem, "message"), info)
        if not len(builder):
            raise document.refusal("it has no steps")
        status = as_text(info.get("exit_status"))
        task = source.name.removesuffix(".json").removesuffix(".traj")
        yield builder.trace(
            task,
            clock="none",
            task_id=task,
            outcome=None if status is None else Outcome(text=status),
            unread=document.unread + builder.unread,
        )


def _attempt(
    builder: TraceBuilder,
    steps: Iterator[TrajectoryStep],
    history: Iterator[HistoryItem],
    info: Mapping[str, Any],
) -> None:
    agent_id = builder.agent(AGENT)
    kept = {key: info[key] for key in ("exit_status", "swe_agent_version", "model_stats") if key in info}
    root = builder.add(
        "invoke_agent",
        f"invoke_agent {AGENT}",
        agent_id=agent_id,
        usage=_usage(as_record(info.get("model_stats"))),
        attributes=kept,
    )
    for item in history:
        if item.role == "assistant" and item.is_demo is not True:
            break
        _said(builder, item, root, agent_id)
    for step in steps:
        _step(builder, step, root, agent_id)


def _said(builder: TraceBuilder, item: HistoryItem, root: str, agent_id: str) -> None:
    """Write what the agent was told before it began; of a demonstration, that there was one."""
    text = as_text(item.content)
    if item.is_demo is True:
        builder.change(root, attributes={**builder.span(root).attributes, "demonstration": True})
        return
    speaker = "system" if item.role == "system" else "user"
    builder.add(
        "message",
        as_text(item.message_type) or f"{speaker} message",
        parent_id=root,
        agent_id=builder.agent(speaker, role=speaker),
        to_agent_id=agent_id,
        status="ok",
        status_source="inferred",
        text=text,
    )


def _step(builder: TraceBuilder, step: TrajectoryStep, root: str, agent_id: str) -> None:
    response = as_text(step.response) or as_text(step.thought)
    action = (as_text(step.action) or "").strip()
    ended = GIVEN_UP.fullmatch(action) or (not action and (response or "").startswith(LAST_STEP))
    about = {"extra_info": step.extra_info} if step.extra_info else {}
    if ended:
        builder.add(
            "other",
            action or "exit",
            parent_id=root,
            agent_id=agent_id,
            status="error",
            status_source="inferred",
            error_type=action or "exit",
            error_text=response,
            attributes=about,
        )
        return
    builder.add(
        "chat",
        "chat",
        parent_id=root,
        agent_id=agent_id,
        status="ok",
        status_source="inferred",
        text=response,
        attributes=about,
    )
    if action:
        _call(builder, step, action, root, agent_id)


def _call(builder: TraceBuilder, step: TrajectoryStep, action: str, root: str, agent_id: str) -> None:
    word = COMMAND.match(action)
    name = word[1] if word else SHELL
    answer = step.observation if isinstance(step.observation, str) else None
    failure = shell_failure(answer)
    seconds = as_number(step.execution_time)
    builder.add(
        "execute_tool",
        f"execute_tool {name}",
        parent_id=root,
        agent_id=agent_id,
        tool=ToolUse(name=name, arguments={"command": action}, result=answer),
        status="error" if failure else "unknown" if answer is None else "ok",
        status_source="declared" if answer is None else "inferred",
        error_type=failure.error_type if failure else None,
        error_text=failure.error_text if failure else None,
        attributes={
            key: value for key, value in (("execution_time", seconds), ("state", step.state)) if value is not None
        },
    )


def _usage(stats: Mapping[str, Any]) -> Usage | None:
    return known_usage(
        Usage(
            input_tokens=as_count(stats.get("tokens_sent")),
            output_tokens=as_count(stats.get("tokens_received")),
            cost_usd=as_amount(stats.get("instance_cost", stats.get("total_cost"))),
            scope="subtree",
        )
    )
