"""The prompts of the review team: Markdown files, one an agent, that a user's own files can replace."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import Self

from agents_eval_core.errors import UnknownNameError, UsageError

SUFFIX = ".md"
MOST_BYTES = 200_000
TEAM = "agents_eval_agents.review_team"


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompts:
    """The instructions of each agent by its name."""

    texts: Mapping[str, str] = field(hash=False)

    @classmethod
    def load(cls, folder: Path | None = None, *, package: str = TEAM) -> Self:
        """Return the built-in prompts of a package, with those of a folder in place of the ones of the same name.

        >>> sorted(Prompts.load().texts)
        ['analyst', 'critic', 'manager', 'reader', 'researcher', 'reviewer', 'synthesizer']

        Raises:
            UsageError: There is no such folder, or it holds a prompt that no agent has or that cannot be read.
        """
        built_in = resources.files(package).joinpath("prompts")
        texts = {
            file.name.removesuffix(SUFFIX): file.read_text("utf-8")
            for file in built_in.iterdir()
            if file.name.endswith(SUFFIX)
        }
        return cls(texts={**texts, **(_replacements(folder, texts) if folder is not None else {})})

    @property
    def digest(self) -> str:
        """SHA-256 of the names and texts in use: another prompt is another digest."""
        total = sha256()
        for name, text in sorted(self.texts.items()):
            for part in (name, text):
                total.update(f"{len(part.encode())}:".encode() + part.encode())
        return total.hexdigest()


def _replacements(folder: Path, known: Mapping[str, str]) -> dict[str, str]:
    if not folder.is_dir():
        raise UsageError(f"the prompts folder {folder} does not exist; give one with files such as manager{SUFFIX}")
    files = sorted(file for file in folder.iterdir() if file.is_file() and not file.name.startswith("."))
    for file in files:
        if file.suffix != SUFFIX or file.stem not in known:
            raise UnknownNameError("prompt file", file.name, [f"{name}{SUFFIX}" for name in known])
    if not files:
        raise UsageError(f"the prompts folder {folder} holds no prompt; it may hold any of {_names(known)}")
    return {file.stem: _text(file) for file in files}


def _text(file: Path) -> str:
    try:
        if file.stat().st_size > MOST_BYTES:
            raise UsageError(f"the prompt {file} is longer than {MOST_BYTES} bytes; shorten it")
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise UsageError(f"the prompt {file} cannot be read as UTF-8 text: {problem}") from problem
    if not text.strip():
        raise UsageError(f"the prompt {file} is empty; write the agent's instructions, or remove the file")
    return text


def _names(known: Mapping[str, str]) -> str:
    return ", ".join(f"{name}{SUFFIX}" for name in sorted(known))
