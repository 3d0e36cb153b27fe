"""The review in what an agent said last: the form that was asked for, found with patience."""

import json
from collections.abc import Iterable, Iterator
from json import JSONDecoder
from typing import Any, Final, cast

from pydantic import ValidationError

from agents_eval_agents.review_team.final_review import review_of
from agents_eval_agents.review_team.outputs import POINTS, ReviewDraft
from agents_eval_core.review import Flag, Review, Scale

FIELDS: Final = frozenset(ReviewDraft.model_fields)
LONGEST_TEXT: Final = 100_000
SHOWN: Final = 300


def review_in(texts: Iterable[str], scale: Scale) -> Review | None:
    r"""Return the review in the last text that has one.

    Looked for is an object with the fields of a review, wherever it stands: alone, in a code block, among prose. Points
    may be objects or plain sentences. If there is none, the longest text becomes the summary, with a flag that says so;
    None if nothing was said.

    >>> review_in(['Here: {"summary": "S.", "weaknesses": ["No baseline."]} Done.'], Scale(lowest=1, highest=10)).text
    'S.\nNo baseline.'
    """
    said = [text.strip()[:LONGEST_TEXT] for text in texts if text.strip()]
    for text in reversed(said):
        for found in reversed(list(_objects(text))):
            draft = _draft(found)
            if draft is not None:
                return review_of(draft, scale)
    if not said:
        return None
    longest = max(said, key=len)
    flag = Flag(
        field="summary", given=longest[:SHOWN], problem="no review in the form that was asked for; kept as text"
    )
    return Review(summary=longest, flags=(flag,))


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """Yield the outermost JSON objects of a text."""
    decoder, place = JSONDecoder(), text.find("{")
    while place != -1:
        try:
            value, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            end = place + 1
        else:
            if isinstance(value, dict):
                yield cast("dict[str, Any]", value)
        place = text.find("{", end)


def _draft(found: dict[str, Any]) -> ReviewDraft | None:
    inner = found.get("review")
    fields = cast("dict[str, Any]", inner) if isinstance(inner, dict) else found
    if not {"summary", "weaknesses"} & fields.keys():
        return None
    known = {name: value for name, value in fields.items() if name in FIELDS and value is not None}
    for name in POINTS:
        if name in known:
            known[name] = [_point(each) for each in _listed(known[name])]
    if not isinstance(known.get("summary", ""), str):
        known["summary"] = json.dumps(known["summary"], ensure_ascii=False)
    try:
        return ReviewDraft.model_validate({"summary": "", **known})
    except ValidationError:
        return None


def _listed(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else [value]


def _point(value: object) -> object:
    if isinstance(value, dict):
        point = cast("dict[str, Any]", value)
        return {"text": str(point.get("text") or point.get("point") or ""), "anchor": _text(point.get("anchor"))}
    return {"text": str(value)}


def _text(value: object) -> str | None:
    return None if value is None else str(value)
