"""Human reviews of a user's own paper, from files: text or Markdown whole, JSON in PeerRead's shape."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from agents_eval_core.datasets.human_reviews import bare_words, human_reviews
from agents_eval_core.datasets.json_file import decode_json
from agents_eval_core.datasets.venues import venue_of
from agents_eval_core.errors import PaperError
from agents_eval_core.paper_files.decoded import decoded
from agents_eval_core.paper_files.opened_file import file_bytes
from agents_eval_core.review import HumanReview

LARGEST_BYTES: Final = 2 * 1024 * 1024
MOST_REVIEWS: Final = 100
NAMES: Final = ("comments", "text", "review")


def read_references(paths: Sequence[Path], given: Sequence[HumanReview] = ()) -> tuple[HumanReview, ...]:
    """Return the reviews in files, after those given, each once.

    A score in them is kept out: whose scale it is on is not known, and none is guessed.

    Args:
        paths: Each a review, or JSON with one or several.
        given: Reviews that were found beside the paper.

    Raises:
        PaperError: A file cannot be read or has no review, or there are too many.
        UnreadableError: A file of JSON cannot be understood.
    """
    found: dict[str, HumanReview] = {}
    for review in (*given, *(review for path in paths for review in _read(path))):
        found.setdefault(bare_words(review.text), review.changed(id=f"review-{len(found) + 1}"))
    if len(found) > MOST_REVIEWS:
        raise PaperError(f"{len(found)} reviews were given as references; give at most {MOST_REVIEWS}")
    return tuple(found.values())


def _read(path: Path) -> Iterator[HumanReview]:
    content = file_bytes(path, largest_bytes=LARGEST_BYTES)
    if content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"["):
        yield from _from_json(content, path)
    else:
        yield HumanReview(id="review", text=decoded(content, path).strip())


def _from_json(content: bytes, path: Path) -> Sequence[HumanReview]:
    value = decode_json(content, object, name=str(path))
    entries = _entries(value.get("reviews", value) if isinstance(value, dict) else value)  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]  foreign JSON
    reviews = human_reviews(entries, venue_of(""))
    if not reviews:
        raise PaperError(
            f"{path} has no review with text: looked for 'reviews' with 'comments', or one object with "
            f"{', '.join(NAMES[1:])}; give such a file, or the review as text"
        )
    return reviews


def _entries(value: object) -> list[dict[str, Any]]:
    try:
        several = msgspec.convert(value if isinstance(value, list) else [value], list[dict[str, Any]])
    except msgspec.ValidationError:
        return []
    return [entry | {"comments": text} for entry in several if (text := _text(entry))]


def _text(entry: dict[str, Any]) -> str:
    return next((text for name in NAMES if isinstance(text := entry.get(name), str) and text.strip()), "")
