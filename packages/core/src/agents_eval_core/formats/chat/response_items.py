"""Items of OpenAI's Responses API, which are what the Agents SDK keeps of a run.

What becomes what: the output items that follow each other (messages, reasoning, calls) are one model call, a `chat`; a
`function_call` is an `execute_tool` that the later `function_call_output` answers; a call that the service ran itself
(`web_search_call`, `mcp_call`, …) has its result and status in one item; an input message is a `message` of the user.
A call of a hand-off is answered by the name of the agent that takes over: it is a delegation, and what follows is that
agent's. Reasoning is kept as the attribute `reasoning`.
"""

from collections.abc import Mapping
from typing import Any, Final

from agents_eval_core.formats.building.trace_log import Answer, TraceLog
from agents_eval_core.formats.chat.chat_messages import INSTRUCTIONS, usage_of
from agents_eval_core.formats.chat.content_parts import result_of, text_of
from agents_eval_core.formats.json_text.json_values import as_list, as_record, as_text, parsed

CALL: Final = "_call"
OUTPUT: Final = "_call_output"
STATUSES: Final[Mapping[str, bool]] = {"completed": False, "failed": True, "incomplete": True}
RESULTS: Final = ("output", "results", "outputs", "result")
NO_ARGUMENTS: Final = frozenset((*RESULTS, "id", "type", "status", "call_id", "name", "error", "namespace"))
NOTED: Final = ("mcp_list_tools", "mcp_approval_request", "mcp_approval_response", "compaction", "item_reference")
TRANSFER: Final = "transfer_to_"


def is_item(value: Any) -> bool:
    """Whether a value is an item that no other format has: a typed message in parts, a call, an output, reasoning.

    >>> is_item({"type": "function_call", "call_id": "c", "name": "add", "arguments": "{}"})
    True
    """
    item = as_record(value)
    kind = item.get("type")
    if kind == "message":
        parts = [as_record(part).get("type") for part in as_list(item.get("content"))]
        return any(part in ("output_text", "input_text", "refusal") for part in parts)
    return isinstance(kind, str) and (
        kind in ("function_call", "function_call_output", *NOTED)
        or (kind == "reasoning" and "summary" in item)
        or (kind.endswith((CALL, OUTPUT)) and ("id" in item or "call_id" in item))
    )


def is_input(value: Any) -> bool:
    """Whether a value is an item, or a plain message as an input may have it."""
    item = as_record(value)
    return is_item(item) or (item.get("role") in ("user", "assistant", "system", "developer") and "content" in item)


class ItemLog(TraceLog):
    """Gathers the items of one run.

    >>> log = ItemLog()
    >>> log.take({"type": "function_call", "call_id": "c", "name": "transfer_to_billing", "arguments": "{}"}, "0")
    >>> log.take({"type": "function_call_output", "call_id": "c", "output": '{"assistant": "Billing"}'}, "1")
    >>> [(span.operation, span.agent_id, span.to_agent_id) for span in log.spans[1:]]
    [('chat', 'assistant', None), ('execute_tool', 'assistant', 'Billing')]
    """

    def __init__(self, longest_text: int | None = None, *, attributes: Mapping[str, Any] | None = None) -> None:
        super().__init__(longest_text)
        self.chats: dict[str, int] = {}
        self._root_attributes = dict(attributes or {})
        self._speaker: str | None = None
        self._chat: int | None = None
        self._unaddressed: list[int] = []

    def take(self, item: dict[str, Any], place: str, *, agent: str | None = None) -> None:
        """Add an item; `agent` is whose it is, where the source says it."""
        kind, role = str(item.get("type") or "message"), item.get("role")
        if agent is not None and agent != self._speaker:
            self._speaker, self._chat = agent, None
        if kind == "message" and role in ("system", "developer") and not self.spans:
            self._root_attributes[INSTRUCTIONS] = text_of(item.get("content"))
        elif kind == "message":
            self._take_message(item, place, str(role))
        elif kind == "reasoning":
            self._take_reasoning(item, place)
        elif kind.endswith(OUTPUT):
            self._take_output(item, place)
        elif kind.endswith(CALL):
            self._take_call(item, place, kind)
        elif kind in NOTED:
            self.add(
                "other", kind, agent_id=self._agent(), parent_id=self._under(), source_ids=[place], attributes=item
            )
        else:
            self.miss(f"item {kind}")

    def next_response(self) -> None:
        """Begin another model call with the next output item."""
        self._chat = None

    def finish(self) -> None:
        """Make the root the run of the agent where there is but one; called when all is taken."""
        if self._unaddressed:
            self._address(self._agent())
        workers = [agent for agent in self.agents if agent.role == "worker"]
        if self.spans and len(workers) == 1:
            name = workers[0].name
            self.change(0, operation="invoke_agent", name=f"invoke_agent {name}", agent_id=workers[0].id)

    def tell(self, key: str, *, usage: Any, model: Any) -> bool:
        """Give the model call of an item its usage and model; False where the item is not known or has been told."""
        at = self.chats.get(key)
        if at is None or self.spans[at].usage is not None:
            return False
        self.change(at, usage=usage_of(usage), model=as_text(model) or self.spans[at].model)
        return True

    def _agent(self) -> str:
        return self.agent(self._speaker or "assistant")

    def _under(self) -> str:
        if not self.spans:
            self.add(
                "invoke_workflow", "invoke_workflow", id="root", status="unknown", attributes=self._root_attributes
            )
        return "root"

    def _address(self, agent_id: str) -> None:
        """Say who was spoken to, now that it speaks."""
        for at in self._unaddressed:
            self.change(at, to_agent_id=agent_id)
        self._unaddressed.clear()

    def _chat_of(self, item: Mapping[str, Any], place: str) -> int:
        """Return the place of the model call that an output item belongs to."""
        parent = self._under()
        if self._chat is None:
            name = self._speaker or "assistant"
            self._chat = self.add("chat", f"chat {name}", agent_id=self._agent(), parent_id=parent)
            self._address(self._agent())
        span = self.spans[self._chat]
        self.change(self._chat, source_span_ids=(*span.source_span_ids, place))
        for key in (as_text(item.get("id")), as_text(item.get("call_id"))):
            if key is not None:
                self.chats.setdefault(key, self._chat)
        return self._chat

    def _take_message(self, item: dict[str, Any], place: str, role: str) -> None:
        text = text_of(item.get("content"))
        if role == "assistant":
            at = self._chat_of(item, place)
            self.extend(at, text)
            return
        self._chat = None
        kind = "system" if role in ("system", "developer") else "user"
        parent = self._under()
        user = self.agent(kind, kind, key=f" {kind}")
        at = self.add("message", kind, agent_id=user, parent_id=parent, text=text, source_ids=[place])
        self._unaddressed.append(at)

    def _take_reasoning(self, item: dict[str, Any], place: str) -> None:
        at = self._chat_of(item, place)
        text = text_of(item.get("summary")) or text_of(item.get("content"))
        if text:
            self.note(at, "reasoning", text)

    def _take_call(self, item: dict[str, Any], place: str, kind: str) -> None:
        self._chat_of(item, place)
        is_function = kind in ("function_call", "custom_tool_call")
        own = {key: value for key, value in item.items() if key not in NO_ARGUMENTS and value is not None}
        asked = item.get("arguments", item.get("input"))
        at = self.call(
            as_text(item.get("name")) or kind.removesuffix(CALL),
            parsed(asked) if asked is not None else own or None,
            call_id=as_text(item.get("call_id")) or as_text(item.get("id")),
            agent_id=self._agent(),
            parent_id=self._under(),
            source_ids=[place],
        )
        if not is_function and item.get("call_id") is None:
            self._answer_itself(at, item)

    def _answer_itself(self, at: int, item: Mapping[str, Any]) -> None:
        """Join what a call of the service says about its own end."""
        result = next((item[key] for key in RESULTS if item.get(key) is not None), None)
        error = item.get("error")
        is_error = True if error else STATUSES.get(str(item.get("status")))
        if is_error is None and result is None:
            return
        self.answer_at(at, Answer(text=result_of(error if error and result is None else result), is_error=is_error))

    def _take_output(self, item: dict[str, Any], place: str) -> None:
        self._chat = None
        call_id = as_text(item.get("call_id"))
        at, result = self.waiting(call_id), item.get("output")
        if at is None or not self.answer(call_id, Answer(text=result_of(result), source_id=place)):
            self.miss("tool result without its call")
            return
        to = as_text(as_record(parsed(result)).get("assistant"))
        if to is not None and self.spans[at].name.startswith(TRANSFER):
            self.change(at, to_agent_id=self.agent(to), status="ok")
            self._speaker = to
