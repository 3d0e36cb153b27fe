"""`agents-eval validate` and `calibrate`: what the metrics are worth."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from agents_eval_core import registry
from agents_eval_core.ports.calibration import FittedTable
from agents_eval_core.ports.validation import ValidityFigure

Program = Callable[..., CompletedProcess[str]]


class KnownValidation:
    """A validation with one figure, which needs no data."""

    name = "known"

    def figures(self, data: Sequence[Path]) -> Iterator[ValidityFigure]:
        yield ValidityFigure(
            metric="m", measure=f"AUC in {data[0]}", value=float("nan"), interval=None, n=3, unit="pairs", data="d"
        )


class KnownCalibration:
    """A calibration whose table is what it was fitted from."""

    name = "known"

    def fit(self, data_dir: Path, venue: str) -> FittedTable:
        return FittedTable(content=f"{data_dir.name} {venue}".encode(), warnings=("few reviews",))


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    def names(_: str) -> tuple[str, ...]:
        return ("known",)

    def validation(_: str) -> KnownValidation:
        return KnownValidation()

    def calibration(_: str) -> KnownCalibration:
        return KnownCalibration()

    monkeypatch.setattr(registry, "names", names)
    monkeypatch.setattr(registry, "validation", validation)
    monkeypatch.setattr(registry, "calibration", calibration)


def test_validation_gives_suites_and_never_a_nan(program: Program) -> None:
    done = program("validate", "known", "--data", ".", "--json")
    found = json.loads(done.stdout)
    assert found["schema"] == "agents-eval/validate/1"
    suite = found["suites"][0]
    assert {"name", "metric", "measure", "value", "interval", "n", "unit", "data"} <= set(suite)
    assert suite["value"] is None
    assert "NaN" not in done.stdout


def test_a_calibration_goes_to_the_data_root_with_its_warnings(program: Program, clean_place: Path) -> None:
    (clean_place / "data").mkdir()
    done = program("calibrate", "--data", "data", "--venue", "acl_2017", "--json")
    assert done.returncode == 0, done.stderr
    file = clean_place / "_Agents-eval" / "tables" / "known" / "acl_2017.json"
    assert file.read_text() == "data acl_2017"
    given = json.loads(done.stdout)
    assert given["files"] == [str(file)]
    assert given["calibrations"][0]["warnings"] == ["few reviews"]
    assert "few reviews" in program("calibrate", "--data", "data", "--venue", "acl_2017").stdout


def test_a_calibration_goes_to_a_file_that_was_not_there(program: Program, clean_place: Path) -> None:
    (clean_place / "data").mkdir()
    arguments = ("calibrate", "known", "--data-dir", "data", "--venue", "acl_2017", "--out", "table.json")
    done = program(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    assert (clean_place / "table.json").read_text() == "data acl_2017"
    assert json.loads(done.stdout)["files"] == [str(clean_place / "table.json")]
    again = program(*arguments)
    assert again.returncode == 2
    assert "table.json is there already" in again.stderr


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("known", "--venue", "v"), "--data"),
        (("--venue", "v", "--data", ".", "--out", "table.json"), "name which"),
        (("--venue", "../v", "--data", "."), "no name of a venue"),
        (("--venue", "v", "--data", "nowhere"), "no folder nowhere"),
    ],
)
def test_a_calibration_used_wrongly_says_what_it_needs(program: Program, arguments: tuple[str, ...], why: str) -> None:
    done = program("calibrate", *arguments)
    assert done.returncode == 2, done.stdout
    assert why in done.stderr


def test_figures_are_written_into_a_page_and_what_is_not_measured_is_said(program: Program, clean_place: Path) -> None:
    (clean_place / "page.md").write_text("<!-- figures: missing -->\nkept\n<!-- end of figures -->\n")
    done = program("validate", "known", "--data", ".", "--data", "..", "--write", "page.md")
    assert done.returncode == 0, done.stderr
    assert "the block 'missing' of page.md was left as it was" in done.stderr
    assert "kept" in (clean_place / "page.md").read_text()
