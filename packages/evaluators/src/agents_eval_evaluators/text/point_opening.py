"""Where a point of a review begins, and of which kind it is, as far as words and headings tell."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from agents_eval_evaluators.text.cues import asks, criticises

_PRAISE: Final = re.compile(
    r"\b(?:well[ -](?:written|motivated|organi[sz]ed|structured|executed|designed)|clear(?:ly)?|novel|interesting"
    r"|strong(?:ly)?|impressive|convincing|elegant|thorough|solid|sound|important|promising|nice(?:ly)?|excellent|good"
    r"|great|useful|valuable|easy to (?:read|follow|understand)|innovative|original|comprehensive|enjoy\w*"
    r"|appreciate)\b"
)
_HEADING: Final = re.compile(
    r"^\W{0,6}(?:\d{1,2}[.)]\s*)?(?:the |paper |main |major |minor |key )*(?P<kind>strengths?|pros?|positives?"
    r"|strong points?|weakness(?:es)?|cons?|negatives?|weak points?|limitations?|concerns?|questions?|suggestions?"
    r"|comments?|summary|detailed comments?|typos?|minor|overall)(?: (?:of|and|for|to)[^:]{0,40})?\W{0,4}"
    r"(?::\W*(?P<rest>.*)|)$",
    re.IGNORECASE,
)
_STRENGTH: Final = re.compile(r"strength|pro|positive|strong", re.IGNORECASE)
_WEAKNESS: Final = re.compile(r"weak|con(?!cern)|negative|concern|limitation", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading within a review: the kind of what follows (None for neither), and what stands on its line."""

    polarity: Literal["weakness", "strength"] | None
    rest: str


def heading_polarity(line: str) -> Heading | None:
    """Return the heading that a line is, or None for any other line.

    >>> heading_polarity("**Strengths:** simple").polarity, heading_polarity("Questions").polarity
    ('strength', None)
    >>> heading_polarity("Strong results are shown.") is None
    True
    """
    found = _HEADING.match(line.strip()[:200])
    if found is None:
        return None
    kind = found["kind"]
    rest = line.strip()[found.start("rest") :] if found["rest"] else ""
    if _STRENGTH.match(kind):
        return Heading(polarity="strength", rest=rest)
    return Heading(polarity="weakness" if _WEAKNESS.match(kind) else None, rest=rest)


@lru_cache(maxsize=512)
def opens_point(sentence: str) -> bool:
    """Whether a sentence criticises, asks or suggests.

    >>> opens_point("The baseline is missing."), opens_point("They train a parser.")
    (True, False)
    """
    return asks(sentence) or criticises(sentence)


def praises(sentence: str) -> bool:
    """Whether a sentence has words of praise and none of criticism.

    >>> praises("The paper is well written."), praises("It is well written but long.")
    (True, False)
    """
    return _PRAISE.search(sentence.lower()) is not None and not criticises(sentence)
