"""How often conclusions, intervals and statements of power are right, on made-up data of which the truth is known.

The fast tests check a few points; `make proof` checks many and writes docs/proof/statistics.md.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from agents_eval_core.statistics.bootstrap import bootstrap_intervals
from agents_eval_core.statistics.clustered import ClusteredMean
from agents_eval_core.statistics.conclusion import conclude
from agents_eval_core.statistics.evidence import Evidence
from agents_eval_core.statistics.multiplicity import benjamini_hochberg, holm
from agents_eval_core.statistics.paired import difference_p, paired_difference
from agents_eval_core.statistics.paper_sums import paper_sums
from agents_eval_core.statistics.power import detectable_effect, power
from agents_eval_core.statistics.sequential import sequential_conclusion
from agents_eval_core.statistics.sign_flip import sign_flip_ps

Array = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int], Array]
PAGE = Path(__file__).parents[3] / "docs" / "proof" / "statistics.md"
SPREAD = 0.15
CORRELATIONS = (0.0, 0.2, 0.5)
INTRODUCTION = f"""# Figures behind the statistics of comparisons

Written by `make proof` ({Path(__file__).name}). Made-up data of which the truth is known; differences have a standard
deviation of {SPREAD}, and each paper three repetitions unless said otherwise.
"""
TITLES = (
    "## How often intervals at 95 % hold the truth",
    "## How often two equal systems are told apart",
    "## Stated power and real power",
    "## Stopping when the conclusion is in",
)


def bell(generator: np.random.Generator, size: int) -> Array:
    return generator.normal(size=size)


def skewed(generator: np.random.Generator, size: int) -> Array:
    """Draw from a gamma distribution with skewness 1, mean 0 and variance 1."""
    return (generator.gamma(4.0, size=size) - 4) / 2


def two_valued(generator: np.random.Generator, size: int) -> Array:
    """Draw what a pass-or-fail metric gives."""
    return generator.choice(np.array([-1.0, 1.0]), size=size)


def bounded(generator: np.random.Generator, size: int) -> Array:
    """Draw differences of scores that crowd near the top of their scale."""
    return (generator.beta(4, 1, size=size) - generator.beta(4, 1, size=size)) / sqrt(2 * 4 / (25 * 6))


DRAWS: dict[str, Draw] = {"normal": bell, "skewed": skewed, "pass or fail": two_valued, "bounded": bounded}


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiments:
    """Many experiments with the same number of papers and repetitions; `correlation` is that of repetitions."""

    differences: Array
    papers: tuple[int, ...]

    def estimates(self) -> list[ClusteredMean]:
        """Return the headline of each."""
        return [paired_difference(row, self.papers) for row in self.differences.tolist()]

    def evidence(self) -> list[Evidence]:
        """Return what conclusions rest on, of each."""
        sums = [paper_sums(row, self.papers).sums for row in self.differences.tolist()]
        flips = [p for start in range(0, len(sums), 2000) for p in sign_flip_ps(sums[start : start + 2000])]
        return [
            Evidence(estimate=each, t_p=difference_p(each), permutation_p=flip)
            for each, flip in zip(self.estimates(), flips, strict=True)
        ]


def experiments(
    draw: Draw, *, papers: int, repetitions: int, correlation: float, truth: float, rounds: int, seed: int
) -> Experiments:
    generator = np.random.default_rng(seed)
    shared = draw(generator, rounds * papers).reshape(rounds, papers).repeat(repetitions, axis=1)
    own = draw(generator, rounds * papers * repetitions).reshape(rounds, papers * repetitions)
    noise = shared * correlation**0.5 + own * (1 - correlation) ** 0.5
    return Experiments(
        differences=truth + SPREAD * noise, papers=tuple(paper for paper in range(papers) for _ in range(repetitions))
    )


def told_apart(found: Sequence[Evidence]) -> float:
    concluded = [conclude(each.estimate, p=each.p) for each in found]
    return sum(each != "not enough data" for each in concluded) / len(found)


def false_better(papers: int, *, metrics: int, correlation: float, rounds: int, draw: Draw, claimed: bool) -> float:
    """Return in how many families of metrics of two equal systems any metric is called better."""
    found = experiments(
        draw, papers=papers, repetitions=2, correlation=correlation, truth=0.0, rounds=rounds * metrics, seed=papers
    ).evidence()
    wrong = 0
    for start in range(0, len(found), metrics):
        family = found[start : start + metrics]
        adjusted = (holm if claimed else benjamini_hochberg)([each.p for each in family])
        wrong += any(conclude(each.estimate, p=p) == "better" for each, p in zip(family, adjusted, strict=True))
    return wrong / rounds


def real_power(effect: float, papers: int, rounds: int, confidence: float = 0.95) -> float:
    found = experiments(
        bell, papers=papers, repetitions=1, correlation=0.0, truth=effect * SPREAD, rounds=rounds, seed=papers + 1
    ).evidence()
    right = sum(conclude(each.estimate, p=each.p, confidence=confidence) == "better" for each in found)
    return right / rounds


def false_stops(draw: Draw, *, papers: int, rounds: int, truth: float = 0.0) -> float:
    """Return how often looking after every paper ends with a conclusion that the truth does not bear out."""
    wrong = 0
    for row in experiments(
        draw, papers=papers, repetitions=1, correlation=0.0, truth=truth, rounds=rounds, seed=17
    ).differences.clip(-1, 1):
        stop = sequential_conclusion(row.tolist(), margin=0.1)
        wrong += stop.conclusion in (("better", "worse") if not truth else ("equivalent", "worse"))
    return wrong / rounds


@pytest.mark.parametrize("papers", [6, 8, 12])
def test_two_equal_systems_are_told_apart_at_most_5_times_in_100(papers: int) -> None:
    found = experiments(bell, papers=papers, repetitions=2, correlation=0.5, truth=0.0, rounds=2000, seed=11)
    assert told_apart(found.evidence()) <= 0.055


def test_the_t_interval_alone_would_tell_equal_systems_apart_too_often_with_six_papers() -> None:
    found = experiments(two_valued, papers=6, repetitions=2, correlation=0.5, truth=0.0, rounds=2000, seed=11)
    assert sum(each.t_p <= 0.05 for each in found.evidence()) / 2000 > 0.055
    assert told_apart(found.evidence()) <= 0.05


@pytest.mark.parametrize("claimed", [True, False])
def test_of_ten_metrics_of_equal_systems_any_is_called_better_at_most_5_times_in_100(claimed: bool) -> None:
    assert false_better(12, metrics=10, correlation=0.2, rounds=300, draw=skewed, claimed=claimed) <= 0.05


def test_a_real_difference_is_found() -> None:
    found = experiments(bell, papers=20, repetitions=2, correlation=0.2, truth=0.15, rounds=200, seed=13)
    assert told_apart(found.evidence()) > 0.95


@pytest.mark.parametrize("papers", [6, 7, 8, 10, 14, 40])
def test_the_power_that_is_stated_is_the_power_there_is(papers: int) -> None:
    for goal in (0.5, 0.8):
        effect = detectable_effect(papers, goal=goal) or 0.0
        assert real_power(effect, papers, 2000) == pytest.approx(goal, abs=0.03)
        assert power(effect, papers) == pytest.approx(goal, abs=0.02)


def test_looking_after_every_paper_seldom_ends_with_a_false_conclusion() -> None:
    assert false_stops(two_valued, papers=150, rounds=60) <= 0.05
    assert false_stops(bell, papers=150, rounds=60, truth=0.12) <= 0.05


@pytest.mark.proof
@pytest.mark.parametrize("section", ["coverage", "errors", "power", "sequential"])
def test_the_figures_of_the_page(section: str) -> None:
    makers = {
        "coverage": coverage_lines,
        "errors": false_better_lines,
        "power": power_lines,
        "sequential": sequential_lines,
    }
    heading, *lines = makers[section]()
    kept = [each for each in sections(PAGE) if not each.startswith(heading)]
    dated = f"{heading}\n\nMade on {datetime.now(UTC):%Y-%m-%d}. " + "\n".join(lines).strip() + "\n"
    order: list[str] = list(TITLES)
    found = sorted([*kept, dated], key=lambda each: order.index(each.split("\n")[0]))
    PAGE.write_text(INTRODUCTION + "\n" + "\n".join(found), encoding="utf-8")


def sections(page: Path) -> list[str]:
    """Return the sections that are on the page now."""
    text = page.read_text(encoding="utf-8") if page.is_file() else ""
    return [f"## {part}".rstrip() + "\n" for part in text.split("\n## ")[1:]]


def coverage_lines(rounds: int = 2_000) -> Iterator[str]:
    yield from (
        TITLES[0],
        f"The headline (clustered t) over {rounds:,} experiments, the bootstraps beside it over 500 each. What the",
        "median should be is known for symmetric differences only.",
        "",
        "| differences | papers | correlation of repetitions | clustered t | BCa mean | BCa median |",
        "|---|---|---|---|---|---|",
    )
    for name, draw in DRAWS.items():
        for papers in (10, 20, 50, 200):
            for correlation in CORRELATIONS:
                made = experiments(
                    draw, papers=papers, repetitions=3, correlation=correlation, truth=0.1, rounds=rounds, seed=papers
                )
                held = sum(each.low <= 0.1 <= each.high for each in made.estimates()) / rounds
                assert 0.93 <= held <= 0.97, (name, papers, correlation)
                beside = bootstrap_coverage(made, with_median=draw in (bell, bounded))
                yield f"| {name} | {papers} | {correlation} | {held:.1%} | {beside[0]} | {beside[1]} |"


def bootstrap_coverage(made: Experiments, *, with_median: bool) -> tuple[str, str]:
    rows = made.differences[:500].tolist()
    held = [0, 0]
    for start in range(0, len(rows), 100):
        chosen = [paper_sums(row, made.papers) for row in rows[start : start + 100]]
        for found in bootstrap_intervals(chosen, resamples=2_000):
            for place, interval in enumerate((found.mean, found.median)):
                held[place] += interval is not None and interval[0] <= 0.1 <= interval[1]
    mean, median = (f"{each / len(rows):.1%}" for each in held)
    return mean, median if with_median else ""


def false_better_lines(rounds: int = 400) -> Iterator[str]:
    yield from (
        TITLES[1],
        f"Ten metrics, {rounds:,} families each, two repetitions: how often any metric is called better, with Holm",
        "over ten claims and with Benjamini-Hochberg where they are only screened; and one metric alone, called better",
        "or worse, by the t interval alone and by the rule (t interval and sign-flip test).",
        "",
        "| differences | papers | correlation | any claimed | any screened | one, t alone | one, the rule |",
        "|---|---|---|---|---|---|---|",
    )
    for name, draw in DRAWS.items():
        for papers in (6, 12, 40):
            for correlation in (0.0, 0.5):
                shares = [
                    false_better(papers, metrics=10, correlation=correlation, rounds=rounds, draw=draw, claimed=claimed)
                    for claimed in (True, False)
                ]
                assert max(shares) <= 0.06, (name, papers, correlation)
                found = experiments(
                    draw, papers=papers, repetitions=2, correlation=correlation, truth=0.0, rounds=3_000, seed=papers
                ).evidence()
                alone = sum(each.t_p <= 0.05 for each in found) / len(found)
                rule = told_apart(found)
                assert rule <= 0.06, (name, papers, correlation)
                cells = " | ".join(f"{each:.1%}" for each in (*shares, alone, rule))
                yield f"| {name} | {papers} | {correlation} | {cells} |"


def power_lines(rounds: int = 4_000) -> Iterator[str]:
    yield from (
        TITLES[2],
        f"Normal differences, {rounds:,} experiments each; one claim, so at 95 %.",
        "",
        "| papers | true difference (in standard deviations) | stated | real |",
        "|---|---|---|---|",
    )
    for papers in (6, 7, 8, 9, 10, 12, 16, 30, 100):
        for goal in (0.5, 0.8, 0.95):
            effect = detectable_effect(papers, goal=goal) or 0.0
            stated, real = power(effect, papers), real_power(effect, papers, rounds)
            assert abs(stated - real) <= 0.03, (papers, goal)
            yield f"| {papers} | {effect:.2f} | {stated:.1%} | {real:.1%} |"


def sequential_lines(rounds: int = 500) -> Iterator[str]:
    yield from (
        TITLES[3],
        f"A look after every one of 300 papers, margin 0.1, {rounds} sequences each: false conclusions, and after how",
        "many papers a true difference was concluded (median).",
        "",
        "| differences | false, no difference | false, difference 0.12 | concluded at 0.12 | papers |",
        "|---|---|---|---|---|",
    )
    for name, draw in DRAWS.items():
        none, some = (false_stops(draw, papers=300, rounds=rounds, truth=truth) for truth in (0.0, 0.12))
        assert max(none, some) <= 0.05, name
        rows = experiments(
            draw, papers=300, repetitions=1, correlation=0.0, truth=0.12, rounds=100, seed=5
        ).differences.clip(-1, 1)
        stops = [sequential_conclusion(row.tolist(), margin=0.1) for row in rows]
        done = [stop.papers for stop in stops if stop.conclusion == "better"]
        when = f"{np.median(done):.0f}" if done else "none"
        yield f"| {name} | {none:.1%} | {some:.1%} | {len(done)} of 100 | {when} |"
