"""The words and cells that the reports of a sweep have in common."""

from collections.abc import Iterator, Sequence
from typing import Final

from agents_eval_core.composite import SIX
from agents_eval_core.composition import composition_name
from agents_eval_core.counted import count, percent
from agents_eval_core.memorisation import MUCH, Memorisation
from agents_eval_core.report.pareto_svg import ParetoPoint
from agents_eval_core.sweep_outcome import MeanOf, SweepReport, SystemRow

HEADS = ("system", "runs", "papers", "failed", "left", "composite", *SIX, "seconds", "tokens", "USD")

MEANS: Final = (
    "Means are over papers, with half of the 95 % interval clustered by paper. The composite of a system is over the "
    "metrics that apply to it, so systems with other parts are not ranked by it; the comparison is over what was "
    "measured of both. Seconds are plain means here and geometric means in the comparison. Tokens and "
    "USD are the system's own, without those of a judge; without a language model there are none."
)


def sentences(report: SweepReport) -> Iterator[str]:
    """Yield what a sweep is and how far it came, a sentence each."""
    plan, counts = report.order.plan, report.progress.counts
    yield (
        f"n = {count(report.papers, 'paper')} of {plan.dataset}, {count(len(report.systems), 'system')}, "
        f"{count(plan.repetitions, 'repetition')}: {count(report.progress.total, 'cell')}, "
        f"{counts['done']:,} done, {counts['failed']:,} failed, "
        f"{report.progress.left:,} left."
    )
    identical = sum(row.identical for row in report.systems)
    if identical:
        yield (
            f"{identical:,} of the {counts['done']:,} runs repeat another of the same system and paper word for word; "
            "together with it they count once."
        )
    if report.progress.exceeded:
        yield f"The budget was exceeded, as what a run takes is known only at its end: {report.progress.exceeded}."
    if report.progress.decided:
        yield (
            f"Decided, with a look after every paper: {report.progress.decided}. Only these intervals allow for the "
            "looks; all other figures here are made as if the number of papers had been fixed in advance."
        )
    if report.progress.waits_for:
        yield f"It is not at its end: {report.progress.waits_for}."
    if report.memorisation is not None:
        yield from memorised(report.memorisation)
    if report.order.left_out:
        yield (
            f"{count(len(report.order.left_out), 'paper')} before these were passed over: without a text, without a "
            "usable human review, or of an id that several have; sweep.json says why for each."
        )


def memorised(found: Memorisation) -> Iterator[str]:
    """Yield for each model how often it repeats human reviews, beside how often humans repeat one another."""
    humans = "" if found.humans is None else f"; of the humans' reviews, {percent(found.humans.share)} from another's"
    for row in found.models:
        edges = row.interval
        interval = f", 95 % interval {percent(edges.low)} to {percent(edges.high)}" if edges else ""
        yield (
            f"{row.near} of {count(row.reviews, 'review')} by {row.author} have at least {percent(MUCH)} of their "
            f"words from one human review of the same paper ({percent(row.share)} over papers{interval}{humans})."
        )


def system_name(row: SystemRow) -> str:
    """Return what a system is called: its composition, after its engine where that is not the review team."""
    name = composition_name(row.composition) or row.engine
    return name if row.engine in ("mas", name) else f"{row.engine}: {name}"


def system_cells(row: SystemRow) -> tuple[str, ...]:
    """Return a system's line of the table; a mean over fewer runs than there are says over how many."""
    return (
        system_name(row),
        f"{row.done}",
        f"{row.papers}",
        ", ".join(f"{number} {kind}" for kind, number in sorted(row.failed.items())) or "0",
        f"{row.left}",
        *(mean_cell(row.means[name]) for name in ("composite", *SIX)),
        mean_cell(row.seconds),
        mean_cell(row.tokens, digits=0),
        mean_cell(row.cost_usd, digits=4),
    )


def mean_cell(mean: MeanOf, digits: int = 3) -> str:
    """Return a mean with half its interval, and with over how many runs it is where some lack it."""
    if mean.mean is None:
        return ", ".join(reason.replace("_", " ") for reason in mean.missing) or "none"
    half = f" ± {(mean.interval.high - mean.interval.low) / 2:.{digits}f}" if mean.interval else ""
    some = f" (over {mean.runs} of {mean.of} runs)" if mean.runs < mean.of else ""
    return f"{mean.mean:,.{digits}f}{half}{some}"


def incomplete(report: SweepReport) -> Iterator[str]:
    """Yield what some runs of a system lack although it applies, a line each."""
    for row in report.systems:
        for name, mean in row.means.items():
            lost = {reason: number for reason, number in mean.missing.items() if reason != "not_applicable"}
            if lost and mean.runs:
                why = ", ".join(f"{number} {reason.replace('_', ' ')}" for reason, number in lost.items())
                yield f"{system_name(row)}: {name} is a mean over {mean.runs} of {mean.of} runs ({why})"


def pareto_points(report: SweepReport, *, cost: bool) -> Sequence[ParetoPoint]:
    """Return the systems as points of the plot against cost, or else time; empty where that is not known of all."""
    found = report.comparison.standings if report.comparison else ()
    points = [(one.label, one.quality, one.cost_usd if cost else one.elapsed_seconds, one.on_front) for one in found]
    known = [
        ParetoPoint(label=label, quality=quality, taken=taken, is_on_front=bool(on_front))
        for label, quality, taken, on_front in points
        if quality is not None and taken is not None
    ]
    is_whole = len(known) == len(points) and any(point.taken for point in known)
    return known if is_whole else ()


def reproduction(report: SweepReport) -> Sequence[tuple[str, str]]:
    """Return what is needed to make the sweep again."""
    order = report.order
    return (
        ("command", order.command or "begun from Python"),
        ("versions", ", ".join(f"{name} {version}" for name, version in order.versions.items())),
        ("papers", ", ".join(order.papers)),
        ("begun", f"{order.begun_at:%Y-%m-%d %H:%M:%S} UTC"),
        ("all else", "sweep.json has the settings, and the model and the digest of the prompts of each system"),
    )
