"""A comparison as Markdown, HTML and JUnit: complete, and harmless whatever a name holds."""

from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import pytest

from agents_eval_core.comparison import (
    Beside,
    Comparison,
    Contrast,
    GroupMean,
    MetricComparison,
    MetricWorth,
    Missing,
    PartWorth,
    PassRate,
    Side,
    Spread,
    Standing,
)
from agents_eval_core.report.comparison_html import comparison_html
from agents_eval_core.report.comparison_junit import comparison_junit
from agents_eval_core.report.comparison_markdown import comparison_markdown
from agents_eval_core.score import Range

HOSTILE = "<script>alert(1)</script> | \x1b[31m `x`"
WIDE = Range(low=-0.1, high=0.2)


def a_metric(**more: Any) -> MetricComparison:
    about: dict[str, Any] = {
        "metric": "task_success", "claimed": True, "pairs": 12, "papers": 6, "baseline_mean": 0.5,
        "candidate_mean": 0.55, "difference": 0.05, "interval": WIDE, "p": 0.2, "adjusted_p": 0.4,
        "conclusion": "not enough data", "reason": "the interval holds 0",
        "beside": Beside(median=0.04, bootstrap_mean=WIDE, bootstrap_median=WIDE, t_p=0.2, permutation_p=0.21,
                         wilcoxon_p=0.3, mcnemar_p=0.5, effect_size=0.4, superiority=0.75),
        "spread": Spread(papers=0.1, repetitions=0.05, correlation=0.8),
        "missing": Missing(candidate={"run failed": 2}, bounds=Range(low=-0.2, high=0.3)),
    }  # fmt: skip
    return MetricComparison.model_validate({**about, **more})


def a_standing(label: str, **more: Any) -> Standing:
    about: dict[str, Any] = {
        "label": label, "papers": 6, "composite": 0.7, "quality": 0.6, "first_places": 0.5, "elapsed_seconds": 12.0,
        "cost_usd": 0.01, "on_front": True,
    }  # fmt: skip
    return Standing.model_validate({**about, **more})


@pytest.fixture
def comparison() -> Comparison:
    """Return a comparison with something of everything."""
    mean = GroupMean(metric="path_convergence", mean=0.9, interval=Range(low=0.8, high=1.0), papers=6)
    baseline = Side(selector="a", label=HOSTILE, runs=("1",), excluded={"9": "failed"}, group_means=(mean,))
    candidate = Side(selector="b", label="b", runs=("2",))
    contrast = Contrast(
        baseline=baseline,
        candidate=candidate,
        unmatched_candidate=("7",),
        unmatched_reasons={"7": HOSTILE},
        metrics=(a_metric(), a_metric(metric="other", claimed=False), a_metric(metric="absent", pairs=0)),
        resources=(a_metric(metric="elapsed_seconds", unit="log s", claimed=False, higher_is_better=False),),
        conclusion="worse",
        sentence=f"worse: {HOSTILE}",
    )
    rate = PassRate(k=2, papers=6, any_passes=0.9, any_interval=WIDE, all_pass=0.5, all_interval=WIDE)
    shapley = PartWorth(of=("analyst",), kind="shapley", value=2.0, interval=None, conclusion="adds")
    return Comparison(
        confidence=0.95,
        margin=0.05,
        claims=("task_success",),
        contrasts=(contrast,),
        standings=(a_standing(HOSTILE, pass_rates=(rate,)), a_standing("b", elapsed_seconds=3.0, on_front=False)),
        winner_sentence="no winner",
        worth=(MetricWorth(metric="cost_usd", unit="USD", higher_is_better=False, papers=6, parts=(shapley,)),),
    )


SAID = (
    "0.05", "-0.10 to +0.20", "x1.05", "sign-flip 0.21", "Wilcoxon 0.3", "McNemar 0.5", "effect size 0.40",
    "better on 75 % of papers", "80 % of the variance lies between papers", "candidate 2 run failed",
    "-0.20 to +0.30", "absent", "takes more", "pass@2 0.90", "pass^2 0.50", "path_convergence 0.90", "it is failed",
)  # fmt: skip


class Tags(HTMLParser):
    """Which tags a page has."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002  the port
        self.seen.add(tag)


@pytest.mark.parametrize("said", SAID)
def test_every_figure_is_on_the_page(said: str, comparison: Comparison) -> None:
    assert said in comparison_markdown(comparison)
    assert said in comparison_html(comparison)


def test_names_of_others_start_no_markup(comparison: Comparison) -> None:
    tags = Tags()
    tags.feed(comparison_html(comparison))
    assert "script" not in tags.seen
    assert {"svg", "table"} <= tags.seen
    markdown = comparison_markdown(comparison)
    assert "<script>" not in markdown.replace("\\<script>", "")
    rows = [line for line in markdown.splitlines() if line.startswith("| **task_success**")]
    assert rows[0].replace("\\|", "").count("|") == 10


def test_junit_fails_the_gate_that_was_missed_and_skips_what_is_undecided(comparison: Comparison) -> None:
    suite = ElementTree.fromstring(comparison_junit(comparison, "worse"))[0]  # noqa: S314  our own
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("3", "1", "2")
    failure = suite.find("testcase/failure")
    assert failure is not None
    assert failure.get("type") == "worse"
    assert "\x1b" not in (failure.get("message") or "")
    passing = comparison.changed(contrasts=(comparison.contrasts[0].changed(conclusion="better"),))
    assert "<failure" not in comparison_junit(passing, "not-better")


def test_junit_holds_only_those_to_the_gate_that_are_compared_with_the_baseline(comparison: Comparison) -> None:
    first = comparison.contrasts[0]
    others = first.changed(baseline=first.candidate, candidate=first.candidate.changed(selector="c", label="c"))
    suites = ElementTree.fromstring(comparison_junit(comparison.changed(contrasts=(first, others)), "worse"))  # noqa: S314
    assert [len(suite.findall("testcase[@name='gate: worse']")) for suite in suites] == [1, 0]
    assert [suite.get("tests") for suite in suites] == [str(len(suite.findall("testcase"))) for suite in suites]


@pytest.mark.parametrize(
    ("gate", "missed_by"),
    [
        ("worse", {"worse"}),
        ("not-better", {"worse", "equivalent", "not enough data"}),
        ("not-equivalent", {"better", "worse", "not enough data"}),
    ],
)
def test_each_gate_is_missed_by_its_conclusions(gate: Any, missed_by: set[str], comparison: Comparison) -> None:
    contrast = comparison.contrasts[0]
    for conclusion in ("better", "worse", "equivalent", "not enough data"):
        found = comparison.changed(contrasts=(contrast.changed(conclusion=conclusion),))
        assert bool(found.missed(gate)) == (conclusion in missed_by)


def test_a_gate_looks_at_the_candidates_against_the_first_side_only(comparison: Comparison) -> None:
    first = comparison.contrasts[0].changed(conclusion="better")
    among = first.changed(
        baseline=first.candidate, candidate=Side(selector="c", label="c", runs=()), conclusion="worse"
    )
    assert comparison.changed(contrasts=(first, among)).missed("worse") == ()
