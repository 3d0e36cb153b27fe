"""Finding the data that a validation understands among folders of any kind of data."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from agents_eval_core.case import Case
from agents_eval_core.errors import PaperError
from agents_eval_evaluators.calibration.venue_cases import venue_cases
from agents_eval_evaluators.validity.review_cases import review_cases

T = TypeVar("T")


def places(data: Sequence[Path]) -> Iterator[Path]:
    """Yield each folder and, after it, the folder `data` in it, if there is one."""
    for folder in data:
        yield folder
        if (folder / "data").is_dir():
            yield folder / "data"


def cases_among(data: Sequence[Path], venue: str) -> tuple[Case, ...]:
    """Return the reviewed papers of a venue from the first folder that has any.

    Raises:
        PaperError: None of the folders has the venue.
    """
    return _first(data, lambda folder: venue_cases(folder, venue), f"no reviewed paper of venue {venue!r}")


def reviews_among(data: Sequence[Path], venue: str) -> tuple[Case, ...]:
    """Return the papers of a venue with two human reviews or more, without their texts; none without the venue."""
    try:
        return _first(data, lambda folder: review_cases(folder, venue), venue)
    except PaperError:
        return ()


def _first(data: Sequence[Path], look: Callable[[Path], Sequence[T]], wanted: str) -> tuple[T, ...]:
    for place in places(data):
        try:
            found = look(place)
        except PaperError:  # some other kind of data
            continue
        if found:
            return tuple(found)
    looked = ", ".join(map(str, data)) or "no folder"
    raise PaperError(f"{wanted} in {looked}; give the folder that has it with --data")
