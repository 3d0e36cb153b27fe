"""The human reviews of a venue whose papers have no text, as cases without a paper."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, Protocol, runtime_checkable

from agents_eval_core import registry
from agents_eval_core.case import Case
from agents_eval_core.review import HumanReview

FEWEST_REVIEWS: Final = 2


@runtime_checkable
class _Reviewed(Protocol):
    def references(self, paper_id: str, data_dir: Path | None) -> tuple[HumanReview, ...]: ...


def review_cases(data_dir: Path | None, venue: str) -> tuple[Case, ...]:
    """Return the papers of a venue with two human reviews or more, without the papers; none where there is no venue."""
    return tuple(_cases(data_dir, venue))


def _cases(data_dir: Path | None, venue: str) -> Iterator[Case]:
    dataset = registry.dataset("peerread")
    if not isinstance(dataset, _Reviewed):
        return
    for entry in dataset.entries(data_dir):
        if entry.venue == venue and entry.usable_references >= FEWEST_REVIEWS:
            name = f"{venue}/{entry.split}/{entry.id}"
            yield Case(id=name, references=dataset.references(name, data_dir))
