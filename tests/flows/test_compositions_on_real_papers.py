"""Each composition through the real command line, on a real paper with an abstract and on one with its full text."""

import json
import os
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from agents_eval_core import registry

DELEGATES = ("researcher", "analyst", "synthesizer")
COMPOSITIONS = [
    "+".join(("manager", *(name for name, takes_part in zip(DELEGATES, chosen, strict=True) if takes_part)))
    for chosen in product((False, True), repeat=len(DELEGATES))
]


def agents_in(trace: Path) -> list[str]:
    (found,) = registry.trace_format("otlp").read(trace)
    acted = {span.agent_id for span in found.spans}
    return sorted(agent.name for agent in found.agents if agent.id in acted)


@pytest.mark.parametrize("venue", ["iclr_2017", "neurips_2025"])
@pytest.mark.parametrize("composition", COMPOSITIONS)
def test_the_command_line_reviews_a_real_paper_with_exactly_the_agents_asked_for(
    composition: str, venue: str, peerread: Path
) -> None:
    paper = min((peerread / venue).glob("*/reviews/*.json")).stem
    asked = ["--dataset", "peerread", "--data-dir", str(peerread), "--paper", f"{venue}/{paper}"]
    done = subprocess.run(
        [sys.executable, "-m", "agents_eval_cli", "review", *asked, "--composition", composition, "--json"],
        capture_output=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONUTF8": "1"},
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert found["schema"] == "agents-eval/review/1"
    assert (found["run"]["composition"], found["run"]["case"]) == (composition, f"{venue}/{paper}")

    card = found["scorecard"]
    assert 0 < card["coverage"] < 1
    assert card["bounds"]["low"] < card["bounds"]["high"]
    assert not card["complete"]
    second_tier = [(one["value"], one["reason"], one["explanation"]) for one in card["scores"] if one["tier"] == 2]
    assert set(second_tier) == {(None, "not_measured", "no judge configured")}

    files = {Path(file).name: Path(file) for file in found["files"]}
    assert {"run.json", "review.json", "review.md", "scorecard.json", "report.md", "trace.otlp.jsonl"} <= set(files)
    assert all(file.is_file() for file in files.values())
    assert agents_in(files["trace.otlp.jsonl"]) == sorted(composition.split("+"))


def test_there_are_eight_compositions() -> None:
    assert len(set(COMPOSITIONS)) == 8
    assert set(COMPOSITIONS) == set(registry.engine("mas").compositions)
