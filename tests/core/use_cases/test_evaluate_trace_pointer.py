from pathlib import Path

import pytest

from agents_eval_core.errors import UsageError
from agents_eval_core.settings import Settings
from agents_eval_core.use_cases.evaluate_trace import evaluate_trace

SESSION = Path(__file__).parents[2] / "data" / "traces" / "claude_code_session"


async def test_the_users_latest_session_is_evaluated_with_its_sub_agents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / ".claude" / "projects" / "-work"
    for path in SESSION.rglob("*.json*"):
        copy = project / path.relative_to(SESSION)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    done = await evaluate_trace("claude-code:latest", settings=Settings())
    assert done.run.trace is not None
    assert done.run.system.engine == "claude_code_session"
    assert sum(span.is_delegation for span in done.run.trace.spans) == 3


async def test_a_pointer_to_no_session_is_wrong_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    with pytest.raises(UsageError, match="no session of Claude Code"):
        await evaluate_trace("claude-code:latest", settings=Settings())
