import subprocess
import sys
from pathlib import Path

import pytest

from agents_eval_agents import peak_memory

CODE = """
from agents_eval_agents.peak_memory import peak_memory_bytes
before = peak_memory_bytes()
held = bytearray(b"x" * 100_000_000)
del held
print(before, peak_memory_bytes())
"""


def test_the_peak_is_in_bytes_and_remembers_what_was_freed() -> None:
    held_by_the_parent = bytearray(b"x" * 150_000_000)
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, timeout=30, check=True)
    before, after = map(int, done.stdout.split())
    assert len(held_by_the_parent) > before
    assert 90_000_000 < after - before < 300_000_000


def test_without_proc_the_systems_accounting_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peak_memory, "STATUS", Path("nothing"))
    peak = peak_memory.peak_memory_bytes()
    assert peak is not None
    assert 5_000_000 < peak < 100_000_000_000


@pytest.mark.parametrize("status", ["", "Name:\tpython\n", "VmHWM:\tmany kB\n"])
def test_where_nothing_tells_it_is_unknown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, status: str) -> None:
    (tmp_path / "status").write_text(status, encoding="utf-8")
    monkeypatch.setattr(peak_memory, "STATUS", tmp_path / "status")

    def no_such_module(_: str) -> None:
        return None

    monkeypatch.setattr(peak_memory, "find_spec", no_such_module)
    assert peak_memory.peak_memory_bytes() is None
