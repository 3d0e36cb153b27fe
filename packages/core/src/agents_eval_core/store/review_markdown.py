"""A review as a person reads it."""

from collections.abc import Iterator

from agents_eval_core.review import Point, Rating, Review
from agents_eval_core.run import Run


def review_markdown(run: Run, review: Review) -> str:
    """Return a review as Markdown: who wrote it about what, its points with their anchors, ratings and flags."""
    return "\n".join(_lines(run, review)).rstrip("\n") + "\n"


def _lines(run: Run, review: Review) -> Iterator[str]:
    title = run.case.paper.title if run.case.paper else ""
    yield f"# Review of {' '.join((title or run.case.id).split())}"
    yield from ("", _author(run), "")
    if review.reading:
        yield from (f"*What was read: {review.reading}.*", "")
    if review.summary.strip():
        yield from ("## Summary", "", review.summary.strip(), "")
    for heading, points in review.parts():
        if points:
            yield from (f"## {heading}", "", *(_item(point) for point in points), "")
    yield from ("## Assessment", "", f"- Rating: {_grade(review.rating)}", f"- Confidence: {_grade(review.confidence)}")
    yield f"- Recommendation: {(review.recommendation or 'none given').replace('_', ' ')}"
    if review.flags:
        yield from ("", "## Values that could not be used", "")
        for flag in review.flags:
            yield f"- {flag.field}: given as {flag.given!r}; {flag.problem}"


def _author(run: Run) -> str:
    system = run.system
    model = system.model or "an unnamed model"
    shown = model if system.has_language_model else f"{model} (no language model)"
    return " · ".join(part for part in (f"run {run.id}", system.engine, system.composition, shown) if part)


def _item(point: Point) -> str:
    text = "\n  ".join(point.text.strip().splitlines())
    return f"- {text}" + (f" ({' '.join(point.anchor.split())})" if point.anchor else "")


def _grade(rating: Rating | None) -> str:
    """Return a grade with its scale.

    >>> from agents_eval_core.review import Scale
    >>> _grade(Rating(value=6, scale=Scale(lowest=1, highest=10)))
    '6 on a scale of 1 to 10'
    """
    if rating is None:
        return "none given"
    return f"{rating.value:g} on a scale of {rating.scale.lowest:g} to {rating.scale.highest:g}"
