"""The plot of quality against what it takes: which systems no other beats in both."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log10
from typing import Final

from markupsafe import Markup

WIDTH: Final = 700
HEIGHT: Final = 320
LEFT: Final = 60
RIGHT: Final = 250
TOP: Final = 20
BOTTOM: Final = 45
LINE: Final = 13.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ParetoPoint:
    """A system: its quality, higher is better, and what it takes, lower is better."""

    label: str
    quality: float
    taken: float
    is_on_front: bool


def pareto_svg(points: Sequence[ParetoPoint], *, quality: str, taken: str) -> Markup:
    """Return the plot as an inline drawing without scripts, with its content in words; empty with less than two.

    What is taken is drawn on a logarithmic scale where the largest is ten times the smallest or more. Systems on the
    front are filled and joined by a line.
    """
    if len(points) < 2:  # noqa: PLR2004  one point is no comparison
        return Markup("")
    across = _Scale([point.taken for point in points], LEFT, WIDTH - RIGHT)
    up = _Scale([point.quality for point in points], HEIGHT - BOTTOM, TOP)
    front = sorted((point for point in points if point.is_on_front), key=lambda point: point.taken)
    path = " ".join(f"{across.at(point.taken)},{up.at(point.quality)}" for point in front)
    words = f"{quality} against {taken}; on the front: {', '.join(point.label for point in front) or 'none'}"
    labels = _label_heights([(up.at(one.quality), -across.at(one.taken), n) for n, one in enumerate(points)])
    drawn = [_point(point, across.at(point.taken), up.at(point.quality), labels[n]) for n, point in enumerate(points)]
    return Markup(
        '<svg viewBox="0 0 {w} {h}" role="img" aria-label="{words}" font-size="11" fill="var(--ink)">'
        '<path d="M{left} {top}V{bottom}H{right}" fill="none" stroke="var(--line)"/>{axes}'
        '<polyline points="{path}" fill="none" stroke="var(--mark)" stroke-dasharray="4 3"/>{drawn}</svg>'
    ).format(
        w=WIDTH,
        h=HEIGHT,
        words=words,
        left=LEFT,
        top=TOP,
        bottom=HEIGHT - BOTTOM,
        right=WIDTH - RIGHT,
        axes=_axes(across, up, quality, taken),
        path=path,
        drawn=Markup("").join(drawn),
    )


class _Scale:
    """A value to its place on an axis, with a little room at both ends."""

    def __init__(self, values: Sequence[float], begin: float, end: float) -> None:
        self.low, self.high = min(values), max(values)
        self.is_logarithmic = self.low > 0 and self.high / self.low >= 10  # noqa: PLR2004  a decade
        self._begin, self._end = begin, end

    def at(self, value: float) -> float:
        low, high, here = (log10(x) if self.is_logarithmic else x for x in (self.low, self.high, value))
        share = (here - low) / (high - low) if high > low else 0.5
        return round(self._begin + (0.06 + 0.88 * share) * (self._end - self._begin), 1)


def _point(point: ParetoPoint, x: float, y: float, label_y: float) -> Markup:
    fill = "var(--mark)" if point.is_on_front else "var(--page)"
    return Markup(
        '<circle cx="{x}" cy="{y}" r="4.5" fill="{fill}" stroke="var(--mark)"><title>{title}</title></circle>'
        '<path d="M{x} {y}L{line} {ly}" stroke="var(--line)"/><text x="{text}" y="{base}">{label}</text>'
    ).format(
        x=x,
        y=y,
        fill=fill,
        title=f"{point.label}: {point.quality:.3f}, {point.taken:.4g}",
        line=WIDTH - RIGHT + 4,
        ly=label_y,
        text=WIDTH - RIGHT + 8,
        base=label_y + 4,
        label=point.label,
    )


def _label_heights(points: list[tuple[float, float, int]]) -> dict[int, float]:
    """Return where each label stands, so that none covers another: from the top, at one height the nearest first."""
    heights: dict[int, float] = {}
    last = TOP - LINE
    for y, _, place in sorted(points):
        last = max(y, last + LINE)
        heights[place] = last
    over = max(0.0, last - (HEIGHT - BOTTOM))
    return {place: y - over for place, y in heights.items()}


def _axes(across: _Scale, up: _Scale, quality: str, taken: str) -> Markup:
    said = f"{taken}{', logarithmic' if across.is_logarithmic else ''}"
    texts = [
        (LEFT - 6, up.at(up.low), "end", f"{up.low:.2f}"),
        *([(LEFT - 6, up.at(up.high), "end", f"{up.high:.2f}")] if up.high > up.low else []),
        (across.at(across.low), HEIGHT - BOTTOM + 15, "middle", f"{across.low:.3g}"),
        (across.at(across.high), HEIGHT - BOTTOM + 15, "middle", f"{across.high:.3g}"),
        ((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, "middle", said),
        (4, TOP - 8, "start", quality),
    ]
    return Markup("").join(
        Markup('<text x="{x}" y="{y}" text-anchor="{anchor}">{text}</text>').format(x=x, y=y, anchor=anchor, text=text)
        for x, y, anchor, text in texts
    )
