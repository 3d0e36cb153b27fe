"""Logs in which named speakers talk to each other: group chats, pairs, teams under an orchestrator.

The log is one `invoke_workflow`; what somebody says is a `message`, a `chat` where the source gives the tokens of the
model call. The output of executed code is an `execute_tool` of whoever wrote the code, under whatever name it is
spoken. In a conversation of two, each message is to the other one; in larger ones it is to all, and has no receiver.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from agents_eval_core.formats.building.trace_log import Answer, TraceLog
from agents_eval_core.formats.speakers.code_execution import Code, code_in, execution_failure, is_output
from agents_eval_core.trace import Role, Usage

MATH_PROXY: Final = "mathproxyagent"
"""AG2's MathUserProxyAgent: no person and no model; it poses the task, runs code and answers "Continue"."""
ROLES: Final[Mapping[str, Role]] = {
    **dict.fromkeys(("computerterminal", "codeexecutor", "codeexecutoragent", "terminal", MATH_PROXY), "environment"),
    **dict.fromkeys(("user", "human", "userproxy", "userproxyagent"), "user"),
    **dict.fromkeys(
        ("chatmanager", "groupchatmanager", "orchestrator", "magenticoneorchestrator", "selectorgroupchatmanager"),
        "orchestrator",
    ),
}
UNNAMED: Final = re.compile(r"[\W_]+")
PAIR: Final = 2


def role_of(name: str) -> Role:
    """Return the role that a speaker's name tells: only names that frameworks give by default tell more than `worker`.

    >>> role_of("Computer_terminal"), role_of("chat_manager"), role_of("Agent_Code_Executor")
    ('environment', 'orchestrator', 'worker')
    """
    return ROLES.get(_bare(name), "worker")


class SpeakerLog(TraceLog):
    r"""Gathers one conversation of named speakers.

    >>> log = SpeakerLog()
    >>> log.say("solver", "```python\nprint(6 * 7)\n```", "0")
    >>> log.say("Computer_terminal", "exitcode: 0 (execution succeeded)\nCode output: 42", "1")
    >>> [(span.operation, span.agent_id) for span in log.spans]
    [('invoke_workflow', None), ('message', 'solver'), ('execute_tool', 'solver')]
    """

    def __init__(self, longest_text: int | None = None, *, attributes: Mapping[str, Any] | None = None) -> None:
        super().__init__(longest_text)
        self._root_attributes = dict(attributes or {})
        self._code: Code | None = None
        self._spoken_before: Code | None = None

    @property
    def root(self) -> str:
        """The id of the span above all others."""
        if not self.spans:
            self.add(
                "invoke_workflow", "invoke_workflow", id="root", status="unknown", attributes=self._root_attributes
            )
        return self.spans[0].id

    def speaker(self, name: str) -> str:
        """Return the id of a speaker."""
        return self.agent(name, role_of(name))

    def say(self, name: str, text: str | None, source_id: str, **fields: Any) -> None:
        """Add what somebody said, or the execution that it is the output of."""
        parent, speaker, said = self.root, self.speaker(name), text or ""
        before, self._spoken_before = self._spoken_before, code_in(said, author_id=speaker, source_id=source_id)
        is_math_proxy = _bare(name) == MATH_PROXY
        if is_output(said, of_math_proxy=is_math_proxy, follows_code=before is not None):
            self._executed(said, speaker, source_id, fields)
            self._spoken_before = None
            return
        self._code = self._spoken_before or self._code
        usage: Usage | None = fields.get("usage")
        self.add(
            "message" if usage is None else "chat",
            name,
            id=source_id,
            agent_id=speaker,
            parent_id=parent,
            text=text,
            source_ids=[source_id],
            **fields,
        )

    def with_receivers(self) -> None:
        """Give the messages of a conversation of two their receivers; called when all is said."""
        speakers = {span.agent_id for span in self.spans if span.agent_id is not None}
        if len(speakers) != PAIR or len(self.agents) != PAIR:
            return
        for at, span in enumerate(self.spans):
            if span.operation in ("message", "chat") and span.to_agent_id is None:
                other = next(agent.id for agent in self.agents if agent.id != span.agent_id)
                self.change(at, to_agent_id=other)

    def _executed(self, output: str, speaker: str, source_id: str, fields: Mapping[str, Any]) -> None:
        code, self._code = self._code, None
        is_executor = any(agent.id == speaker and agent.role == "environment" for agent in self.agents)
        at = self.call(
            code.language if code else "code",
            {"code": code.text} if code else None,
            id=source_id,
            agent_id=code.author_id if code else speaker if is_executor else None,
            parent_id=self.root,
            source_ids=[code.source_id] if code else [],
            attributes={"spoken_by": speaker, **fields.get("attributes", {})},
        )
        failure = execution_failure(output)
        self.answer_at(at, Answer(text=output, source_id=source_id, at=fields.get("ended_at")))
        if failure is not None and self.spans[at].status != "error":
            self.change(at, status="error", error_type=failure.error_type, error_text=failure.error_text)


def _bare(name: str) -> str:
    return UNNAMED.sub("", name).lower()
