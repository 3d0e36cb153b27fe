"""How the figures of a comparison are put into words, the same in every view."""

from collections.abc import Iterator, Mapping
from math import exp
from typing import Final

from agents_eval_core.comparison import Comparison, Contrast, MetricComparison, Side, Standing
from agents_eval_core.counted import percent
from agents_eval_core.score import Range

LOGARITHMIC: Final = "log "  # how the units of logarithms begin
LEAST_P: Final = 0.001
NOTHING: Final = 1e-9  # a difference of equal scores is about 1e-16 in floating point
STANDING_TERMS: Final = (
    "Quality is the composite without the metrics of time; first places are under random weights; seconds are "
    "geometric means, and USD without a language model is 0."
)


def figure(value: float | None, metric: MetricComparison) -> str:
    """Return a mean as people read it: a logarithm as what it is the logarithm of."""
    if value is None:
        return "none"
    return f"{exp(value):.3g}" if metric.unit.startswith(LOGARITHMIC) else f"{value:.2f}"


def difference(metric: MetricComparison) -> str:
    """Return a difference with its sign, or the ratio where logarithms are compared."""
    if metric.difference is None:
        return "none"
    if metric.unit.startswith(LOGARITHMIC):
        return f"x{exp(metric.difference):.2f}"
    return f"{metric.difference:+.{digits(metric)}f}"


def interval(metric: MetricComparison) -> str:
    """Return the interval of a difference."""
    found = metric.interval
    if found is None:
        return "none"
    if metric.unit.startswith(LOGARITHMIC):
        return f"x{exp(found.low):.2f} to x{exp(found.high):.2f}"
    return f"{found.low:+.{digits(metric)}f} to {found.high:+.{digits(metric)}f}"


def digits(metric: MetricComparison) -> int:
    """Return how many decimals tell a difference from 0: two or three."""
    figures = [metric.difference or 0.0]
    return 3 if any(value and abs(value) < 0.01 for value in figures) else 2  # noqa: PLR2004


def named(metric: MetricComparison) -> str:
    """Return a metric's name, with what is compared where that is not the score."""
    unit = metric.unit.removeprefix(LOGARITHMIC)
    return f"{metric.metric} ({unit})" if unit else metric.metric


def p_value(p: float | None) -> str:
    """Return a p-value.

    >>> p_value(0.0312), p_value(0.00001), p_value(None)
    ('0.031', '<0.001', 'none')
    """
    if p is None:
        return "none"
    return f"<{LEAST_P}" if p < LEAST_P else f"{p:.2g}"


def shown_metrics(contrast: Contrast) -> tuple[MetricComparison, ...]:
    """Return the metrics and resources that some pair has on both sides."""
    return tuple(metric for metric in (*contrast.metrics, *contrast.resources) if metric.pairs)


def never_differs(metric: MetricComparison) -> bool:
    """Whether a metric is the same on both sides on every paper."""
    spread = metric.spread
    if metric.difference is None or spread is None:
        return False
    return max(abs(metric.difference), spread.papers, spread.repetitions or 0.0) < NOTHING


def metric_cells(metric: MetricComparison) -> tuple[str, ...]:
    """Return a metric's line of a table: baseline, candidate, difference, interval, p, adjusted p."""
    return (
        figure(metric.baseline_mean, metric),
        figure(metric.candidate_mean, metric),
        difference(metric),
        interval(metric),
        p_value(metric.p),
        p_value(metric.adjusted_p),
    )


def unpaired_metrics(contrast: Contrast) -> tuple[str, ...]:
    """Return the names of the metrics that no pair has on both sides."""
    return tuple(metric.metric for metric in contrast.metrics if not metric.pairs)


def beside_the_headline(metric: MetricComparison, confidence: float) -> Iterator[str]:
    """Yield what else is known of a claimed metric, one figure or two a sentence."""
    beside, spread = metric.beside, metric.spread
    if beside is not None:
        mean, median = _range(beside.bootstrap_mean), _median(metric)
        yield f"bootstrap (BCa, {percent(confidence)}): mean {mean}, median {median}"
        tests = (
            ("t", beside.t_p),
            ("sign-flip" if metric.pairs and metric.spread else "permutation", beside.permutation_p),
            ("Wilcoxon", beside.wilcoxon_p),
            ("McNemar", beside.mcnemar_p),
        )
        yield "p: " + ", ".join(f"{name} {p_value(p)}" for name, p in tests if p is not None)
        yield from _sizes(metric)
    if spread is not None:
        yield _spread(metric)
    yield from missing_values(metric)


def missing_values(metric: MetricComparison) -> Iterator[str]:
    """Yield what a metric lacks on each side, and the bounds of what that could hide."""
    sides = (("baseline", metric.missing.baseline), ("candidate", metric.missing.candidate))
    said = [f"{side} {_reasons(lacks)}" for side, lacks in sides if lacks]
    if said:
        bounds = metric.missing.bounds
        could = (
            f"; with the worst and the best in their place the difference is {bounds.low:+.2f} to {bounds.high:+.2f}"
            if bounds
            else ""
        )
        yield f"missing: {'; '.join(said)}{could}"


def left_out(contrast: Contrast) -> Iterator[str]:
    """Yield each run that was left out, and why."""
    for side in (contrast.baseline, contrast.candidate):
        yield from (f"{run} of {side.label}: it is {status}" for run, status in side.excluded.items())
    for run in (*contrast.unmatched_baseline, *contrast.unmatched_candidate):
        yield f"{run}: {contrast.unmatched_reasons.get(run, 'no run of the same paper on the other side')}"


def sides_of(comparison: Comparison) -> tuple[Side, ...]:
    """Return the sides in the order in which they were named."""
    found: dict[str, Side] = {}
    for contrast in comparison.contrasts:
        for side in (contrast.baseline, contrast.candidate):
            found.setdefault(side.selector, side)
    return tuple(found.values())


def sentence_after_conclusion(contrast: Contrast) -> str:
    """Return the sentence of a contrast without the conclusion that is shown before it."""
    return contrast.sentence.removeprefix(contrast.conclusion).removeprefix(": ")


def claim_reasons(contrast: Contrast) -> Iterator[str]:
    """Yield why each claim came out as it did, where there are several; of one it is in the sentence."""
    claims = [metric for metric in contrast.metrics if metric.claimed]
    if len(claims) > 1:
        yield from (f"{claim.metric}: {claim.reason}" for claim in claims)


def standing_cells(standing: Standing) -> tuple[str, ...]:
    """Return what a table says of a side: composite, first places, seconds, cost, and whether it is on the front."""
    front = {None: "unknown", True: "yes", False: "no"}[standing.on_front]
    return (
        _number(standing.composite, ".2f"),
        _number(standing.quality, ".2f"),
        "unknown" if standing.first_places is None else percent(standing.first_places),
        _number(standing.elapsed_seconds, ".3g"),
        _number(standing.cost_usd, ".4g"),
        front,
    )


def pass_rates(standing: Standing) -> Iterator[str]:
    """Yield how often one and every one of k tries at a paper passes."""
    for rate in standing.pass_rates:
        yield (
            f"{standing.label}: pass@{rate.k} {rate.any_passes:.2f} {_range(rate.any_interval)}, "
            f"pass^{rate.k} {rate.all_pass:.2f} {_range(rate.all_interval)} ({rate.papers} papers)"
        )


def _number(value: float | None, form: str) -> str:
    return "unknown" if value is None else f"{value:{form}}"


def _range(found: Range | None) -> str:
    return "none" if found is None else f"[{found.low:.3f}, {found.high:.3f}]"


def _median(metric: MetricComparison) -> str:
    beside = metric.beside
    if beside is None or beside.median is None:
        return "none"
    return f"{beside.median:.3f} {_range(beside.bootstrap_median)}"


def _sizes(metric: MetricComparison) -> Iterator[str]:
    beside = metric.beside
    if beside is None:
        return
    parts = [
        f"effect size {beside.effect_size:.2f}" if beside.effect_size is not None else "",
        f"the candidate does better on {percent(beside.superiority)} of papers, ties counted half"
        if beside.superiority is not None
        else "",
    ]
    if any(parts):
        yield ", ".join(part for part in parts if part)


def _spread(metric: MetricComparison) -> str:
    spread = metric.spread
    if spread is None:
        return ""
    if spread.repetitions is None:
        return f"spread: {spread.papers:.3f} between papers; no paper has runs that differ"
    share = (
        "" if spread.correlation is None else f" ({percent(spread.correlation)} of the variance lies between papers)"
    )
    return f"spread: {spread.papers:.3f} between papers, {spread.repetitions:.3f} between repetitions{share}"


def _reasons(lacks: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {why.replace('_', ' ')}" for why, number in sorted(lacks.items()))
