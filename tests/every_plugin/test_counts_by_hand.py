"""Each format has a sample that was counted by hand, and `agents-eval trace stats` must say the same of it."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from agents_eval_core import registry
from agents_eval_core.use_cases.trace_stats import file_stats

SAMPLES = Path(__file__).parents[1] / "data" / "traces"
BY_HAND: dict[str, dict[str, int]] = tomllib.loads((SAMPLES / "counted_by_hand.toml").read_text(encoding="utf-8"))


def test_no_format_is_without_a_count_by_hand() -> None:
    assert {name.partition("/")[0] for name in BY_HAND} == set(registry.names("formats"))


@pytest.mark.parametrize("name", BY_HAND)
def test_a_sample_has_what_was_counted_by_hand(name: str) -> None:
    found = file_stats(SAMPLES / name, name.partition("/")[0])
    counted: dict[str, Any] = {
        "agents": found.agents,
        "calls": found.tool_calls,
        "failed": found.failed_calls,
        "delegations": found.delegations,
        "input_tokens": found.input_tokens,
        "output_tokens": found.output_tokens,
    }
    assert {key: value for key, value in counted.items() if value is not None} == BY_HAND[name]
