"""The published figures are current: pages show those of the file, and the tests measure the same again."""

from pathlib import Path

import pytest

from agents_eval_core.figure_file import FigureFile, read_figures
from agents_eval_core.report.validity_tables import renewed
from agents_eval_core.use_cases.validate import repeat, validate
from agents_eval_core.validity import Suite

ROOT = Path(__file__).parents[1]
PAGES = [page for page in sorted(ROOT.glob("docs/**/*.md")) if "<!-- figures: " in page.read_text(encoding="utf-8")]
FIGURES = ROOT / "packages/evaluators/src/agents_eval_evaluators/validity/figures.json"
AGAIN = "'make figures' measures them again"
NEARLY = 1e-9  # sums of floating-point numbers differ in their last digits between machines


def kept() -> FigureFile:
    return read_figures(FIGURES)


def folders(real_data: Path) -> list[Path]:
    return [real_data / name for name in ("traces", "peerread", "review-quality")]


def by_key(suites: tuple[Suite, ...], name: str) -> dict[tuple[str, ...], Suite]:
    found = {
        (suite.metric, suite.measure, suite.data, suite.half, suite.unit): suite
        for suite in suites
        if suite.name == name
    }
    assert len(found) == sum(suite.name == name for suite in suites), "two figures with one name"
    return found


def assert_same(measured: tuple[Suite, ...], published: tuple[Suite, ...], name: str) -> None:
    now, then = by_key(measured, name), by_key(published, name)
    assert now.keys() == then.keys(), AGAIN
    differing = {
        key: (figure.value, then[key].value)
        for key, figure in now.items()
        if figure.n != then[key].n or figure.value != pytest.approx(then[key].value, abs=NEARLY)
    }
    assert differing == {}, AGAIN


@pytest.mark.parametrize("file", PAGES, ids=lambda file: file.name)
def test_the_tables_of_a_page_show_the_figures_of_the_file(file: Path) -> None:
    page = file.read_text(encoding="utf-8")
    assert renewed(page, kept().suites, kept().made) == page, AGAIN


@pytest.mark.parametrize("name", sorted({suite.name for suite in kept().checks}))
def test_the_test_half_gives_the_published_figures(name: str, real_data: Path) -> None:
    assert_same(repeat([name], folders(real_data)), kept().checks, name)


@pytest.mark.proof
@pytest.mark.parametrize("name", sorted(kept().made))
def test_everything_gives_the_published_figures(name: str, real_data: Path) -> None:
    assert_same(validate([name], folders(real_data)), kept().suites, name)
