"""What a file is that no trace format recognises."""

import re
from pathlib import Path
from typing import Final

HEAD_BYTES: Final = 65536
KEYS_SHOWN: Final = 5
KEY: Final = re.compile(r'"([^"\\]{1,40})"\s*:')
ZIP: Final = b"PK\x03\x04"
COMPRESSED: Final = {
    b"\x1f\x8b": ("gzip", "gunzip -k"),
    b"\x28\xb5\x2f\xfd": ("zstd", "unzstd"),
    b"BZh": ("bzip2", "bunzip2 -k"),
}


def compression(head: bytes) -> str | None:
    r"""Return how the first bytes of a file are compressed and what unpacks it, or None.

    >>> compression(b"\x1f\x8b\x08")
    "it is compressed with gzip; unpack it with 'gunzip -k' and give what comes out"
    """
    for mark, (name, command) in COMPRESSED.items():
        if head.startswith(mark):
            return f"it is compressed with {name}; unpack it with '{command}' and give what comes out"
    return None


def content_kind(path: Path) -> str:
    """Return in a sentence what a file is instead of a trace.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     labels = Path(folder) / "labels.json"
    ...     _ = labels.write_text('{"task-1": true}')
    ...     print(content_kind(labels))
    it is JSON (keys: task-1) in no trace format that is known
    """
    try:
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES)
    except OSError as problem:
        return f"it cannot be read: {problem.strerror or problem}"
    start = head.lstrip()
    if not start:
        return "it is empty"
    packed = compression(head)
    if packed is not None:
        return packed
    if start[:1] in (b"{", b"["):
        keys = list(dict.fromkeys(KEY.findall(start.decode("utf-8", "replace"))))[:KEYS_SHOWN]
        shown = f"keys: {', '.join(keys)}" if keys else "without keys"
        return f"it is JSON ({shown}) in no trace format that is known"
    if head.startswith(ZIP):
        return "it is a zip archive of no trace format that is known"
    is_text = b"\0" not in head and len(head.decode("utf-8", "ignore").encode()) > len(head) - 4
    return "it is text without any trace" if is_text else "it is neither text nor of a trace format that is known"
