"""Who is who in a gathered session: which call started which agent, what each is called, and who meant whom."""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Final

from agents_eval_core.formats.claude_code.draft import SessionDraft
from agents_eval_core.formats.claude_code.records import (
    DELEGATING,
    MAIN,
    AgentDraft,
    CallDraft,
    ChatDraft,
    NoteDraft,
    Rank,
)
from agents_eval_core.formats.json_text.json_values import as_record, as_text
from agents_eval_core.trace import Agent

MAIN_NAME: Final = "claude-code"
DEFAULT_TYPE: Final = "general-purpose"
HELPER: Final = re.compile(r"a(compact|[a-z]+(?:_[a-z]+)+)-")
HELPERS: Final = {"compact": "compaction"}
WARM_UP: Final = "Warmup"
LEADS: Final = ("team-lead", "main", "lead")
SEND: Final = "SendMessage"


class DistinctIds:
    """Gives each thing an id of its own: what shares the id of something earlier gets a number.

    >>> ids = DistinctIds()
    >>> ids.own("a"), ids.own("a"), ids.own("a#2")
    ('a', 'a#2', 'a#2#2')
    """

    def __init__(self, *taken: str) -> None:
        self._taken = set(taken)
        self._next: dict[str, int] = {}

    def own(self, wanted: str) -> str:
        """Return the wanted id, or the first numbered one that is free."""
        if wanted not in self._taken:
            self._taken.add(wanted)
            return wanted
        own, number = wanted, self._next.get(wanted, 2)
        while own in self._taken:
            own, number = f"{wanted}#{number}", number + 1
        self._next[wanted] = number
        self._taken.add(own)
        return own


class Cast:
    """Answers who is who, when everything of a session has been gathered.

    A sub-agent is found by what names it beside its call: Claude Code's own note of the result, the sub-agent's meta
    file, a progress line; for old side chains, by the same prompt. A delegating call of whose delegate nothing else is
    known makes an agent of its own, unless the call failed.
    """

    def __init__(self, draft: SessionDraft, session_id: str) -> None:
        self._draft = draft
        self.calls = draft.calls
        self._began: dict[str, Rank] = {}
        self._last: dict[str, ChatDraft] = {}
        self.at_work = self._workers()
        self._callers = frozenset(call.agent for call in self.calls.values())
        self._link_by_prompt()
        self._start_the_unseen()
        self._drop_circles()
        self.sent = [note for call in self.calls.values() if call.name == SEND and (note := self._sent(call))]
        self._describe()
        self._taken = DistinctIds()
        self._ids = {key: self._taken.own(agent.id) for key, agent in draft.agents.items()}
        self._by_name = self._names()
        self._session_id = session_id
        self._spans = DistinctIds(session_id)
        owned = ((call_id, self._spans.own(call_id)) for call_id in self.calls)
        self._renamed_calls = {call_id: own for call_id, own in owned if own != call_id}
        self._agent_spans = {key: self._spans.own(f"agent:{self._ids[key]}") for key in draft.agents}
        self._outgoing = {(self.find(note.sender), (note.text or "").strip()) for note in self.sent}

    def name(self, key: str) -> str:
        """Return what an agent is called."""
        agent = self._draft.agents[key]
        return agent.name or agent.id

    def id(self, key: str) -> str:
        """Return the id of an agent in the trace."""
        return self._ids[key]

    def span_id(self, key: str) -> str:
        """Return the id of the span in which an agent works."""
        return self._agent_spans[key]

    def call_span_id(self, call_id: str) -> str:
        """Return the id of the span of a tool call."""
        return self._renamed_calls.get(call_id, call_id)

    def own_span_id(self, wanted: str) -> str:
        """Return an id for another span: the wanted one, or with a number where something else has it."""
        return self._spans.own(wanted)

    def began(self, key: str) -> Rank:
        """Return the place in the order at which an agent was first seen at work."""
        return self._began[key]

    def span_above(self, key: str) -> str:
        """Return the id of the span of the call that started an agent, else that of the session."""
        call_id = self._draft.agents[key].call_id
        return self.call_span_id(call_id) if call_id in self.calls else self._session_id

    def delegate(self, call_id: str) -> str | None:
        """Return the agent that a call started or went on with."""
        return self._draft.delegates.get(call_id)

    def find(self, name: str) -> str:
        """Return the key of the agent that is meant by a key, an id or a name; one that nobody knows is new."""
        if name in self._draft.agents:
            return name
        if name not in self._by_name:
            self._draft.agents[name] = AgentDraft(key=name, rank=self._draft.rank(), id=name, name=name)
            self._by_name[name] = name
            self._ids[name] = self._taken.own(name)
        return self._by_name[name]

    def outcome(self, call: CallDraft) -> str | None:
        """Return how work that went on after its call ended, in the source's own word."""
        ended = self._ended(call)
        key = self.delegate(call.id)
        return ended[0] if ended else self.word_of(key) if key else None

    def word_of(self, key: str) -> str | None:
        """Return how an agent ended, in the source's own word."""
        agent = self._draft.agents[key]
        ended = self._draft.finished.get(agent.id)
        call = self.calls.get(agent.call_id or "")
        if agent.status or ended:
            return agent.status or (ended[0] if ended else None)
        if call is None or call.launch or not call.is_answered:
            return None
        return "error" if call.is_error else "completed"

    def answer(self, call: CallDraft) -> tuple[str | None, datetime | None]:
        """Return what came back from a call, and when.

        The answer of work that went on is what its notification hands over, else the last that the agent said if it
        is known to have ended, else the notification's summary.
        """
        if not call.launch:
            return call.result, call.last
        ended = self._ended(call)
        if ended is None:
            return None, None
        said = self._last_words(self.delegate(call.id)) if ended[0] == "completed" else None
        return self._draft.limit.text(said or ended[1], "result", call.attributes), ended[2]

    def is_echo(self, note: NoteDraft) -> bool:
        """Whether a message that reached somebody is there already as the call that sent it."""
        return note.call_id is None and (self.find(note.sender), (note.text or "").strip()) in self._outgoing

    def agents(self) -> Iterator[Agent]:
        """Yield the agents."""
        for key, agent in self._draft.agents.items():
            yield Agent(id=self._ids[key], name=self.name(key), role=agent.role or "worker")

    def _workers(self) -> frozenset[str]:
        for work in (*self._draft.chats.values(), *self._draft.calls.values()):
            self._began[work.agent] = min(self._began.get(work.agent, work.rank), work.rank)
        for chat in self._draft.chats.values():
            if chat.texts and (chat.agent not in self._last or chat.rank > self._last[chat.agent].rank):
                self._last[chat.agent] = chat
        return frozenset(self._began)

    def _link_by_prompt(self) -> None:
        loose = {
            agent.prompt: key
            for key, agent in reversed(self._draft.agents.items())
            if agent.prompt and agent.call_id is None
        }
        for call in self.calls.values():
            if call.name in DELEGATING and call.id not in self._draft.delegates:
                key = loose.pop(_argument(call, "prompt") or "", None)
                if key is not None:
                    self._draft.link(call.id, key)

    def _start_the_unseen(self) -> None:
        for call in self.calls.values():
            if call.name in DELEGATING and call.id not in self._draft.delegates and not call.is_error:
                self._draft.link(call.id, _argument(call, "resume") or call.id)

    def _drop_circles(self) -> None:
        """Let agents that are said to have been started by themselves, through whomever, begin with the session."""
        sound: set[str] = set()
        for start in self._draft.agents.values():
            path: set[str] = set()
            agent = start
            while agent.key not in sound and agent.call_id in self.calls:
                path.add(agent.key)
                caller = self.calls[agent.call_id].agent
                if caller in path:
                    self._draft.unread["circular delegation"] += 1
                    agent.call_id = None
                    break
                agent = self._draft.agents[caller]
            sound |= path

    def _describe(self) -> None:
        for key, agent in self._draft.agents.items():
            call = self.calls.get(agent.call_id or "")
            if key == MAIN:
                agent.name = MAIN_NAME
            elif call is not None:
                mate = _argument(call, "name")
                agent.name = mate or agent.name or _argument(call, "subagent_type") or DEFAULT_TYPE
                if description := _argument(call, "description"):
                    agent.attributes["description"] = description
            elif agent.role is None and not agent.is_described:
                self._describe_loose(agent)

    def _describe_loose(self, agent: AgentDraft) -> None:
        """Tell Claude Code's own helpers, which no call started, from agents whose call is not in the files."""
        helper = HELPER.match(agent.id)
        is_idle = agent.key in self.at_work and agent.key not in self._callers
        if helper:
            agent.role, agent.name = "system", HELPERS.get(helper[1], helper[1])
        elif is_idle and (agent.prompt is None or agent.prompt.strip() == WARM_UP):
            agent.role, agent.name = "system", "warm-up"

    def _names(self) -> dict[str, str]:
        """Return the keys of agents by what they may be called: ids, names, and an id's part before the team."""
        names: dict[str, str] = {}
        if MAIN in self._draft.agents:
            names.update(dict.fromkeys(LEADS, MAIN))
        for key, agent in self._draft.agents.items():
            for name in (agent.id, agent.name, agent.id.partition("@")[0]):
                if name:
                    names.setdefault(name, key)
        return names

    def _sent(self, call: CallDraft) -> NoteDraft | None:
        content = _argument(call, "content") or _argument(call, "message")
        receiver = _argument(call, "recipient") or _argument(call, "to") or _argument(call, "target_agent_id")
        kind = _argument(call, "type") or "message"
        everybody = receiver in (None, "*") or kind == "broadcast"
        return NoteDraft(
            id=f"{call.id}:message",
            sender=call.agent,
            receiver=None if everybody else receiver,
            rank=call.rank,
            name=kind,
            text=content,
            at=call.first,
            call_id=call.id,
        )

    def _ended(self, call: CallDraft) -> tuple[str, str | None, datetime | None] | None:
        key = self.delegate(call.id)
        task_id = self._draft.agents[key].id if key else ""
        return self._draft.finished.get(call.id) or self._draft.finished.get(task_id)

    def _last_words(self, key: str | None) -> str | None:
        chat = self._last.get(key or "")
        return "\n".join(chat.texts or ()) if chat else None


def _argument(call: CallDraft, name: str) -> str | None:
    return as_text(as_record(call.arguments).get(name))
