"""Results of tools that were too long for a transcript: it shows their beginning, and a file has the whole."""

import re
from collections import Counter
from pathlib import Path
from typing import Final

from agents_eval_core.reach import is_in_reach

FOLDER: Final = "tool-results"
LARGEST_BYTES: Final = 16 * 2**20
SPILLED: Final = re.compile(
    r"(?:<persisted-output>\s{0,9}Output too large \([^)\n]{1,40}\)\. Full output saved to: "
    r"|Error: result \([\d,]{1,20} characters\) exceeds maximum allowed tokens\. Output has been saved to )"
    rf"[^\n]{{1,4000}}?[/\\]{FOLDER}[/\\](?P<name>[\w.-]{{1,200}})\s"
)


class SpilledResults:
    """Finds the whole of a result by the name in its text, in the folder of its session and nowhere else.

    The path in the text is one of the machine that the session ran on, and the text may be anybody's: only the file's
    name is taken from it, no link is followed out of the folder, and a file beyond 16 MiB is not read.
    """

    def __init__(self, session_folder: Path | None, root: Path | None = None) -> None:
        self._folder = None if session_folder is None else session_folder / FOLDER
        self._root = root

    def whole(self, text: str | None, unread: Counter[str]) -> str | None:
        """Return the whole of a result, or None where the text is all of it or the file cannot be read; counts that."""
        named = SPILLED.match(text) if text and self._folder is not None else None
        if named is None or self._folder is None:
            return None
        data = self._bytes(self._folder / named["name"].rstrip("."), self._folder)
        if data is None or len(data) > LARGEST_BYTES:
            unread["result in a file that is missing or too large"] += 1
            return None
        return data.decode(errors="replace")

    def _bytes(self, path: Path, folder: Path) -> bytes | None:
        if not (is_in_reach(path, folder) and is_in_reach(path, self._root) and path.is_file()):
            return None
        try:
            with path.open("rb") as file:
                return file.read(LARGEST_BYTES + 1)
        except OSError:
            return None
