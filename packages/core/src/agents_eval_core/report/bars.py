"""Small drawings of a figure between 0 and 1, each with the same in words."""

from markupsafe import Markup

from agents_eval_core.report.run_report import MetricRow
from agents_eval_core.score import Scorecard

WIDTH, HEIGHT = 220, 22


def composite_bar(scorecard: Scorecard) -> Markup:
    """Return the composite on the line from 0 to 1 with its bounds."""
    if scorecard.composite is None or scorecard.bounds is None:
        return Markup("")
    low, high = scorecard.bounds.low, scorecard.bounds.high
    words = f"composite {scorecard.composite:.2f}, between {low:.2f} and {high:.2f} whatever is missing would show"
    return _bar(words, band=(low, high), dot=scorecard.composite)


def scale_bar(row: MetricRow) -> Markup:
    """Return a score beside the human quartiles; nothing where there is no score."""
    value = None if row.score is None else row.score.value
    if value is None:
        return Markup("")
    if row.humans is None:
        return _bar(f"{row.name} {value:.2f}, no human scale", dot=value)
    humans = row.humans
    words = (
        f"{row.name} {value:.2f}; the middle half of {humans.n} human reviews of {humans.venue} lies between "
        f"{humans.lower:.2f} and {humans.upper:.2f}, their median at {humans.median:.2f}"
    )
    return _bar(words, band=(humans.lower, humans.upper), line=humans.median, dot=value)


def _bar(words: str, *, band: tuple[float, float] | None = None, line: float | None = None, dot: float) -> Markup:
    parts = [Markup('<path d="M6 11H{end}" stroke="var(--line)" stroke-width="2"/>').format(end=WIDTH - 6)]
    if band is not None:
        left, right = _at(band[0]), _at(band[1])
        parts.append(
            Markup('<rect x="{x}" y="4" width="{width}" height="14" fill="var(--band)"/>').format(
                x=left, width=max(2.0, round(right - left, 1))
            )
        )
    if line is not None:
        parts.append(Markup('<path d="M{x} 4V18" stroke="var(--ink)" stroke-width="1.5"/>').format(x=_at(line)))
    parts.append(Markup('<circle cx="{x}" cy="11" r="5" fill="var(--mark)"/>').format(x=_at(dot)))
    return Markup(
        '<svg viewBox="0 0 {w} {h}" width="{w}" height="{h}" role="img" aria-label="{words}">{parts}</svg>'
    ).format(w=WIDTH, h=HEIGHT, words=words, parts=Markup("").join(parts))


def _at(value: float) -> float:
    return round(6 + value * (WIDTH - 12), 1)
