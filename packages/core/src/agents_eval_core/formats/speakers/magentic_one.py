"""How speakers of Magentic-One are written: `Orchestrator (thought)`, `Orchestrator (-> WebSurfer)`, `WebSurfer`.

An instruction with an addressee is the delegation, a `handoff`; the thought `Next speaker WebSurfer` says the same
again and is no second one. Plans and ledgers are `plan`; other thoughts are `other`. What a team member answers is a
message to the orchestrator. The termination condition carries the final answer, so it is a message to the user.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from agents_eval_core.formats.chat.chat_messages import usage_of
from agents_eval_core.formats.chat.content_parts import text_of
from agents_eval_core.formats.json_text.json_values import as_moment, as_record, as_text
from agents_eval_core.formats.speakers.speaker_log import SpeakerLog

SPEAKER: Final = re.compile(r"(?P<name>[^()]{1,100}?) \((?:-> ?(?P<to>[^()]{1,100})|(?P<what>[^()]{1,40}))\)\s*$")
PLAN: Final = re.compile(r"\s*(?:Initial plan|New plan|Updated Ledger|Stalled|Replan|Updated facts)", re.IGNORECASE)
EVENTS: Final = ("OrchestrationEvent", "AgentEvent", "WebSurferEvent", "LLMCallEvent")
UNDERSTOOD: Final = frozenset(("timestamp", "type", "source", "message", "action", "arguments"))


def is_magentic_speaker(value: Any) -> bool:
    """Whether a speaker is written as Magentic-One writes its orchestrator.

    >>> is_magentic_speaker("Orchestrator (-> WebSurfer)"), is_magentic_speaker("assistant")
    (True, False)
    """
    return isinstance(value, str) and SPEAKER.match(value) is not None


def is_magentic_event(value: Any) -> bool:
    """Whether a value is a line of Magentic-One's own log."""
    event = as_record(value)
    return event.get("type") in EVENTS and "timestamp" in event


class MagenticLog(SpeakerLog):
    """Gathers one run of Magentic-One.

    >>> log = MagenticLog()
    >>> log.hear("human", "Which year was it?", "0")
    >>> log.hear("Orchestrator (-> WebSurfer)", "Please look it up.", "1")
    >>> log.hear("WebSurfer", "1969", "2")
    >>> [(span.operation, span.agent_id, span.to_agent_id) for span in log.spans[1:]]  # doctest: +NORMALIZE_WHITESPACE
    [('message', 'human', 'Orchestrator'), ('handoff', 'Orchestrator', 'WebSurfer'),
     ('message', 'WebSurfer', 'Orchestrator')]
    """

    def hear(self, speaker: str, text: str | None, place: str, **fields: Any) -> None:
        """Add an entry of the log; `place` is where it lies in the source."""
        written = SPEAKER.match(speaker)
        if written is None:
            self._hear_member(speaker, text, place, fields)
            return
        name, to, what = written.group("name"), written.group("to"), written.group("what")
        about: dict[str, Any] = {
            "id": place,
            "text": text,
            "source_ids": [place],
            "agent_id": self.agent(name, "orchestrator"),
            **fields,
        }
        if to:
            self.add("handoff", f"handoff {to}", parent_id=self.root, to_agent_id=self.speaker(to), **about)
        elif what == "thought":
            self.add("plan" if PLAN.match(text or "") else "other", what, parent_id=self.root, **about)
        else:
            self.add("message", what, parent_id=self.root, to_agent_id=self._user(), **about)

    def take_event(self, event: Mapping[str, Any], place: str) -> None:
        """Add a line of Magentic-One's own log."""
        at, source = as_moment(event.get("timestamp")), as_text(event.get("source")) or "?"
        rest = {key: value for key, value in event.items() if key not in UNDERSTOOD}
        times = {"started_at": at, "ended_at": at}
        if event.get("type") == "LLMCallEvent":
            usage = usage_of(event)
            self.add("chat", "chat", parent_id=self.root, usage=usage, ended_at=at, source_ids=[place])
        elif event.get("type") == "WebSurferEvent" and event.get("action"):
            self.call(
                str(event["action"]),
                event.get("arguments"),
                agent_id=self.speaker(source),
                parent_id=self.root,
                started_at=at,
                source_ids=[place],
                attributes=rest,
            )
        else:
            self.hear(source, text_of(event.get("message")), place, attributes=rest, **times)

    def _hear_member(self, speaker: str, text: str | None, place: str, fields: Mapping[str, Any]) -> None:
        member = self.speaker(speaker)
        orchestrator = self.agent("Orchestrator", "orchestrator")
        to = orchestrator if member != orchestrator else self._user()
        before = len(self.spans)
        self.say(speaker, text, place, **fields)
        spoken = self.spans[-1]
        if len(self.spans) > before and spoken.operation in ("message", "chat"):
            self.change(spoken.seq, to_agent_id=to)

    def _user(self) -> str | None:
        return next((agent.id for agent in self.agents if agent.role == "user"), None)
