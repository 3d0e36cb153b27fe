"""How the format of a file is found, and one trace chosen."""

from pathlib import Path

import pytest

from agents_eval_core import registry
from agents_eval_core.errors import UnreadableError, UsageError
from agents_eval_core.trace_source import read_trace, recognised

SAMPLES = Path(__file__).parents[1] / "data" / "traces"
TEAM = SAMPLES / "native" / "team.jsonl"


def test_a_format_that_cannot_be_loaded_does_not_keep_others_from_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "names", lambda _: ("absent", "native"))  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    assert recognised(TEAM).name == "native"
    with pytest.raises(UnreadableError, match="no format named 'absent'"):
        recognised(SAMPLES / "mini_swe_agent" / "labels.json")


def test_of_several_traces_one_has_to_be_chosen() -> None:
    with pytest.raises(UsageError, match=r"holds 2 traces \(team-1, team-2\); choose one with --trace ID"):
        read_trace(TEAM)
    assert read_trace(TEAM, trace_id="team-2").id == "team-2"
    with pytest.raises(UsageError, match=r"holds no trace 'team-3'; it holds 2: team-1, team-2"):
        read_trace(TEAM, trace_id="team-3")


def test_the_only_trace_needs_no_choice() -> None:
    assert read_trace(SAMPLES / "agents_eval_mas").id == "exec_0001"
