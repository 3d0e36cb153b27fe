"""What the views say of one contrast, in its order: rows, what never differs, and what is missing."""

from collections.abc import Sequence
from dataclasses import dataclass

from agents_eval_core.comparison import Comparison, Contrast, MetricComparison
from agents_eval_core.report.comparison_wording import (
    beside_the_headline,
    claim_reasons,
    left_out,
    named,
    never_differs,
    pass_rates,
    sentence_after_conclusion,
    shown_metrics,
    sides_of,
    unpaired_metrics,
)
from agents_eval_core.report.worth_wording import group_line


@dataclass(frozen=True, slots=True, kw_only=True)
class ContrastLines:
    """The words of a contrast.

    Attributes:
        sentence: What follows its conclusion.
        reasons: Of each claim, where there are several.
        rows: The composite, the metrics that are claimed, and those that differ on some paper.
        level: The names of the others, which are the same on both sides on every paper.
        unpaired: The names of those that no pair has on both sides.
        beside: For each claimed metric that differs, its name and what stands beside the headline.
        left_out: Each run that was left out, and why.
    """

    sentence: str
    reasons: tuple[str, ...]
    rows: tuple[MetricComparison, ...]
    level: tuple[str, ...]
    unpaired: tuple[str, ...]
    beside: tuple[tuple[str, tuple[str, ...]], ...]
    left_out: tuple[str, ...]


def contrast_lines(contrast: Contrast, confidence: float, only: Sequence[str] = ()) -> ContrastLines:
    """Return the words of a contrast.

    Args:
        contrast: What was found.
        confidence: Of its intervals.
        only: These metrics, and those that are claimed; by default all.
    """
    shown = [each for each in shown_metrics(contrast) if not only or each.metric in only or each.claimed]
    level = [each for each in shown if never_differs(each) and not each.claimed and each is not contrast.metrics[0]]
    rows = tuple(each for each in shown if each not in level)
    claimed = [each for each in rows if each.claimed and not never_differs(each)]
    beside = ((named(each), tuple(beside_the_headline(each, confidence))) for each in claimed)
    return ContrastLines(
        sentence=sentence_after_conclusion(contrast),
        reasons=tuple(claim_reasons(contrast)),
        rows=rows,
        level=tuple(map(named, level)),
        unpaired=tuple(name for name in unpaired_metrics(contrast) if not only or name in only),
        beside=tuple((name, lines) for name, lines in beside if lines),
        left_out=tuple(left_out(contrast)),
    )


def measured_nowhere(lines: Sequence[ContrastLines]) -> tuple[str, ...]:
    """Return the names of the metrics that no pair of runs of any contrast has on both sides."""
    if not lines:
        return ()
    nowhere = frozenset[str].intersection(*(frozenset(each.unpaired) for each in lines))
    return tuple(name for name in lines[0].unpaired if name in nowhere)


def repetition_lines(comparison: Comparison) -> tuple[str, ...]:
    """Return what the repetitions of papers say of each side: how often tries pass, and how steady they are."""
    rates = (line for standing in comparison.standings for line in pass_rates(standing))
    steady = (line for side in sides_of(comparison) if (line := group_line(side)))
    return (*rates, *steady)
