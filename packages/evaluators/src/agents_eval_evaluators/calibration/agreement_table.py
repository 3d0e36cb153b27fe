"""The fitted table: how common words are in human reviews, and how alike reviews of one paper are."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final, Literal

from pydantic import Field

from agents_eval_core.frozen import Frozen
from agents_eval_core.score import Quartiles
from agents_eval_evaluators.calibration.negation_rates import NegationRates
from agents_eval_evaluators.calibration.sentence_model import SentenceModel
from agents_eval_evaluators.calibration.venue_tables import own_table
from agents_eval_evaluators.calibration.word_counts import WordCounts
from agents_eval_evaluators.calibration.word_order_table import WordOrderTable

CALIBRATION: Final = "human_agreement"
DEFAULT_VENUE: Final = "iclr_2017"
SHIPPED: Final = (DEFAULT_VENUE, "neurips_2025")


class Provenance(Frozen):
    """Where a table comes from and how it was made."""

    source: str
    papers: int
    reviews: int
    fitted_on: str
    versions: Mapping[str, str]
    licence: str
    method: str
    warnings: tuple[str, ...] = ()


class FaultThresholds(Frozen):
    """From where on a text is unlike human reviews; each is a percentile of the venue's reviewers.

    Attributes:
        off_paper: The 1st percentile of the cosine with the nearest other review plus that with the abstract.
        generic_match: The 1st percentile of the grounded match with the others.
        generic_cosine: The 1st percentile of the cosine with the nearest other review.
        negation: The 99th percentile of the excess of negations.
        word_order: The 1st percentile of the word-pair information, less a margin of 0.3 nats; -0.45 at
            the highest, midway to the same words in random order.
        reviews: On how many reviews these rest.
    """

    off_paper: float
    generic_match: float
    generic_cosine: float
    negation: float
    word_order: float
    reviews: int


class AgreementTable(Frozen):
    """A venue's words and its scales of human agreement.

    Attributes:
        pair_scale: Grounded match of a review with one other of the same paper, sorted.
        match_scale: Grounded match of a review with the expected better of two others of the same paper, sorted.
        said_pair_scale: Share of one other review's weight that a review says too, sorted.
        said_scale: Mean of that share over the others, for reviews with two or more, sorted.
        humans: Where the venue's reviewers lie on the metrics that use this table.
    """

    schema_name: Literal["agents-eval/human-agreement/2"] = Field(alias="schema")
    venue: str
    provenance: Provenance
    words: WordCounts
    order: WordOrderTable
    sentences: SentenceModel
    negation: NegationRates
    thresholds: FaultThresholds
    pair_scale: tuple[float, ...]
    match_scale: tuple[float, ...]
    said_pair_scale: tuple[float, ...]
    said_scale: tuple[float, ...]
    humans: dict[str, Quartiles]


def percentile(value: float, scale: Sequence[float]) -> float:
    """Return the mid-rank share of a sorted scale that lies below a value; equal values count half.

    >>> percentile(0.2, (0.1, 0.2, 0.3, 0.4))
    0.375
    >>> percentile(0.9, (0.1, 0.2))
    1.0
    """
    return (bisect_left(scale, value) + bisect_right(scale, value)) / (2 * len(scale))


def shipped_table(venue: str = DEFAULT_VENUE) -> AgreementTable:
    """Return the table of a venue that comes with the package, read once; ICLR 2017's for a venue that has none.

    The scale does not travel: a NeurIPS 2025 reviewer lies at about the 84th percentile of ICLR 2017. So a score names
    the venue of its scale.

    >>> shipped_table("somewhere_1999").venue
    'iclr_2017'
    """
    return _read(venue if venue in SHIPPED else DEFAULT_VENUE)


def venue_table(venue: str, tables: Path | None = None) -> AgreementTable:
    """Return the table by which a venue is read: the user's own, else the one that comes with the package.

    Raises:
        SettingsError: There is one of the user's own and it cannot be read.
    """
    return own_table(tables, CALIBRATION, venue, AgreementTable) or shipped_table(venue)


@cache
def _read(venue: str) -> AgreementTable:
    file = resources.files("agents_eval_evaluators.calibration") / f"{venue}.json"
    return AgreementTable.model_validate_json(file.read_bytes())
