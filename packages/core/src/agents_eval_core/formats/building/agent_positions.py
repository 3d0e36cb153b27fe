"""Who is who in a trace: agents told apart by their names and by who delegates to them.

An agent is a name at a position; the position is the chain of agents that delegate down to it. So a researcher whom the
manager invokes three times is one agent, while an agent that invokes another of the same name makes two. Where the
source itself tells agents of a name apart (by an id), they stay apart. The first agent of a name has the name as its
id, the next ones are `name#2`, `name#3`. Where the spans above are missing (a file cut short), the only agent of that
name is meant.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from msgspec.structs import force_setattr

from agents_eval_core.trace import Agent, Role, Span


class Actor(NamedTuple):
    """An agent as a record names it: by name, and by an id where the source has one."""

    name: str
    key: str | None = None


Position: TypeAlias = tuple[Actor | None, ...]
"""Agents from the top; None first where the spans above are missing."""

DEEPEST: Final = 32
"""Names that a position keeps; deeper recursion of an agent into itself makes no new agents."""


class AgentPositions:
    """Gathers where agents stand, from spans that are handed in parents first."""

    def __init__(self) -> None:
        self._actor: dict[str, Position] = {}
        self._tool_above: dict[str, str] = {}
        self._named_delegate: dict[str, Position] = {}
        self._delegate: dict[str, Position] = {}
        self._roles: dict[Position, Role] = {}
        self._known: dict[Position, Position] = {}

    def place(
        self,
        span: Span,
        *,
        agent_name: str | None,
        delegate_name: str | None,
        agent_key: str | None = None,
        role: Role | None = None,
    ) -> None:
        """Take in a span.

        Args:
            span: The span.
            agent_name: Who did it by its own words.
            delegate_name: To whom it says that it hands work.
            agent_key: What tells the agent apart from others of its name.
            role: The agent's role, where the record tells it.
        """
        above, tool = self._above(span.parent_id), self._tool_above.get(span.parent_id or "")
        actor = Actor(agent_name or span.name, agent_key)
        if span.operation == "invoke_agent":
            above = self._below(above, actor)
            if tool is not None:
                self._delegate.setdefault(tool, above)
            tool = None
        elif agent_name and (role is not None or not any(above)):
            above = self._below(above, actor)
        if role is not None:
            self._roles[above] = role
        if span.operation in ("execute_tool", "handoff"):
            tool = span.id
        if delegate_name:
            giver = above if span.operation == "execute_tool" else above[:-1]
            self._named_delegate[span.id] = self._below(giver, Actor(delegate_name))
        self._actor[span.id] = above if any(above) else ()
        if tool is not None:
            self._tool_above[span.id] = tool

    def settle(self, spans: Sequence[Span]) -> tuple[Agent, ...]:
        """Write into the spans, which nobody else has yet, who did them, and return the agents as they appear."""
        self._delegate = self._named_delegate | self._delegate
        known = _completed([*self._actor.values(), *self._delegate.values()])
        ids = _Ids()
        for span in spans:
            position = self._actor[span.id]
            if position:
                force_setattr(span, "agent_id", ids.of(known[position]))
            delegate = self._delegate.get(span.id)
            if delegate:
                force_setattr(span, "to_agent_id", ids.of(known[delegate]))
        return _agents(ids.by_position, {known.get(position, position): role for position, role in self._roles.items()})

    def _above(self, parent_id: str | None) -> Position:
        return self._actor.get(parent_id, (None,)) if parent_id else ()

    def _below(self, above: Position, actor: Actor) -> Position:
        position = (*above, actor)[-DEEPEST:]
        return self._known.setdefault(position, position)


class _Ids:
    def __init__(self) -> None:
        self.by_position: dict[Position, str] = {}
        self._taken: set[str] = set()
        self._numbers: dict[str, int] = {}

    def of(self, position: Position) -> str:
        agent_id = self.by_position.get(position)
        if agent_id is None:
            agent_id = self.by_position[position] = self._free(_name(position))
        return agent_id

    def _free(self, name: str) -> str:
        free, number = name, self._numbers.get(name, 1)
        while free in self._taken:
            number += 1
            free = f"{name}#{number}"
        self._numbers[name] = number
        self._taken.add(free)
        return free


def _completed(positions: Iterable[Position]) -> Mapping[Position, Position]:
    """Return, for positions whose top is missing, the only other position that ends alike; for others, themselves."""
    distinct = dict.fromkeys([(), *positions])
    if not any(position and position[0] is None for position in distinct):
        return {position: position for position in distinct}
    by_actor: dict[Actor | None, list[Position]] = {}
    for position in distinct:
        by_actor.setdefault(position[-1] if position else None, []).append(position)
    return {position: _completion(position, by_actor) for position in distinct}


def _completion(position: Position, by_actor: Mapping[Actor | None, list[Position]]) -> Position:
    if not position or position[0] is not None:
        return position
    end = position[1:]
    alike = [
        other
        for other in by_actor[position[-1]]
        if other != position and other[-len(end) :] == end and other[: len(position)] != position
    ]
    return alike[0] if len(alike) == 1 else position


def _name(position: Position) -> str:
    last = position[-1]
    return last.name if last is not None else "?"


def _agents(ids: Mapping[Position, str], roles: Mapping[Position, Role]) -> tuple[Agent, ...]:
    in_charge = {position[:-1] for position in ids if position not in roles}
    return tuple(
        Agent(
            id=agent_id,
            name=_name(position),
            role=roles.get(position, "orchestrator" if position in in_charge else "worker"),
        )
        for position, agent_id in ids.items()
    )
