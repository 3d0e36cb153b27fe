"""Human reviews with the points that a review has too, or misses, marked in their text."""

from collections.abc import Sequence

from markupsafe import Markup, escape

from agents_eval_core.review import HumanReview
from agents_eval_core.score import Part

MARKS = {"found": ("✔", "#2e6e31"), "missed": ("✖", "#b3261e")}


def marked_review(review: HumanReview, points: Sequence[Part]) -> str:
    """Return a human review as escaped HTML; each point that stands in it word for word is marked with its sign.

    >>> marked_review(HumanReview(id="r", text="Nice. No <b>."), [Part(text="No <b>.", mark="missed")]).count("✖")
    1
    """
    text = review.text
    found = [(place, point) for point in points if point.text and (place := text.find(point.text)) >= 0]
    parts: list[Markup] = []
    begin = 0
    for place, point in sorted(found, key=lambda each: each[0]):
        if place < begin:
            continue
        parts += [escape(text[begin:place]), _marked(point)]
        begin = place + len(point.text)
    parts.append(escape(text[begin:]))
    return str(Markup('<div style="white-space:pre-wrap">{}</div>').format(Markup("").join(parts)))


def points_not_in(review: HumanReview, points: Sequence[Part]) -> tuple[Part, ...]:
    """Return the points that do not stand in a review word for word."""
    return tuple(point for point in points if point.text not in review.text)


def _marked(point: Part) -> Markup:
    sign, colour = MARKS.get(point.mark, ("", "#767676"))
    return Markup('<span style="border-bottom:3px solid {}" title="{}">{} {}</span>').format(
        colour, point.mark, sign, point.text
    )
