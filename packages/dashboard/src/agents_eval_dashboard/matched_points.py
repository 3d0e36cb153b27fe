"""Human reviews with the points that a review has too, or misses, marked in their text."""

import re
from collections.abc import Sequence

from markupsafe import Markup, escape

from agents_eval_core.review import HumanReview
from agents_eval_core.score import Part

MARKS = {"found": ("✔", "#2e6e31"), "missed": ("✖", "#b3261e")}


def marked_review(review: HumanReview, points: Sequence[Part]) -> str:
    """Return a human review as escaped HTML; each point that stands in it is marked with its sign.

    >>> marked_review(HumanReview(id="r", text="Nice. No <b>."), [Part(text="No <b>.", mark="missed")]).count("✖")
    1
    """
    text = review.text
    found = [(place, point) for point in points if (place := place_of(point, review)) is not None]
    parts: list[Markup] = []
    begin = 0
    for place, point in sorted(found, key=lambda each: each[0].start):
        if place.start < begin:
            continue
        parts += [escape(text[begin : place.start]), _marked(text[place.start : place.stop], point)]
        begin = place.stop
    parts.append(escape(text[begin:]))
    return str(Markup('<div style="white-space:pre-wrap">{}</div>').format(Markup("").join(parts)))


def place_of(point: Part, review: HumanReview) -> slice | None:
    r"""Return where a point stands in a review: word for word, whatever the spaces; a cut one as far as it goes.

    >>> place_of(Part(text="No baseline is …"), HumanReview(id="r", text="Nice. No\nbaseline is shown."))
    slice(6, 20, None)
    """
    words = point.text.removesuffix("…").split()
    found = re.search(r"\s+".join(map(re.escape, words)), review.text) if words else None
    return None if found is None else slice(*found.span())


def _marked(text: str, point: Part) -> Markup:
    sign, colour = MARKS.get(point.mark, ("", "#767676"))
    return Markup('<span style="border-bottom:3px solid {}" title="{}">{} {}</span>').format(
        colour, point.mark, sign, text
    )
