"""Readers under atheris, which looks for inputs that reach new code; skipped where atheris is not installed."""

import os
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from agents_eval_core import registry

RUNS = os.environ.get("GUIDED_FUZZ_RUNS", "20000")
LONGEST_INPUT = 4096
MEGABYTES = 1024
HARNESS = """
import sys
from contextlib import suppress
from pathlib import Path
import atheris
with atheris.instrument_imports(include=["agents_eval_core"]):
    from agents_eval_core import registry
    from agents_eval_core.errors import UnreadableError
    reader = registry.trace_format(sys.argv[1])
victim = Path(sys.argv[2])
def read(data):
    victim.write_bytes(data)
    reader.recognises(victim, data[:65536])
    with suppress(UnreadableError):
        for trace in reader.read(victim, longest_text=None):
            assert len({span.id for span in trace.spans}) == len(trace.spans), "span ids are not unique"
atheris.Setup([sys.argv[0], *sys.argv[3:]], read)
atheris.Fuzz()
"""


@pytest.mark.proof
@pytest.mark.skipif(find_spec("atheris") is None, reason="atheris is not installed")
@pytest.mark.parametrize("name", registry.names("formats"))
def test_guided_fuzz_finds_nothing(name: str, samples: Mapping[str, list[Any]], tmp_path: Path) -> None:
    """Let atheris change the format's samples `GUIDED_FUZZ_RUNS` (20,000) times."""
    seeds = tmp_path / "seeds"
    seeds.mkdir()
    for number, sample in enumerate(samples[name]):
        if sample.source.is_file():
            (seeds / str(number)).write_bytes(sample.source.read_bytes())
    limits = [f"-runs={RUNS}", f"-max_len={LONGEST_INPUT}", "-timeout=20", f"-rss_limit_mb={MEGABYTES}"]
    command = [sys.executable, "-c", HARNESS, name, str(tmp_path / "victim"), *limits, str(seeds)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-3000:]
