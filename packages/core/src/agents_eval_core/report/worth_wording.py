"""What the agents are worth, and what their runs together show, in words."""

from collections.abc import Iterator
from math import floor, log10

from agents_eval_core.comparison import MetricWorth, PartWorth, Side


def worth_name(worth: MetricWorth) -> str:
    """Return what the agents are worth something in, with its unit where it is no score."""
    return f"{worth.metric} ({worth.unit})" if worth.unit else worth.metric


def worth_lines(worth: MetricWorth) -> Iterator[tuple[str, ...]]:
    """Yield for each effect the agents, its kind, value, interval and conclusion."""
    for part in worth.parts:
        found, digits = part.interval, _digits(part)
        yield (
            " and ".join(part.of),
            part.kind,
            f"{part.value:+.{digits}f}",
            "none" if found is None else f"{found.low:+.{digits}f} to {found.high:+.{digits}f}",
            part.conclusion if worth.higher_is_better else _of_a_cost(part),
        )


def adds_nothing_anywhere(worth: MetricWorth) -> bool:
    """Whether no composition differs from another, on any paper, so that every effect is 0."""
    return not any(part.value for part in worth.parts)


def group_line(side: Side) -> str:
    """Return what the metrics across runs of one paper say of a side, empty where no paper was repeated."""
    found = [
        f"{mean.metric} {mean.mean:.2f}"
        + (f" [{mean.interval.low:.2f}, {mean.interval.high:.2f}]" if mean.interval else "")
        + f" (n = {mean.papers})"
        for mean in side.group_means
    ]
    return f"{side.label}, across the runs of each paper: {', '.join(found)}" if found else ""


def _digits(part: PartWorth) -> int:
    """Return how many decimals show an effect as finely as its interval is wide, and no finer."""
    width = part.interval.high - part.interval.low if part.interval else abs(part.value)
    return max(2, 1 - floor(log10(width / 2))) if width else 2


def _of_a_cost(part: PartWorth) -> str:
    return {"adds": "takes more", "takes away": "takes less"}.get(part.conclusion, part.conclusion)
