"""The dashboard in a real browser: the whole way from the first page to a sweep, and what every page must be."""

import json
import os
import re
from collections.abc import Callable, Mapping
from importlib import resources
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Page, expect

AXE = resources.files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
WITH_OWN_COLOURS = ("run", "compare", "settings")
GRAVE = ("serious", "critical")
SHOTS = os.environ.get("AGENTS_EVAL_TEST_SHOTS")  # a folder in which screenshots are left
Visit = Callable[..., Page]
Serve = Callable[..., str]
Settled = Callable[[Page], None]
expect.set_options(timeout=30_000)


def follow(page: Page, settled: Settled, label: str, title: str) -> None:
    page.get_by_role("link", name=label).last.click()
    expect(page.get_by_role("heading", name=title, level=1)).to_be_visible()
    settled(page)


def choose(page: Page, settled: Settled, label: str, option: str) -> None:
    page.get_by_role("combobox", name=label).fill(option)
    page.get_by_role("option", name=option).first.click()
    settled(page)


def test_the_way_from_the_first_page_to_a_sweep(
    real_root: Path, real_data: Path, *, peerread: Path, serve: Serve, visit: Visit, settled: Settled
) -> None:
    page = visit()
    page.goto(serve(real_root, AGENTS_EVAL_DATA_DIR=str(peerread)))
    settled(page)
    follow(page, settled, "Let agents review a paper", "Review a paper")
    choose(page, settled, "From", "peerread")
    choose(page, settled, "Paper", "A Closer Look at Personalized Fine-Tuning")
    run = _reviewed(page, settled)
    follow(page, settled, "Trace", "Trace")
    expect(page.get_by_text(re.compile(r"^(\d+) of \1 steps$"))).to_be_visible()
    follow(page, settled, "Agent graph", "Agent graph")
    _played(page)
    follow(page, settled, "Compare with another", "Compare")
    expect(page.get_by_role("textbox", name="Baseline")).to_have_value(run)
    candidate = page.get_by_role("textbox", name="Candidate", exact=True)
    candidate.fill("night:manager")
    candidate.press("Enter")
    expect(page.get_by_role("heading", name=re.compile("not enough data"))).to_be_visible()
    page.get_by_role("link", name="Sweeps").first.click()
    expect(page.get_by_text("1 cell: 1 done")).to_be_visible()
    _others(page, settled, real_data / "traces/who-and-when/Hand-Crafted/1.json")


def _others(page: Page, settled: Settled, file: Path) -> None:
    """Open somebody's trace by its path, then its scorecard."""
    page.get_by_role("link", name="Trace").first.click()
    page.get_by_text("A trace file of your own").click()
    path = page.get_by_role("textbox", name="Path of a trace file")
    path.fill(str(file))
    path.press("Enter")
    expect(page.get_by_text(re.compile("^who_and_when, "))).to_be_visible()
    settled(page)
    follow(page, settled, "Scorecard", "Run")
    expect(page.get_by_text("nothing of it is kept")).to_be_visible()
    expect(page.get_by_role("heading", name="The three tiers")).to_be_visible()


def _reviewed(page: Page, settled: Settled) -> str:
    """Have a paper reviewed, reload the page meanwhile, and return the id of the run."""
    page.get_by_role("button", name="Start the review").click()
    page.wait_for_url(re.compile(r"job=\w+"))
    expect(page.get_by_text("Agents and what they did")).to_be_visible()
    page.reload()  # the review goes on in the server
    settled(page)
    expect(page.get_by_role("status").filter(has_text="done")).to_be_visible()
    expect(page.get_by_text("reads section").first).to_be_visible()
    follow(page, settled, "Scorecard", "Run")
    expect(page.get_by_role("img", name=re.compile("^composite"))).to_be_visible()
    expect(page.get_by_text("not measured").first).to_be_visible()
    return page.url.split("id=")[1]


def _played(page: Page) -> None:
    expect(page.get_by_text("manager gives work to researcher once")).to_be_visible()
    expect(page.get_by_role("img", name=re.compile("manager gives work"))).to_be_visible()
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("status").filter(has_text=re.compile(r"^Step [23] of"))).to_be_visible()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download PNG").click()
    assert saved.value.path().read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_no_page_has_a_serious_fault_of_accessibility(
    colours: Literal["light", "dark"],
    *,
    made: Path,
    serve: Serve,
    visit: Visit,
    settled: Settled,
    addresses: Mapping[str, str],
) -> None:
    page = visit(colours)
    found: dict[str, list[str]] = {}
    chosen = [name for name in addresses if SHOTS or colours == "light" or name in WITH_OWN_COLOURS]
    for name in chosen:
        page.goto(serve(made) + addresses[name])
        settled(page)
        if SHOTS:
            _shot(page, Path(SHOTS) / f"{name}-{colours}.png")
        found[name] = _faults(page)
    assert found == {name: [] for name in chosen}


@pytest.mark.parametrize("name", ["home", "runs", "run", "trace", "graph"])
def test_text_of_others_becomes_no_script_no_picture_and_no_link(
    name: str, *, hostile: tuple[Path, str], serve: Serve, visit: Visit, settled: Settled
) -> None:
    """Where `plain` gives text back as it is, run and trace fail; the others show it in labels, grids and drawings."""
    root, run = hostile
    page = visit()
    page.goto(f"{serve(root)}/{'' if name == 'home' else name}?id={run}&span=0000000000000001")
    settled(page)
    _unfold(page)
    for tab in page.get_by_role("tab").all():
        if tab.get_attribute("aria-selected") != "true":
            tab.click()
            _unfold(page)
    settled(page)
    assert page.evaluate("window.struck") is None
    assert page.locator("[src*='evil.example'], [href*='evil.example'], [href^='mailto:']").count() == 0
    assert page.locator("main script, [data-testid=stMain] script").count() == 0
    assert name in ("runs", "trace") or page.get_by_text("evil").count() > 0  # it is there, as text; tables are painted


def _unfold(page: Page) -> None:
    for folded in page.locator("details summary").all():
        if folded.is_visible() and not folded.evaluate("summary => summary.parentElement.open"):
            folded.click()


def test_the_report_of_a_run_opens_without_asking_for_anything(made: Path, visit: Visit) -> None:
    report = next((made / "runs").glob("*dialect-tags*")) / "report.html"
    page = visit()
    page.goto(report.as_uri())
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert [fault for fault in _faults(page) if "color-contrast" in fault] == []


def _faults(page: Page) -> list[str]:
    page.evaluate(AXE)
    result: dict[str, Any] = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{fault['id']}: {json.dumps([node['html'][:160] for node in fault['nodes'][:3]])}"
        for fault in result["violations"]
        if fault["impact"] in GRAVE
    ]


def _shot(page: Page, file: Path) -> None:
    height = page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
    page.set_viewport_size({"width": 1280, "height": min(int(height) + 40, 4000)})
    page.wait_for_timeout(600)
    page.screenshot(path=file)
    page.set_viewport_size({"width": 1280, "height": 1000})
