"""The trace format `claude_code_session`: Claude Code's own transcripts of a session, with those of its sub-agents."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from agents_eval_core.errors import UnreadableError
from agents_eval_core.formats.claude_code.draft import SessionDraft
from agents_eval_core.formats.claude_code.files import (
    PREFIX,
    SessionFiles,
    holds_transcripts,
    is_transcript,
    meta_of,
    sessions_of,
)
from agents_eval_core.formats.claude_code.spans import trace_of_session
from agents_eval_core.formats.claude_code.spilled_results import FOLDER, SpilledResults
from agents_eval_core.formats.claude_code.transcript import Transcript
from agents_eval_core.formats.claude_code.wire import Lines, TranscriptLine
from agents_eval_core.trace import Outcome, Source, Trace

REWARD: Final = "reward.txt"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaudeCodeSessionFormat:
    """Reads a session: its transcript file, the folder of that name, or a folder with transcripts in it.

    Usage is taken from the last line of each `message.id`, once. Versions that write no `stop_reason` may have written
    that line before the answer was complete; such requests have the attribute `output_tokens_may_be_partial`.

    A result that was too long for the transcript is read from the session's `tool-results`; what the transcript has in
    its place, which is what the model saw, is the attribute `result_shown`.

    The answer of a sub-agent that went on in the background is taken from its notification. Agents that no call
    started are Claude Code's own (compaction, warm-up, suggestions) and have the role `system`. Where a `reward.txt`
    lies beside the transcript, as in data sets of coding tasks, that is the outcome.

    Attributes:
        root: The folder that a session's main transcript may be read from, which lies beside the session's folder; None
            is any.
    """

    root: Path | None = None

    @property
    def name(self) -> str:
        """The name it is declared under."""
        return "claude_code_session"

    def recognises(self, source: Path, head: bytes) -> bool:
        """Whether a file is a transcript by its first lines, or a folder holds transcripts.

        >>> ClaudeCodeSessionFormat().recognises(Path("any"), b'{"type":"queue-operation","sessionId":"s"}')
        True
        """
        return is_transcript(head) or (not head and source.is_dir() and holds_transcripts(source))

    def read(self, source: Path, *, longest_text: int | None = None) -> Iterator[Trace]:
        """Yield the sessions of a file or folder, each with its sub-agents.

        Raises:
            UnreadableError: A file cannot be read, or there is no line of a transcript.
        """
        problem, is_empty = "", True
        for files in sessions_of(source, self.root):
            draft = SessionDraft(longest_text, SpilledResults(files.folder, self.root))
            lines = Lines(TranscriptLine, draft.unread)
            transcript = _read(files, draft, lines)
            problem = problem or lines.problem
            if transcript.is_found:
                is_empty = False
                session = transcript.session(source)
                session.outcome = _outcome(files)
                origin = Source(format=self.name, path=str(files.main or source), digest=lines.digest)
                yield trace_of_session(draft, session, origin)
        if is_empty:
            raise UnreadableError(
                f"{source} holds no line of a Claude Code transcript: {problem or 'line 1: nothing is there'}; "
                "give a file of ~/.claude/projects, or the folder of its session"
            )

    def parts(self, source: Path) -> tuple[Path, ...]:
        """Return what is read along with a session's transcript: its sub-agents, long results, what stands beside."""
        sessions = list(sessions_of(source))
        found = [path for files in sessions for path in files.sub_agents if path != source]
        beside = [path.with_suffix(".meta.json") for path in found] + [source.with_name(REWARD)]
        results = [path for files in sessions if files.folder for path in sorted((files.folder / FOLDER).glob("*"))]
        return (*found, *(path for path in beside if path.exists()), *results)

    def within(self, root: Path) -> "ClaudeCodeSessionFormat":
        """Return a reader that looks for main transcripts in a folder only."""
        return replace(self, root=root)


def _read(files: SessionFiles, draft: SessionDraft, lines: Lines[TranscriptLine]) -> Transcript:
    transcript = Transcript(draft, frozenset(path.stem.removeprefix(PREFIX) for path in files.sub_agents))
    if files.main is not None:
        transcript.begin_file(None)
        for line in lines.of(files.main):
            transcript.take(line)
    for path in files.sub_agents:
        agent = path.stem.removeprefix(PREFIX)
        transcript.begin_file(agent)
        for line in lines.of(path):
            transcript.take(line)
        if meta := meta_of(path):
            transcript.describe(agent, meta)
    return transcript


def _outcome(files: SessionFiles) -> Outcome | None:
    if files.main is None:
        return None
    try:
        with (files.main.parent / REWARD).open("rb") as file:
            reward = float(file.read(64))
    except (OSError, ValueError):
        return None
    return Outcome(reward=reward) if abs(reward) < float("inf") else None
