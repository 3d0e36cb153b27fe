"""What every test may rely on: a clean place to write, no settings from outside, and the real data where it is."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("here", deadline=None)  # machines are noisy, and no test asserts seconds
settings.load_profile("here")

ROOT = Path(__file__).parent
OURS = ("AGENTS_EVAL_", "JUDGE_")


@pytest.fixture(autouse=True)
def clean_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Run each test in an empty folder, without the settings of whoever runs it."""
    for name in list(os.environ):
        if name.startswith(OURS):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


REAL_DATA = Path(os.environ.get("AGENTS_EVAL_TEST_DATA") or ROOT.parent / "shared").resolve()


@pytest.fixture(scope="session")
def real_data() -> Path:
    """Return the folder of real data; without it, fail on CI and skip elsewhere."""
    if not REAL_DATA.is_dir():
        problem = f"real data not found at {REAL_DATA}; set AGENTS_EVAL_TEST_DATA"
        if os.environ.get("CI"):
            pytest.fail(problem)
        pytest.skip(problem)
    return REAL_DATA


@pytest.fixture(scope="session")
def peerread(real_data: Path) -> Path:
    """Return the folder of real PeerRead venues."""
    return real_data / "peerread" / "data"
