"""The most memory that this process has held at once."""

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

STATUS: Final = Path("/proc/self/status")


def peak_memory_bytes() -> int | None:
    """Return the peak resident memory of this process since it began, or None where the platform does not tell.

    It never falls, so it belongs to one run only if that run had the process to itself.
    Source: `VmHWM` of Linux's `/proc`, else `getrusage(2)`, which on macOS counts in bytes and elsewhere in kibibytes.

    >>> peak = peak_memory_bytes()
    >>> peak is None or peak > 1_000_000
    True
    """
    return _peak_of_proc(STATUS) or _peak_of_usage()


def _peak_of_proc(status: Path) -> int | None:
    # On Linux getrusage also remembers what the parent held when it started this program.
    try:
        lines = status.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    kibibytes = next((line.split()[1] for line in lines if line.startswith("VmHWM:")), "")
    return int(kibibytes) * 1024 if kibibytes.isdecimal() else None


def _peak_of_usage() -> int | None:
    if find_spec("resource") is None:
        return None
    import resource  # noqa: PLC0415  not on Windows

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
