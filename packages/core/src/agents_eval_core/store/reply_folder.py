"""A folder of answers that judges gave, by the identity of the question."""

import re
from pathlib import Path
from typing import Final

from agents_eval_core.errors import StorageError
from agents_eval_core.redaction import redact
from agents_eval_core.store.atomic_file import write_atomically

KEY: Final = re.compile(r"[0-9a-f]{64}")


class ReplyFolder:
    """Keeps one file an answer, without secrets. What cannot be kept is asked again, and costs nothing else."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def get(self, key: str) -> str | None:
        """Return the answer as it came, or None."""
        try:
            return self._file(key).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return None

    def put(self, key: str, reply: str) -> None:
        """Keep an answer."""
        file = self._file(key)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(file, redact(reply).encode("utf-8", "replace"))
        except (OSError, StorageError):
            return

    def _file(self, key: str) -> Path:
        if not KEY.fullmatch(key):
            raise ValueError(f"{key!r} is no digest")
        return self._path / key[:2] / key
