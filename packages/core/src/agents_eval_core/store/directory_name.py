"""The names of run directories: when, with what, about what, and something that tells them apart."""

import re
import unicodedata
from datetime import UTC
from hashlib import sha256
from typing import Final

from agents_eval_core.redaction import redact
from agents_eval_core.run import Run

ENGINE_BYTES: Final = 32
CASE_BYTES: Final = 80


def directory_name(run: Run) -> str:
    """Return the name of a run's directory: `<UTC time>_<engine>_<case>_<8 random>`.

    It is made of the run alone, so it is known before the directory is made. The random part is that of the run's id.
    """
    moment = f"{run.created_at.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    engine, case = readable(run.system.engine, ENGINE_BYTES), readable(redact(run.case.id), CASE_BYTES)
    return f"{moment}_{engine}_{case}_{_tail(run.id)}"


def readable(text: str, size: int) -> str:
    """Return a text as part of a file name that every file system takes, at most so many bytes long.

    >>> readable("../../etc/passwd", 80), readable("NeurIPS 2025/ä-12", 80), readable("//", 80)
    ('etc-passwd', 'NeurIPS-2025-ä-12', 'x')
    """
    composed = unicodedata.normalize("NFC", text[: 4 * size])
    kept = "".join(letter if letter.isalnum() or letter in "-." else "-" for letter in composed)
    short = kept.encode("utf-8", "replace")[:size].decode("utf-8", "ignore")
    return re.sub(r"-{2,}|\.{2,}", "-", short).strip("-.") or "x"


def _tail(run_id: str) -> str:
    tail = run_id[-8:]
    return tail if re.fullmatch(r"[0-9a-z]{8}", tail) else sha256(run_id.encode("utf-8", "replace")).hexdigest()[:8]
