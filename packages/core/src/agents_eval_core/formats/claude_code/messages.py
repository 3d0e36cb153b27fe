"""Texts that reach an agent as user messages, and who really wrote them."""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from agents_eval_core.formats.claude_code.draft import SessionDraft
from agents_eval_core.formats.claude_code.records import ENVIRONMENT, MAIN, USER, Line
from agents_eval_core.formats.claude_code.wire import Block

COMPACTION: Final = "compaction"
NOTIFICATION: Final = "<task-notification>"
TASK_FIELD: Final = re.compile(r"<(task-id|tool-use-id|status|summary)>([^<]{1,4000})</\1>")
TEAMMATE: Final = "<teammate-message"
TEAMMATE_ID: Final = re.compile(r'teammate_id="([^"]{1,200})"')
LOCAL: Final = ("<local-command-", "<bash-stdout", "<bash-stderr", "<system-reminder>")


def take_user_content(draft: SessionDraft, line: Line, content: str | list[Block], **marks: Any) -> None:
    """Take in the texts of a user message; the results of tool calls in it are not texts."""
    if isinstance(content, str):
        take_user_text(draft, line, content, **marks)
        return
    texts = [block.text for block in content if block.type == "text" and block.text]
    if texts:
        take_user_text(draft, line, "\n".join(texts), **marks)
    for block in content:
        if block.type not in ("text", "tool_result", "image", "document", "tool_reference"):
            draft.unread[f"block {block.type or '?'}"] += 1


def take_user_text(
    draft: SessionDraft, line: Line, text: str, *, is_injected: bool = False, is_summary: bool = False
) -> None:
    """Take in one text.

    Kinds, in this order: the notification that a background agent ended, which is that agent's answer; messages of
    teammates; the summary after a compaction; what Claude Code itself injects, which is left out; output of the user's
    own commands; the prompt of a sub-agent, which is the argument of the call that started it; a message of the user.
    """
    if NOTIFICATION in text:
        take_notification(draft, text, line.at)
    elif TEAMMATE in text and (found := list(_between(text, TEAMMATE, "</teammate-message>"))):
        for message in found:
            _take_teammate(draft, line, message)
    elif is_summary:
        draft.agent(COMPACTION).role = "system"
        draft.note(_by(line, COMPACTION), text, name="compaction", receiver=line.agent)
    elif is_injected:
        return
    elif line.agent != MAIN:
        draft.see(line)
        agent = draft.agent(line.agent)
        agent.prompt = agent.prompt or text
    elif text.lstrip().startswith(LOCAL):
        draft.agent(ENVIRONMENT).role = "environment"
        draft.note(_by(line, ENVIRONMENT), text, name="command output", receiver=MAIN)
    else:
        draft.agent(USER).role = "user"
        draft.note(_by(line, USER), text, receiver=MAIN)


def take_notification(draft: SessionDraft, text: str, at: datetime | None) -> None:
    """Take in that a task ended, from the text with which the agent in charge is told."""
    about, has_result, rest = text.partition("<result>")
    told = dict(TASK_FIELD.findall(about))
    answer = rest.rpartition("</result>")[0].strip() if has_result else told.get("summary")
    task_id = told.get("task-id", "").strip()
    if task_id:
        call_id = told.get("tool-use-id", "").strip()
        end_task(draft, task_id, call_id, status=told.get("status", "").strip(), answer=answer, at=at)


def end_task(draft: SessionDraft, task_id: str, call_id: str, **how: Any) -> None:
    """Take note of how a task ended; the first that gives an answer holds."""
    ended = (how["status"] or "unknown", how["answer"], how["at"])
    for key in (task_id, call_id):
        if key and (key not in draft.finished or draft.finished[key][1] is None):
            draft.finished[key] = ended


def _take_teammate(draft: SessionDraft, line: Line, message: str) -> None:
    head, _, text = message.partition(">")
    who = TEAMMATE_ID.search(head)
    name = who[1] if who else "teammate"
    draft.note(_by(line, name), text.strip(), name="teammate message", receiver=line.agent)


def _between(text: str, opening: str, closing: str) -> Iterator[str]:
    begin = text.find(opening)
    while begin >= 0 and (end := text.find(closing, begin)) >= 0:
        yield text[begin + len(opening) : end]
        begin = text.find(opening, end)


def _by(line: Line, sender: str) -> Line:
    return Line(agent=sender, at=line.at, uuid=line.uuid)
