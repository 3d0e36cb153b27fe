"""The user's own copies of prompts and rubrics: kept beside the runs, told apart from the shipped ones line by line."""

import re
from difflib import unified_diff
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from agents_eval_core import registry
from agents_eval_core.data_root import DataRoot
from agents_eval_core.errors import UnknownNameError, UsageError
from agents_eval_core.redaction import redact_bytes
from agents_eval_core.store.atomic_file import write_atomically

NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")


def prompt_copies(prompt_set: str, root: DataRoot) -> tuple[str, ...]:
    """Return the names of the copies of a set of prompts."""
    folder = root.prompts / prompt_set
    return tuple(sorted(path.name for path in folder.iterdir() if path.is_dir())) if folder.is_dir() else ()


def copy_folder(prompt_set: str, copy: str, root: DataRoot) -> Path:
    """Return the folder of a copy, whether it is there or not.

    Raises:
        UsageError: No copy can be called so.
    """
    if not NAME.fullmatch(copy):
        raise UsageError(f"a copy is named with up to 40 letters, digits, dots and dashes, not {copy!r}")
    return root.prompts / prompt_set / copy


def prompt_text(prompt_set: str, copy: str | None, file: str, root: DataRoot) -> str:
    """Return a text of a copy, or the shipped one where the copy has none of its own or none is named.

    Raises:
        UnknownNameError: There is no such text.
    """
    shipped = registry.prompt_set(prompt_set).texts()
    if file not in shipped:
        raise UnknownNameError("text", file, shipped)
    own = None if copy is None else copy_folder(prompt_set, copy, root) / file
    return own.read_text("utf-8") if own is not None and own.is_file() else shipped[file]


def keep_prompt(prompt_set: str, copy: str, file: str, text: str, root: DataRoot) -> Path:
    """Keep a text in a copy and return its file; the shipped text never changes.

    Raises:
        UsageError: There is no such text, or what was written could not take its place; what was kept before stays.
        UnreadableError: What was written is not in the form of such a text.
        StorageError: It could not be written.
    """
    source = registry.prompt_set(prompt_set)
    if file not in source.texts():
        raise UnknownNameError("text", file, source.texts())
    kept = copy_folder(prompt_set, copy, root) / file
    content = redact_bytes(text.encode("utf-8", "replace"))
    with TemporaryDirectory() as draft:
        (Path(draft) / file).write_bytes(content)
        source.check(Path(draft) / file)
    kept.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(kept, content)
    return kept


def prompt_diff(prompt_set: str, file: str, text: str) -> str:
    """Return how a text differs from the shipped one of that name, as a unified diff; empty where it does not."""
    shipped = registry.prompt_set(prompt_set).texts()[file]
    lines = unified_diff(
        shipped.splitlines(), text.splitlines(), fromfile=f"shipped/{file}", tofile=f"own/{file}", lineterm=""
    )
    return "\n".join(lines)
