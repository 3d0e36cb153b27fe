"""What the agents are worth, and what their runs together show, in words."""

from collections.abc import Iterator

from agents_eval_core.comparison import MetricWorth, PartWorth, Side


def worth_lines(worth: MetricWorth) -> Iterator[tuple[str, ...]]:
    """Yield for each effect the agents, its kind, value, interval and conclusion."""
    for part in worth.parts:
        found = part.interval
        yield (
            " and ".join(part.of),
            part.kind,
            f"{part.value:+.3g}",
            "none" if found is None else f"{found.low:+.3g} to {found.high:+.3g}",
            part.conclusion if worth.higher_is_better else _of_a_cost(part),
        )


def group_line(side: Side) -> str:
    """Return what the metrics across runs of one paper say of a side, empty where no paper was repeated."""
    found = [
        f"{mean.metric} {mean.mean:.2f}"
        + (f" [{mean.interval.low:.2f}, {mean.interval.high:.2f}]" if mean.interval else "")
        + f" (n = {mean.papers})"
        for mean in side.group_means
    ]
    return f"{side.label}, across the runs of each paper: {', '.join(found)}" if found else ""


def _of_a_cost(part: PartWorth) -> str:
    return {"adds": "takes more", "takes away": "takes less"}.get(part.conclusion, part.conclusion)
