"""HyperAgent's log: lines of a logger, each entry going on until the next line that begins with the logger's name.

A planner's response is a model call; where it names an intern and a subgoal it is also one delegation, a `handoff` with
the subgoal as its text. An intern's response is a model call; where it ends in an action, the code of the action is a
call, of the tool that it runs if it runs one kind (`open_file._run(…)`), else of `python`. The log has no results of
calls, so their status is unknown. `Navigator->Planner:` is the message by which an intern answers.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from agents_eval_core.formats.building.trace_log import TraceLog
from agents_eval_core.formats.speakers.code_execution import code_in

ENTRY: Final = re.compile(r"HyperAgent_\S{1,200} - [A-Z]{1,10} - (?P<said>.*)", re.DOTALL)
RESPONSE: Final = re.compile(r"(?:Inner-)?(?P<name>[A-Za-z]{1,40})(?:-Assistant)?'s Response: ?(?P<text>.*)", re.DOTALL)
ANSWER: Final = re.compile(r"(?P<name>[A-Za-z]{1,40})->(?P<to>[A-Za-z]{1,40}): ?(?P<text>.*)", re.DOTALL)
INTERN: Final = re.compile(r"^Intern Name: ?(?:Codebase )?(?P<name>[\w -]{1,40}?)[ \t]*$", re.MULTILINE)
SUBGOAL: Final = re.compile(r"^Subgoal:[ \t]*", re.MULTILINE)
ACTION: Final = re.compile(r"^Action:\s*(?=```)", re.MULTILINE)
TOOL: Final = re.compile(r"\b([a-z_]\w{0,60})\._run\(")
PLANNER: Final = "Planner"


def is_hyperagent(lines: Iterable[str]) -> bool:
    """Whether the first of some lines that says anything is of HyperAgent's logger.

    >>> is_hyperagent(["HyperAgent_x-1 - INFO - Initialized tools"])
    True
    """
    return any(ENTRY.match(line) is not None for line in [line for line in lines if line.strip()][:1])


class HyperAgentLog(TraceLog):
    """Gathers one log.

    >>> log = HyperAgentLog()
    >>> log.read(["HyperAgent_x - INFO - Planner's Response: Look.", "Intern Name: Executor", "Subgoal: Run it."])
    >>> [(span.operation, span.agent_id, span.to_agent_id) for span in log.spans[1:]]
    [('chat', 'Planner', None), ('handoff', 'Planner', 'Executor')]
    """

    def read(self, lines: Iterable[str]) -> None:
        """Take in the lines of a log."""
        self.add("invoke_workflow", "invoke_workflow HyperAgent", id="root", status="unknown")
        for place, said in _entries(lines):
            self._take(said, str(place))

    def _take(self, said: str, place: str) -> None:
        entry = ENTRY.match(said)
        if entry is None:
            self.miss("line before the first entry")
            return
        text = entry.group("said")
        response, answer = RESPONSE.match(text), ANSWER.match(text)
        if response is not None:
            self._take_response(response.group("name"), response.group("text"), place)
        elif answer is not None:
            self.add(
                "message",
                answer.group("name"),
                id=place,
                parent_id="root",
                agent_id=self._member(answer.group("name")),
                to_agent_id=self._member(answer.group("to")),
                text=answer.group("text").strip(),
                source_ids=[place],
            )
        else:
            self.add("other", "log", id=place, parent_id="root", text=text.strip(), source_ids=[place])

    def _take_response(self, name: str, text: str, place: str) -> None:
        agent_id = self._member(name)
        intern = INTERN.search(text) if name == PLANNER else None
        action = None if name == PLANNER else _last(ACTION, text)
        end = min(match.start() for match in (intern, action) if match) if intern or action else len(text)
        self.add(
            "chat",
            f"chat {name}",
            id=place,
            parent_id="root",
            agent_id=agent_id,
            text=text[:end].strip(),
            source_ids=[place],
        )
        if intern is not None:
            self._take_delegation(agent_id, intern, text, place)
        elif action is not None:
            self._take_action(agent_id, text[action.end() :], place)

    def _take_delegation(self, agent_id: str, intern: re.Match[str], text: str, place: str) -> None:
        receiver = self._member(intern.group("name"))
        asked = SUBGOAL.sub("", text[intern.end() :], count=1).strip()
        self.add(
            "handoff",
            f"handoff {intern.group('name')}",
            parent_id="root",
            agent_id=agent_id,
            to_agent_id=receiver,
            text=asked,
            source_ids=[place],
        )

    def _take_action(self, agent_id: str, text: str, place: str) -> None:
        code = code_in(text, author_id=agent_id, source_id=place)
        source = code.text if code is not None else text.strip()
        tools = set(TOOL.findall(source))
        name = tools.pop() if len(tools) == 1 else code.language if code is not None else "code"
        self.call(name, {"code": source}, agent_id=agent_id, parent_id="root", source_ids=[place])

    def _member(self, name: str) -> str:
        return self.agent(name, "orchestrator" if name == PLANNER else "worker")


def _entries(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield the entries with the number of the line in which each begins."""
    begun, gathered = 0, list[str]()
    for number, line in enumerate(lines):
        if ENTRY.match(line) and gathered:
            yield begun, "\n".join(gathered)
            gathered = []
        if not gathered:
            begun = number
        gathered.append(line)
    if any(line.strip() for line in gathered):
        yield begun, "\n".join(gathered)


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    found = None
    for found in pattern.finditer(text):  # noqa: B007  the last one is wanted
        pass
    return found
