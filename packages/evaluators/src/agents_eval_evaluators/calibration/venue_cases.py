"""The papers of one venue with their human reviews: what is fitted from, and what metrics are tested on."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from agents_eval_core import registry
from agents_eval_core.case import Case
from agents_eval_core.errors import PaperError
from agents_eval_core.ports.dataset import Dataset


def venue_cases(data_dir: Path | None, venue: str) -> tuple[Case, ...]:
    """Return the papers of a venue that have usable human reviews and a text, in the data's order.

    Raises:
        PaperError: The folder is not PeerRead's, or it has no reviewed paper of that venue.
    """
    dataset = registry.dataset("peerread")
    entries = [entry for entry in dataset.entries(data_dir) if entry.venue == venue and entry.usable_references]
    if not entries:
        raise PaperError(
            f"no reviewed paper of venue {venue!r} in {data_dir}; 'agents-eval papers list' shows what there is"
        )
    return tuple(_readable(dataset, (f"{venue}/{entry.split}/{entry.id}" for entry in entries), data_dir))


def _readable(dataset: Dataset, paper_ids: Iterable[str], data_dir: Path | None) -> Iterator[Case]:
    for paper_id in paper_ids:
        try:
            yield dataset.case(paper_id, data_dir)
        except PaperError:  # a paper without text cannot be reviewed by anybody, nor be fitted from
            continue
