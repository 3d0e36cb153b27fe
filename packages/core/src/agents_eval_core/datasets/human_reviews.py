"""The usable human reviews in a PeerRead thread, which also holds decisions, replies and copies."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from unicodedata import normalize

from agents_eval_core.datasets.venues import Venue
from agents_eval_core.review import HumanReview, Rating, Scale

Entry = Mapping[str, Any]

RECOMMENDATION: Final = "RECOMMENDATION"
CONFIDENCE: Final = "REVIEWER_CONFIDENCE"
ASPECTS: Final = (
    "IMPACT",
    "SUBSTANCE",
    "APPROPRIATENESS",
    "MEANINGFUL_COMPARISON",
    "SOUNDNESS_CORRECTNESS",
    "ORIGINALITY",
    "CLARITY",
    "REPLICABILITY",
)
SCORES: Final = (RECOMMENDATION, CONFIDENCE, *ASPECTS)
# Only entries of OpenReview threads have these: without a score, such an entry is a reply, a question or a decision.
THREAD_MARKS: Final = ("TITLE", "OTHER_KEYS", "DATE")
META_MARKS: Final = ("is_meta_review", "IS_META_REVIEW")
DECISION_WORDS: Final = re.compile(r"\s*(?:accept|reject)", re.IGNORECASE)
NUMBER: Final = re.compile(r"[0-9]{1,6}(?:\.[0-9]{1,6})?")
WORD: Final = re.compile(r"[^\W_]")


def human_reviews(entries: Sequence[Entry], venue: Venue) -> tuple[HumanReview, ...]:
    """Return the human reviews with text, once each, with what scores they have.

    Meta-reviews, author replies, questions and decisions are left out: they tell the outcome. A copy of another review
    (same words, whatever the white space and case) is left out, and its scores complete the first one's. A missing
    score never drops a review, and a score that is not a number on the venue's scale is None.

    >>> from agents_eval_core.datasets.venues import venue_of
    >>> reviews = human_reviews([{"comments": "Good.", "RECOMMENDATION": "4"}], venue_of("acl_2017"))
    >>> reviews[0].rating.value, reviews[0].confidence
    (4.0, None)
    """
    return tuple(
        HumanReview(
            id=f"review-{position}",
            text=text,
            rating=rating(entry.get(RECOMMENDATION), venue.rating),
            confidence=rating(entry.get(CONFIDENCE), venue.confidence),
            aspects={
                name.lower(): score for name in ASPECTS if (score := rating(entry.get(name), venue.aspects)) is not None
            },
        )
        for position, text, entry in _distinct(entries, venue)
    )


def count_human_reviews(entries: Sequence[Entry], venue: Venue) -> int:
    """Return the number of reviews that `human_reviews` gives."""
    return len(_distinct(entries, venue))


def rating(value: object, scale: Scale | None) -> Rating | None:
    """Return a score on its scale, or None where it is not a number on that scale.

    >>> four_of_five = Scale(lowest=1, highest=5)
    >>> rating(" 4 ", four_of_five).value
    4.0
    >>> [rating(value, four_of_five) for value in ("not 5, rather 2", "I cannot rate this paper", 7, True, None)]
    [None, None, None, None, None]
    """
    if scale is None or isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    if isinstance(value, str):
        if not NUMBER.fullmatch(value.strip()):
            return None
        value = float(value)
    return Rating(value=value, scale=scale) if scale.lowest <= value <= scale.highest else None


def repaired(text: str) -> str:
    """Return text with UTF-8 that was read as Latin-1 put right; any other text as it is.

    >>> repaired("RÃ¶der"), repaired("Röder")
    ('Röder', 'Röder')
    """
    if text.isascii():
        return text
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text


def bare_words(text: str) -> str:
    r"""Return a text as it is compared with others, to find copies: without regard to white space and case.

    >>> bare_words(" Good\nPaper") == bare_words("good paper")
    True
    """
    return " ".join(normalize("NFKC", text).casefold().split())


def _distinct(entries: Sequence[Entry], venue: Venue) -> list[tuple[int, str, Entry]]:
    found: dict[str, tuple[int, str, Entry]] = {}
    for position, text, entry in _usable(entries, venue):
        words = bare_words(text)
        first = found.get(words)
        if first is None:
            found[words] = position, text, entry
        else:
            found[words] = first[0], first[1], {**entry, **_given(first[2])}
    return list(found.values())


def _usable(entries: Sequence[Entry], venue: Venue) -> Iterator[tuple[int, str, Entry]]:
    for position, entry in enumerate(entries, 1):
        comments = entry.get("comments")
        if not isinstance(comments, str) or not _is_by_reviewer(entry):
            continue
        text = repaired(comments)
        text = (venue.form.sub("", text) if venue.form else text).strip()
        if WORD.search(text):
            yield position, text, entry


def _is_by_reviewer(entry: Entry) -> bool:
    if any(str(entry.get(mark)).strip().lower() == "true" for mark in META_MARKS):
        return False
    scores = _given({name: entry.get(name) for name in SCORES})
    if set(scores) == {RECOMMENDATION} and DECISION_WORDS.match(str(scores[RECOMMENDATION])):
        return False
    return bool(scores) or not any(mark in entry for mark in THREAD_MARKS)


def _given(entry: Entry) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if value is not None and value != ""}
