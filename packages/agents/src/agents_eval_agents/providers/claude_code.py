"""Claude Code as a judge: its program in print mode, without tools, in a process group of its own."""

import asyncio
import json
import os
import shutil
import signal
import sys
import tempfile
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar, cast

from pydantic import BaseModel

from agents_eval_agents.providers.reply_text import reply_as
from agents_eval_core.errors import ModelError, UsageError
from agents_eval_core.ports.chat_model import ChatLimits, ChatMessage, Reply

TModel = TypeVar("TModel", bound=BaseModel)
PROGRAM: Final = "claude"
CONTEXT_TOKENS: Final = 200_000
LARGEST_ANSWER: Final = 4 * 2**20
SHOWN: Final = 300
ARGUMENTS: Final = (
    "--print",
    "--output-format=json",
    "--tools",
    "",
    "--strict-mcp-config",
    "--disable-slash-commands",
    "--no-session-persistence",
    "--setting-sources",
    "",
)
FORM: Final = """

Answer with one JSON object and nothing else, no code fence and no words around it. It must fit this JSON Schema:
{schema}"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaudeCodeModel:
    """One question, one process: it may read nothing, call nothing and leave nothing behind.

    It runs in an empty folder, without tools, MCP servers, settings files or slash commands. The question goes to its
    standard input, so that no length limit of the command line applies to material.
    """

    model: str | None = None
    program: str = PROGRAM
    context_tokens: int | None = CONTEXT_TOKENS

    @property
    def name(self) -> str:
        """The model's name as it is stored with each judgement."""
        return self.model or "default"

    async def complete(
        self, messages: Sequence[ChatMessage], schema: type[TModel], limits: ChatLimits
    ) -> Reply[TModel]:
        """Return the answer as a `schema`.

        Raises:
            UnreadableReplyError: The answer is not of that shape.
            ModelError: The program did not answer.
            TimeoutError: It took longer than the limits allow; its whole process group has ended.
        """
        system = "\n\n".join(message.text for message in messages if message.role == "system")
        system += FORM.format(schema=json.dumps(schema.model_json_schema()))
        said = await asyncio.wait_for(self._said(system, _dialogue(messages)), limits.seconds)
        answer = _envelope(said)
        text = str(answer.get("result") or "")
        usage = _numbers(answer.get("usage"))
        cost = answer.get("total_cost_usd")
        return Reply(
            value=reply_as(schema, text),
            model=_model_of(answer) or self.name,
            text=text,
            input_tokens=_input_tokens(usage),
            output_tokens=usage.get("output_tokens"),
            cost_usd=float(cost) if isinstance(cost, int | float) else None,
        )

    async def _said(self, system: str, question: str) -> bytes:
        with tempfile.TemporaryDirectory(prefix="agents-eval-judge-") as folder:
            instructions = Path(folder) / "instructions.txt"
            instructions.write_text(system, encoding="utf-8")
            process = await self._start(folder, instructions)
            try:
                out, err = await process.communicate(question.encode("utf-8", "replace"))
            finally:
                await _end(process)
        if process.returncode:
            said = " ".join((err or out).decode("utf-8", "replace").split())[:SHOWN]
            raise _failed(f"{self.program} ended with code {process.returncode}: {said or 'it said nothing'}")
        if len(out) > LARGEST_ANSWER:
            raise _failed(f"{self.program} answered with more than {LARGEST_ANSWER // 2**20} MiB")
        return out

    async def _start(self, folder: str, instructions: Path) -> Process:
        found = shutil.which(self.program)
        if found is None:
            raise _failed(f"there is no program {self.program!r} on the PATH any more")
        model = (f"--model={self.model}",) if self.model else ()
        return await asyncio.create_subprocess_exec(
            found,
            *ARGUMENTS,
            *model,
            f"--system-prompt-file={instructions}",
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            cwd=folder,
            start_new_session=True,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaudeCode:
    """Gives Claude Code as a judge; to let it review is `--engine cc-solo`."""

    name: str = "claude-code"
    default_model: str | None = None
    has_language_model: bool = True
    requests_at_once: int = 1
    run_tokens: int | None = None

    def knows_price(self, model: str) -> bool:  # noqa: ARG002  the port's shape
        """Return False: it says what a question has cost only afterwards."""
        return False

    def context_tokens(self, model: str) -> int:  # noqa: ARG002  the port's shape
        """Return what all its models read at once."""
        return CONTEXT_TOKENS

    def fitting_model(self, paper_tokens: int) -> None:
        """Return None: it chooses the model itself."""

    def unavailable_because(self) -> str | None:
        """Return None where its program is on the PATH."""
        if sys.platform == "win32":
            return "it needs process groups, which Windows does not have"
        if shutil.which(PROGRAM) is None:
            return f"there is no program {PROGRAM!r} on the PATH; install Claude Code and log in"
        return None

    def agent_model(self, name: str | None) -> NoReturn:  # noqa: ARG002  the port's shape
        """Refuse: its program is no model for agents.

        Raises:
            UsageError: Always.
        """
        raise UsageError("provider 'claude-code' judges only; to let Claude Code review, use --engine cc-solo")

    def answering_model(self, name: str | None) -> NoReturn:
        """Refuse; see `agent_model`."""
        self.agent_model(name)

    def chat_model(self, name: str | None) -> ClaudeCodeModel:
        """Return the judge; without a name, the model that Claude Code takes by default."""
        return ClaudeCodeModel(model=name)


def _failed(sentence: str) -> ModelError:
    return ModelError(sentence, error_type="ClaudeCodeError")


def _dialogue(messages: Sequence[ChatMessage]) -> str:
    turns = [message for message in messages if message.role != "system"]
    if len(turns) == 1:
        return turns[0].text
    return "\n\n".join(f"{'Your answer' if turn.role == 'assistant' else 'Request'}:\n{turn.text}" for turn in turns)


def _envelope(said: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(said)
    except ValueError as problem:
        raise _failed("claude did not answer in its JSON form; is it a recent version?") from problem
    if not isinstance(answer, dict):
        raise _failed("claude answered with something else than one JSON object")
    answer = cast("dict[str, Any]", answer)
    if answer.get("is_error") or answer.get("subtype") not in (None, "success"):
        said_so = " ".join(str(answer.get("result") or answer.get("subtype")).split())[:SHOWN]
        raise _failed(f"claude reports an error: {said_so}")
    return answer


def _numbers(usage: object) -> dict[str, int]:
    if not isinstance(usage, dict):
        return {}
    return {str(name): value for name, value in cast("dict[Any, Any]", usage).items() if isinstance(value, int)}


def _input_tokens(usage: dict[str, int]) -> int | None:
    kinds = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    return sum(usage.get(kind, 0) for kind in kinds) if "input_tokens" in usage else None


def _model_of(answer: dict[str, Any]) -> str | None:
    used = answer.get("modelUsage")
    return "+".join(cast("dict[str, Any]", used)) if isinstance(used, dict) and used else None


async def _end(process: Process) -> None:
    """End the process and all that it has started; without effect where they are gone."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    with suppress(ProcessLookupError):
        await process.wait()
