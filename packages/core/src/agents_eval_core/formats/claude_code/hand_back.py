"""What Claude Code notes beside the result of a call that started an agent."""

from typing import Final

import msgspec
from msgspec import Raw, Struct, field

from agents_eval_core.formats.claude_code.wire import BAD_JSON, NOTHING, Tokens

LAUNCHED: Final = frozenset({"async_launched", "teammate_spawned", "remote_launched"})


class HandBack(Struct, rename="camel", gc=False):
    """The note: `status` is `completed`, or a word that says that the work goes on; `usage` is of the last request."""

    status: str | None = None
    agent_id: str | None = None
    agent_type: str | None = None
    content: Raw = NOTHING
    usage: Tokens | None = None
    resolved_model: str | None = None
    name: str | None = None
    teammate_id: str | None = field(default=None, name="teammate_id")
    teammate_type: str | None = field(default=None, name="agent_type")
    team_name: str | None = field(default=None, name="team_name")
    total_duration_ms: float | None = None
    total_tokens: float | None = None
    total_tool_use_count: float | None = None


_hand_back: Final = msgspec.json.Decoder(HandBack)


def hand_back(detail: Raw) -> HandBack:
    """Return what a note says; nothing where it is none.

    >>> hand_back(Raw(b'{"status": "teammate_spawned", "teammate_id": "ana@team"}')).teammate_id
    'ana@team'
    """
    if not detail:
        return HandBack()
    try:
        return _hand_back.decode(detail)
    except BAD_JSON:
        return HandBack()
