"""The events of one sample in a log of Inspect, as the spans of a trace."""

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Raw, Struct
from msgspec.structs import replace

from agents_eval_core.formats.building.trace_builder import TraceBuilder
from agents_eval_core.formats.inspect_ai.inspect_wire import Event, ModelInput, content_text, model_usage
from agents_eval_core.formats.json_text.json_document import UNREADABLE, decoded
from agents_eval_core.formats.json_text.json_values import (
    as_json,
    as_list,
    as_moment,
    as_record,
    as_records,
    as_text,
)
from agents_eval_core.trace import ToolUse

DEEPEST: Final = 32
ATTACHMENT: Final = "attachment://"
SCORING: Final = frozenset({"scorer", "scorers"})
REPEATING: Final = frozenset({"sample_init", "state", "store", "score", "score_edit", "anchor", "checkpoint"})
TOLD: Final = frozenset(
    {"sandbox", "info", "logger", "input", "error", "sample_limit", "approval", "subtask", "compaction"}
)
KEPT: Final = ("cmd", "action", "data", "message", "limit", "decision", "explanation", "approver", "source")


class Place(Struct):
    """Where an event happens: the span above it, whose agent acts, and whether it is for the scores."""

    span_id: str
    agent_id: str
    is_scoring: bool = False


class InspectEvents:
    """Takes in the events of a sample, in the order of the log.

    Calls of models are `chat` spans, calls of tools `execute_tool` spans; the spans of Inspect become `invoke_agent`
    for agents and `other` for solvers and the like; that of a tool is the call itself. An agent that runs within a call
    is its delegate. What scorers do belongs to an agent of the role `system` and is without texts, since these hold the
    target. Changes of state repeat what the other events say and are left out.
    """

    def __init__(self, builder: TraceBuilder, root: str, agent_id: str, attachments: Mapping[str, Any]) -> None:
        self.builder = builder
        self._root = Place(root, agent_id)
        self._places: dict[str, Place] = {}
        self._steps: list[Place] = []
        self._waiting: dict[tuple[str, str], list[str]] = {}
        self._seen: set[str] = set()
        self._attachments = attachments
        self.has_usage = False

    def take(self, raw: Raw, depth: int = 0, above: Place | None = None) -> None:
        """Take in one event."""
        try:
            event = decoded(raw, Event)
        except UNREADABLE:
            self.builder.unread["damaged event"] += 1
            return
        place = above or self._place(event.span_id)
        kind = as_text(event.event) or "?"
        handlers = {"span_begin": self._begin, "span_end": self._end, "step": self._step}
        if kind in handlers:
            handlers[kind](event)
        elif kind == "model":
            self._model(event, place)
        elif kind == "tool":
            self._tool(event, place, depth)
        elif kind in TOLD:
            self._other(event, kind, place, depth)
        elif kind not in REPEATING:
            self.builder.unread[f"event {kind[:40]}"] += 1

    def said(self, role: Any, content: Any, place: Place | None = None) -> None:
        """Write what a user or the system prompt said to the agent."""
        place = place or self._root
        speaker = "system" if role == "system" else "user"
        self.builder.add(
            "message",
            f"{speaker} message",
            parent_id=place.span_id,
            agent_id=self.builder.agent(speaker, role=speaker),
            to_agent_id=place.agent_id,
            status="ok",
            status_source="inferred",
            text=content_text(self.whole(content)),
        )

    def whole(self, value: Any, depth: int = 0) -> Any:
        """Return a value with its attachments put in."""
        if isinstance(value, str):
            found = self._attachments.get(value[len(ATTACHMENT) :]) if value.startswith(ATTACHMENT) else None
            return found if isinstance(found, str) else value
        if depth > DEEPEST:
            return value
        if isinstance(value, list):
            return [self.whole(one, depth + 1) for one in as_list(value)]
        if isinstance(value, dict):
            return {key: self.whole(one, depth + 1) for key, one in as_record(value).items()}
        return value

    def _place(self, span_id: Any) -> Place:
        if isinstance(span_id, str) and span_id in self._places:
            return self._places[span_id]
        return self._steps[-1] if self._steps else self._root

    def _begin(self, event: Event) -> None:
        span_id, above = as_text(event.id), self._place(event.parent_id)
        if span_id is None or span_id in self._places:
            self.builder.unread["repeated span"] += 1
            return
        name = as_text(event.name) or as_text(event.type) or "span"
        if event.type == "tool":
            found = self._claimed((above.span_id, name)) or self._call(name, above)
            self._places[span_id] = replace(above, span_id=found)
        elif event.type == "agent" and not above.is_scoring:
            self._places[span_id] = self._agent(event, name, above)
        else:
            self._places[span_id] = self._container(event, name, above)

    def _agent(self, event: Event, name: str, above: Place) -> Place:
        agent_id = self.builder.agent(name, key=f"{above.agent_id} > {name}")
        outer = self.builder.span(above.span_id)
        if outer.operation == "execute_tool":
            self.builder.change(above.span_id, to_agent_id=agent_id)
            self.builder.lead(above.agent_id)
        found = self.builder.add(
            "invoke_agent",
            f"invoke_agent {name}",
            parent_id=above.span_id,
            agent_id=agent_id,
            started_at=as_moment(event.timestamp),
            source_span_ids=(str(event.id),),
        )
        return Place(found, agent_id)

    def _container(self, event: Event, name: str, above: Place) -> Place:
        is_scoring = above.is_scoring or as_text(event.type) in SCORING
        agent_id = self.builder.agent(name, role="system") if event.type == "scorer" else above.agent_id
        found = self.builder.add(
            "other",
            name if as_text(event.type) in (None, name) else f"{event.type} {name}",
            parent_id=above.span_id,
            agent_id=agent_id,
            started_at=as_moment(event.timestamp),
            source_span_ids=(str(event.id),) if event.id else (),
        )
        return Place(found, agent_id, is_scoring)

    def _end(self, event: Event) -> None:
        place = self._places.get(as_text(event.id) or "")
        if place is None:
            self.builder.unread["end of an unknown span"] += 1
        elif self.builder.span(place.span_id).operation != "execute_tool":
            self.builder.change(
                place.span_id, ended_at=as_moment(event.timestamp), status="ok", status_source="inferred"
            )

    def _step(self, event: Event) -> None:
        """Take in the beginning or end of a step, as logs had it before there were spans."""
        if event.action == "begin":
            above = self._place(None)
            self._steps.append(self._container(event, as_text(event.name) or "step", above))
        elif self._steps:
            place = self._steps.pop()
            self.builder.change(
                place.span_id, ended_at=as_moment(event.timestamp), status="ok", status_source="inferred"
            )

    def _model(self, event: Event, place: Place) -> None:
        if not place.is_scoring:
            self._heard(event.input, place)
        output = as_record(event.output)
        error = content_text(self.whole(event.error or output.get("error")))
        usage = model_usage(as_record(output.get("usage")))
        self.has_usage = self.has_usage or usage is not None
        choices = as_records(output.get("choices"))
        message = as_record(choices[0].get("message")) if choices else {}
        self._seen.add(str(message.get("id")))
        text = None if place.is_scoring else content_text(self.whole(message.get("content")))
        told = {"role": event.role, "retries": event.retries, "cache": event.cache}
        self.builder.add(
            "chat",
            "chat",
            parent_id=place.span_id,
            agent_id=place.agent_id,
            started_at=as_moment(event.timestamp),
            ended_at=as_moment(event.completed),
            status="error" if error else "unknown" if event.pending else "ok",
            error_type="ModelError" if error else None,
            error_text=error,
            model=as_text(output.get("model")) or as_text(event.model),
            usage=usage,
            text=text,
            attributes={key: value for key, value in told.items() if value is not None},
        )

    def _heard(self, raw: Raw, place: Place) -> None:
        """Write those messages to the model that were not there before: the user's and the system's."""
        try:
            messages = decoded(raw, list[ModelInput])
        except UNREADABLE:
            self.builder.unread["damaged model input"] += 1
            return
        for position, message in enumerate(messages):
            key = as_text(message.id) or f"{place.agent_id} {position} {message.role}"
            if message.role in ("user", "system") and key not in self._seen:
                self.said(message.role, message.content, place)
            self._seen.add(key)

    def _tool(self, event: Event, place: Place, depth: int) -> None:
        name = as_text(event.function) or "?"
        waiting = self._waiting.get((place.span_id, name))
        if waiting:
            span_id = waiting.pop(0)
        else:
            span_id = self._call(name, place, is_waiting=False)
            self._waiting.setdefault((place.span_id, f"early {name}"), []).append(span_id)
        error = as_record(event.error)
        failed = bool(error) or event.failed is True
        done = event.result is not None or event.completed is not None
        result = self.whole(event.result)
        text = None if place.is_scoring else content_text(self.whole(error.get("message")))
        self.builder.change(
            span_id,
            started_at=as_moment(event.timestamp),
            ended_at=as_moment(event.completed),
            status="error" if failed else "ok" if done and event.pending is not True else "unknown",
            error_type=(as_text(error.get("type")) or "ToolError") if failed else None,
            error_text=text if failed else None,
            tool=ToolUse(
                name=name,
                call_id=as_text(event.id),
                arguments=self.whole(event.arguments),
                result=None if result is None else content_text(result) or as_json(result),
            ),
        )
        if depth < DEEPEST:
            for raw in event.events:
                self.take(raw, depth + 1, replace(place, span_id=span_id))

    def _call(self, name: str, above: Place, *, is_waiting: bool = True) -> str:
        span_id = self.builder.add(
            "execute_tool",
            f"execute_tool {name}",
            parent_id=above.span_id,
            agent_id=above.agent_id,
            tool=ToolUse(name=name),
        )
        if is_waiting:
            self._waiting.setdefault((above.span_id, name), []).append(span_id)
        return span_id

    def _claimed(self, key: tuple[str, str]) -> str | None:
        """Return the call that was told of before its span began."""
        early = self._waiting.get((key[0], f"early {key[1]}"))
        return early.pop(0) if early else None

    def _other(self, event: Event, kind: str, place: Place, depth: int) -> None:
        failed = kind in ("error", "sample_limit")
        about = {} if place.is_scoring else {name: getattr(event, name) for name in KEPT}
        label = as_text(event.name) or as_text(event.action) or as_text(event.type) or ""
        error = as_record(event.error)
        span_id = self.builder.add(
            "other",
            f"{kind} {label}".strip(),
            parent_id=place.span_id,
            agent_id=place.agent_id,
            started_at=as_moment(event.timestamp),
            ended_at=as_moment(event.completed),
            status="error" if failed else "ok",
            status_source="declared" if failed else "inferred",
            error_type=(as_text(event.type) or "SampleError") if failed else None,
            error_text=as_text(error.get("message")) or as_text(event.message) if failed else None,
            text=None if place.is_scoring else content_text(self.whole(event.output)),
            attributes={name: self.whole(value) for name, value in about.items() if value is not None},
        )
        if depth < DEEPEST:
            for raw in event.events:
                self.take(raw, depth + 1, replace(place, span_id=span_id))
