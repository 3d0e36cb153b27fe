"""Validations and calibrations of any installed package are run by name."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents_eval_core.errors import PaperError, UnknownNameError
from agents_eval_core.use_cases.calibrate import calibrate
from agents_eval_core.use_cases.validate import validate

MODULE = """
from agents_eval_core.errors import PaperError
from agents_eval_core.ports.validation import ValidityFigure

class Known:
    name = "known"
    def figures(self, data):
        about = {"metric": "m", "unit": "reviews", "data": "ours", "n": 40}
        yield ValidityFigure(measure="AUC", value=0.9, interval=(0.8, 0.95), **about)
        yield ValidityFigure(measure="floor", value=0.0, interval=None, **about)

class Hungry:
    name = "hungry"
    def figures(self, data):
        raise PaperError("no venues here; give --data")

class Table:
    name = "table"
    def fit(self, data_dir, venue):
        return f"{data_dir.name} {venue}".encode()
"""
ENTRY_POINTS = """
[agents_eval.validations]
known = their_validity:Known
hungry = their_validity:Hungry

[agents_eval.calibrations]
table = their_validity:Table
"""
PREAMBLE = """
import json
from pathlib import Path
from agents_eval_core import registry
from agents_eval_core.errors import PaperError
from agents_eval_core.use_cases.calibrate import calibrate
from agents_eval_core.use_cases.validate import validate
"""


@pytest.fixture
def answer(tmp_path: Path) -> Callable[[str], Any]:
    """Return what a fresh interpreter, in which somebody's package is installed, answers to a question."""
    (tmp_path / "their_validity.py").write_text(MODULE)
    metadata = tmp_path / "their_package-1.2.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: their-package\nVersion: 1.2\n")
    (metadata / "entry_points.txt").write_text(ENTRY_POINTS)

    def ask(question: str) -> Any:
        environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
        script = f"{PREAMBLE}\n{question}"
        done = subprocess.run(
            [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
        )
        return json.loads(done.stdout)

    return ask


def test_a_validation_gives_its_figures_as_suites(answer: Callable[[str], Any]) -> None:
    first, second = answer("print(json.dumps([suite.model_dump() for suite in validate(['known'])]))")
    assert first == {
        "name": "known",
        "metric": "m",
        "measure": "AUC",
        "value": 0.9,
        "interval": {"low": 0.8, "high": 0.95},
        "n": 40,
        "unit": "reviews",
        "data": "ours",
        "fitted": "nothing",
        "tuned": "nothing",
        "half": "",
        "chance": None,
        "reason": None,
    }
    assert (second["value"], second["interval"]) == (0.0, None)


def test_one_that_cannot_run_is_a_line_among_all_and_an_error_by_name(answer: Callable[[str], Any]) -> None:
    lines, error = answer(
        "registry.names = lambda group: ('hungry', 'known')  # what else is installed takes its time\n"
        "lines = [suite.model_dump() for suite in validate()]\n"
        "try: validate(['hungry'])\n"
        "except PaperError as problem: print(json.dumps([lines, str(problem)]))"
    )
    assert [line["name"] for line in lines] == ["hungry", "known", "known"]
    assert (lines[0]["value"], lines[0]["reason"]) == (None, "no venues here; give --data")
    assert error == "no venues here; give --data"


def test_a_calibration_gives_the_bytes_of_its_file(answer: Callable[[str], Any]) -> None:
    question = "Path('papers').mkdir(); print(json.dumps(calibrate('table', Path('papers'), 'iclr_2017').decode()))"
    assert answer(question) == "papers iclr_2017"


def test_unknown_names_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="no validation named"):
        validate(["nothing like it"])
    with pytest.raises(UnknownNameError, match="no calibration named"):
        calibrate("nothing like it", tmp_path, "iclr_2017")


def test_a_calibration_needs_a_folder(tmp_path: Path) -> None:
    with pytest.raises(PaperError, match=r"no folder .*nowhere with the papers of iclr_2017; --data names it"):
        calibrate("human_agreement", tmp_path / "nowhere", "iclr_2017")
