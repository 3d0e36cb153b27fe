"""Values as they come out of JSON that somebody else wrote: taken as what they should be, or as nothing."""

from datetime import UTC, datetime
from typing import Any, Final, cast

import msgspec

DEEPEST: Final = 64
"""How deep a kept value may be; what lies deeper is kept as its JSON text."""


class CutText(str):
    """A text that was cut when it was read; `full_length` is what it had before."""

    __slots__ = ("full_length",)
    full_length: int

    @classmethod
    def of(cls, text: str, longest: int) -> str:
        """Return the text itself if it is short enough, else its beginning.

        >>> CutText.of("abcdef", 3), CutText.of("abc", 3)
        ('abc', 'abc')
        """
        if len(text) <= longest:
            return text
        cut = cls(text[:longest])
        cut.full_length = text.full_length if isinstance(text, CutText) else len(text)
        return cut


def as_text(value: Any) -> str | None:
    """Return a text that is not empty, as a plain one, else None."""
    return str(value) if isinstance(value, str) and value else None


def as_record(value: Any) -> dict[str, Any]:
    """Return a mapping, or an empty one where there is none."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """Return a list, or an empty one where there is none."""
    return cast("list[Any]", value) if isinstance(value, list) else []


def as_records(value: Any) -> list[dict[str, Any]]:
    """Return the mappings in a list; other entries are left out."""
    return [cast("dict[str, Any]", entry) for entry in as_list(value) if isinstance(entry, dict)]


def as_count(value: Any) -> int | None:
    """Return a whole number that is not negative, else None.

    >>> as_count(3), as_count(True), as_count(-1), as_count("3")
    (3, None, None, None)
    """
    return None if isinstance(value, bool) or not isinstance(value, int) or value < 0 else value


def as_number(value: Any) -> float | None:
    """Return a finite number, else None."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value) if abs(value) < float("inf") else None
    except OverflowError:
        return None


def as_amount(value: Any) -> float | None:
    """Return an amount of money: a finite number that is not negative, else None."""
    number = as_number(value)
    return None if number is None or number < 0 else number


def as_moment(value: Any) -> datetime | None:
    """Return a point in time from ISO 8601 or seconds since 1970, in UTC; a time without a zone is taken as UTC.

    >>> as_moment("2025-01-02T03:04:05Z").isoformat()
    '2025-01-02T03:04:05+00:00'
    """
    try:
        if isinstance(value, str) and value:
            read = datetime.fromisoformat(value)
            return read.astimezone(UTC) if read.tzinfo else read.replace(tzinfo=UTC)
        number = as_number(value)
        return datetime.fromtimestamp(number, UTC) if number is not None and number > 0 else None
    except (ValueError, OverflowError, OSError):
        return None


def as_json(value: Any) -> str:
    """Return a value as text: texts as they are, anything else as JSON."""
    if isinstance(value, str):
        return value
    try:
        return msgspec.json.encode(value).decode()
    except (RecursionError, TypeError, ValueError):
        return f"<{type(value).__name__} nested too deep>"


def parsed(value: Any) -> Any:
    """Return the JSON value that a text holds, else the text as it was; other values as they are.

    >>> parsed('{"a": 1}'), parsed("a"), parsed(3)
    ({'a': 1}, 'a', 3)
    """
    if not isinstance(value, str) or isinstance(value, CutText):
        return value
    try:
        return msgspec.json.decode(value)
    except (ValueError, RecursionError):
        return value


def cut_texts(value: Any, longest: int, depth: int = 0) -> Any:
    """Return a value in which long texts are cut and remember their lengths; what lies too deep becomes JSON text."""
    if isinstance(value, str):
        return CutText.of(value, longest)
    if not isinstance(value, dict | list):
        return value
    if depth >= DEEPEST:
        return CutText.of(as_json(value), longest)
    if isinstance(value, list):
        return [cut_texts(one, longest, depth + 1) for one in as_list(value)]
    return {key: cut_texts(one, longest, depth + 1) for key, one in as_record(value).items()}


def shortened(value: Any, longest: int | None, cuts: dict[str, int], path: str, depth: int = 0) -> Any:
    """Return a value with long texts cut; their full lengths go into `cuts` by their path.

    >>> cuts = {}
    >>> shortened({"a": ["bcdef"]}, 2, cuts, "arguments"), cuts
    ({'a': ['bc']}, {'arguments.a.0': 5})
    """
    if isinstance(value, str):
        return _shortened_text(value, longest, cuts, path)
    if not isinstance(value, dict | list):
        return value
    if depth >= DEEPEST:
        return _shortened_text(as_json(value), longest, cuts, path)
    if isinstance(value, list):
        return [shortened(one, longest, cuts, f"{path}.{at}", depth + 1) for at, one in enumerate(as_list(value))]
    record = as_record(value)
    return {key: shortened(one, longest, cuts, f"{path}.{key}", depth + 1) for key, one in record.items()}


def _shortened_text(text: str, longest: int | None, cuts: dict[str, int], path: str) -> str:
    kept = text if longest is None else CutText.of(text, longest)
    if isinstance(kept, CutText):
        cuts[path] = kept.full_length
        return str(kept)
    return kept
