"""Small files of JSON that lie beside a trace: labels, scores, what a run was started with."""

from pathlib import Path
from typing import Any, Final

import msgspec

from agents_eval_core.formats.json_text.json_values import as_record

LARGEST_BYTES: Final = 4 * 2**20


def small_record(path: Path) -> dict[str, Any]:
    """Return the object that a file of up to 4 MiB holds, or an empty one where there is none that can be read.

    >>> small_record(Path("none.json"))
    {}
    """
    try:
        return as_record(msgspec.json.decode(path.read_bytes())) if path.stat().st_size <= LARGEST_BYTES else {}
    except (OSError, ValueError, RecursionError):
        return {}
