"""What a paper is about, as far as words show: what a review of it, and of no other, would speak of."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from agents_eval_core.paper import Paper
from agents_eval_evaluators.calibration.word_counts import WordCounts
from agents_eval_evaluators.text.shared_runs import Run, runs_of
from agents_eval_evaluators.text.words import plain, words

OPENING_CHARACTERS: Final = 2000
SHORTEST_QUOTATION: Final = 3
_PLACE: Final = re.compile(
    r"\b(section|sec|table|figure|fig|equation|eq|algorithm|theorem|lemma|appendix)s?\b[.\s(]*(\d+(?:\.\d+)*)"
)
_FULL_NAMES: Final = {"sec": "section", "fig": "figure", "eq": "equation"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperText:
    """A paper's text, prepared for looking things up in it.

    Attributes:
        runs: Every run of six words.
        places: Numbered places that it names: `table 2`, `section 3.1`.
        spaced: Its words with single spaces around them.
    """

    runs: frozenset[Run]
    places: frozenset[str]
    spaced: str


@lru_cache(maxsize=16)  # many runs are about the same few papers; a long one takes about 2 MB here
def paper_text(text: str) -> PaperText:
    """Return a paper's text prepared; the last few papers are kept."""
    return PaperText(runs=runs_of(text), places=frozenset(places(text)), spaced=f" {' '.join(words(text))} ")


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperSubject:
    """What identifies a paper.

    Attributes:
        terms: Uncommon words of title, abstract and keywords; of the opening where there is no abstract.
        telling: Those of them that the title does not have, since whoever knows the title need not have read the
            paper. All of them where the title has them all.
        title: The words of the title.
        places: Numbered places that the paper names, and its numbered sections.
        text: The paper's text, prepared.
    """

    terms: frozenset[str]
    telling: frozenset[str]
    title: tuple[str, ...]
    places: frozenset[str]
    text: PaperText

    def has(self, anchor: str) -> bool:
        """Whether an anchor names something that is in this paper and not in every paper.

        That is a numbered place of the paper, or three or more consecutive words of it.
        """
        if any(place in self.places for place in places(anchor)):
            return True
        said = words(anchor)
        return len(said) >= SHORTEST_QUOTATION and f" {' '.join(said)} " in self.text.spaced


def paper_subject(paper: Paper, counts: WordCounts) -> PaperSubject:
    """Return what identifies a paper; the last few are kept."""
    headings = tuple(heading for part in paper.sections if (heading := part.heading))
    return _subject((paper.title, paper.abstract, *paper.keywords), headings, paper.text, counts)


@lru_cache(maxsize=16)  # as above; every metric of a run asks for the same
def _subject(front: tuple[str, ...], headings: tuple[str, ...], text: str, counts: WordCounts) -> PaperSubject:
    title, abstract, *keywords = front
    prepared = paper_text(text)
    about = " ".join((title, abstract or text[:OPENING_CHARACTERS], *keywords))
    numbered = (f"section {heading.split()[0].rstrip('.')}" for heading in headings)
    terms = frozenset(word for word in words(about) if not word.isdigit() and counts.is_uncommon(word))
    return PaperSubject(
        terms=terms,
        telling=terms.difference(words(title)) or terms,
        title=words(title),
        places=prepared.places | frozenset(numbered),
        text=prepared,
    )


def places(text: str) -> Iterator[str]:
    """Yield the numbered places that a text names, under one name each.

    >>> list(places("See Fig. 2 and Sec 3.1."))
    ['figure 2', 'section 3.1']
    """
    for kind, number in _PLACE.findall(plain(text)):
        yield f"{_FULL_NAMES.get(kind, kind)} {number}"
