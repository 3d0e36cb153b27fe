"""The tape of a run: what its model replied, in a file beside the run, so that it can be played back for nothing."""

import json
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

from pydantic import Field, TypeAdapter, ValidationError
from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter, ModelResponse

from agents_eval_agents.reading.room import Room
from agents_eval_core.errors import ModelError, UnreadableError, UsageError
from agents_eval_core.frozen import Frozen
from agents_eval_core.redaction import redact

FILE_NAME: Final = "replies.jsonl"
OF_A_MESSAGE: Final = ("kind", "instructions")
OF_A_PART: Final = ("part_kind", "content", "tool_name", "args", "outcome")
RESPONSE: Final = TypeAdapter[ModelResponse](ModelResponse)


class Header(Frozen):
    """The first line of a tape: which model it was, how it gives structured answers, and how much it could read."""

    schema_: Literal["agents-eval/replies/1"] = Field(default="agents-eval/replies/1", alias="schema")
    model: str
    system: str
    structured_output: Literal["tool", "native", "prompted"] = "tool"
    room: Room | None = None


class Entry(Frozen):
    """A reply, and the digest of what it answers."""

    request: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    response: dict[str, Any]


@dataclass(slots=True, kw_only=True)
class Tape:
    """The replies of one run as they come."""

    header: Header
    entries: list[Entry] = field(default_factory=list[Entry])

    def keep(self, messages: Sequence[ModelMessage], response: ModelResponse) -> None:
        """Keep a reply."""
        said = json.loads(redact(RESPONSE.dump_json(response).decode()))
        self.entries.append(Entry(request=digest_of(messages), response=said))

    def lines(self) -> bytes:
        """Return the tape as it is kept, secrets taken out."""
        rows: Iterable[Frozen] = (self.header, *self.entries)
        return "".join(row.model_dump_json(by_alias=True) + "\n" for row in rows).encode()


@dataclass(frozen=True, slots=True, kw_only=True)
class Playback:
    """A tape that is played: each reply once, in order where the same was asked several times."""

    header: Header
    folder: Path
    waiting: dict[str, deque[ModelResponse]]

    @classmethod
    def of(cls, folder: Path) -> Self:
        """Return the tape of a run directory.

        Raises:
            UsageError: There is none.
            UnreadableError: It is damaged, or was written by a newer version.
        """
        path = folder / FILE_NAME
        if not path.is_file():
            raise UsageError(
                f"{folder} has no {FILE_NAME} to play back; give the directory of a run that asked a language model"
            )
        first, *rest = path.read_text(encoding="utf-8").splitlines() or [""]
        waiting: dict[str, deque[ModelResponse]] = defaultdict(deque)
        place = 1
        try:
            header = Header.model_validate_json(first)
            for line in rest:
                place += 1
                entry = Entry.model_validate_json(line)
                waiting[entry.request].append(RESPONSE.validate_python(entry.response))
        except ValidationError as problem:
            raise UnreadableError(f"{path}, line {place}: not a tape of replies; record the run anew") from problem
        return cls(header=header, folder=folder, waiting=waiting)

    def reply_to(self, messages: Sequence[ModelMessage]) -> ModelResponse:
        """Return the reply that was given to this.

        Raises:
            ModelError: The recorded run asked something else.
        """
        replies = self.waiting.get(digest_of(messages))
        if not replies:
            raise ModelError(
                f"the run in {self.folder.name} did not ask this, so it has no reply to play back; "
                "replay with its own paper, composition, query and prompts, and the version that recorded it",
                error_type="ReplayMismatchError",
            )
        return replies.popleft()


def digest_of(messages: Sequence[ModelMessage]) -> str:
    """Return the digest of a conversation's content: without times and names of runs, and without its secrets.

    Ids of tool calls count by their order, since some models are sent others than they gave.
    """
    ids: dict[Any, int] = {}
    content = [
        {
            **{name: message.get(name) for name in OF_A_MESSAGE},
            "parts": [
                {
                    **{name: part.get(name) for name in OF_A_PART},
                    "call": ids.setdefault(part.get("tool_call_id"), len(ids)),
                }
                for part in message["parts"]
            ],
        }
        for message in ModelMessagesTypeAdapter.dump_python(list(messages), mode="json")
    ]
    text = redact(json.dumps(content, sort_keys=True, ensure_ascii=False))
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
