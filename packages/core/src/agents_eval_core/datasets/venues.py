"""What is known of the venues of PeerRead: their rating scales and the forms their reviewers filled in."""

import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from agents_eval_core.review import Scale

ONE_TO_FOUR: Final = Scale(lowest=1, highest=4)
ONE_TO_FIVE: Final = Scale(lowest=1, highest=5)
ONE_TO_SIX: Final = Scale(lowest=1, highest=6)
ONE_TO_TEN: Final = Scale(lowest=1, highest=10)

# A label of the form is one at the beginning of a line, before a colon or the line's end.
ACL_FORM: Final = re.compile(
    r"^[ \t]*-?[ \t]*(?:strengths?|weakness(?:es)?|general discussion)[ \t]*(?::|$)", re.IGNORECASE | re.MULTILINE
)
NEURIPS_FORM: Final = re.compile(r"^(?:SUMMARY|STRENGTHS AND WEAKNESSES|QUESTIONS|LIMITATIONS):[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Venue:
    """A venue's scales, None where unknown, and the labels of its review form."""

    rating: Scale | None = None
    confidence: Scale | None = None
    aspects: Scale | None = None
    form: re.Pattern[str] | None = None


UNKNOWN: Final = Venue()
_ACL: Final = Venue(rating=ONE_TO_FIVE, confidence=ONE_TO_FIVE, aspects=ONE_TO_FIVE, form=ACL_FORM)
VENUES: Final = MappingProxyType(
    {
        "acl_2017": _ACL,
        "conll_2016": _ACL,
        "iclr_2017": Venue(rating=ONE_TO_TEN, confidence=ONE_TO_FIVE, aspects=ONE_TO_FIVE),
        "neurips_2025": Venue(rating=ONE_TO_SIX, confidence=ONE_TO_FIVE, aspects=ONE_TO_FOUR, form=NEURIPS_FORM),
    }
)


def venue_of(name: str) -> Venue:
    """Return what is known of a venue; of another one, nothing, so that its scores are not put on a guessed scale.

    Sources: the PeerRead paper (Kang et al., NAACL 2018) for the first three, OpenReview's form for NeurIPS 2025.

    >>> venue_of("iclr_2017").rating
    Scale(lowest=1.0, highest=10.0)
    >>> venue_of("nips_2013-2017").rating is None
    True
    """
    return VENUES.get(name, UNKNOWN)
