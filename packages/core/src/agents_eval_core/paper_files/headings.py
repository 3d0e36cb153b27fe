"""Headings of a paper as they are printed: numbered ones, and the names that papers use."""

import re
from dataclasses import dataclass
from typing import Final

LONGEST: Final = 110
MOST_WORDS: Final = 16
_KNOWN: Final = """
abstract, summary, introduction, background, preliminaries, motivation, overview, problem statement, problem
formulation, problem setup, notation, related work, related works, previous work, prior work, literature review,
method, methods, methodology, approach, our approach, proposed method, proposed approach, model, models, our
model, architecture, materials and methods, data, dataset, datasets, data set, data sets, experiment,
experiments, experimental setup, experimental settings, experimental results, setup, implementation,
implementation details, evaluation, evaluations, results, results and discussion, main results, analysis,
ablation study, ablation studies, ablations, case study, discussion, discussions, findings, limitations,
limitation, conclusion, conclusions, concluding remarks, conclusion and future work, conclusions and future
work, discussion and conclusion, discussion and conclusions, future work, broader impact, broader impacts,
impact statement, ethics statement, ethical considerations, ethics, reproducibility statement, data
availability, code availability, author contributions, funding, conflict of interest, competing interests,
acknowledgement, acknowledgements, acknowledgment, acknowledgments, references, bibliography, literature cited,
works cited, appendix, appendices, supplementary material, supplementary materials, keywords, theoretical
analysis
"""
KNOWN: Final = frozenset(" ".join(name.split()) for name in _KNOWN.split(","))
CERTAIN: Final = frozenset(
    {"abstract", "references", "bibliography", "acknowledgements", "acknowledgments", "acknowledgement"}
)
BIBLIOGRAPHY: Final = frozenset({"references", "bibliography", "literature cited", "works cited"})
NUMBERED: Final = re.compile(
    r"(?:(?:Section|Appendix)\s+)?(?P<number>(?:\d{1,2}|[A-Z]|[IVX]{1,5})(?:\.\d{1,2}){0,4})(?P<mark>[.:)]?)\s+"
    r"(?P<name>[^\W\d_].*|\d.*[^\W\d_].*)"
)
NUMERALS: Final = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
ROMAN: Final = {numeral: value for value, numeral in enumerate(NUMERALS, 1)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A heading's number as places, with what kind of number the first of them is."""

    kind: str
    places: tuple[int, ...]

    def follows(self, last: "Number | None", *, most_missed: int = 0) -> bool:
        """Whether it comes next after a number, or so few later as may have been missed.

        >>> first = Number(kind="digit", places=(2,))
        >>> [Number(kind="digit", places=places).follows(first) for places in ((2, 1), (3,), (4,), (2, 2))]
        [True, True, False, False]
        """
        if last is None or last.kind != self.kind:
            return self.places[0] <= 1 + most_missed and all(place <= 1 for place in self.places[1:])
        pairs = enumerate(zip(self.places, last.places, strict=False))
        level = next((at for at, (own, before) in pairs if own != before), None)
        if level is None:
            new = self.places[len(last.places) :]
            return bool(new) and new[0] <= 1 + most_missed and all(place <= 1 for place in new[1:])
        step = self.places[level] - last.places[level]
        return 1 <= step <= 1 + most_missed and all(place <= 1 for place in self.places[level + 1 :])


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadingText:
    """A line that could be a heading.

    Attributes:
        number: Its number; None where it has none.
        name: Without its number.
    """

    number: Number | None
    name: str

    @property
    def is_known(self) -> bool:
        """Whether papers commonly head a section so."""
        return plain_name(self.name) in KNOWN

    @property
    def is_certain(self) -> bool:
        """Whether a line of these words alone is a heading, however it is printed."""
        return plain_name(self.name) in CERTAIN

    @property
    def is_bibliography(self) -> bool:
        """Whether the list of references follows."""
        return plain_name(self.name) in BIBLIOGRAPHY


def heading_text(line: str) -> HeadingText | None:
    """Return what a line would be as a heading, or None where its words can be none.

    >>> found = heading_text("3.2 Training Data")
    >>> found.number.places, found.name
    ((3, 2), 'Training Data')
    >>> heading_text("3 of the reviewers were asked again, and they agreed.") is None
    True
    """
    text = " ".join(line.split()).strip()
    if not text or len(text) > LONGEST or len(text.split()) > MOST_WORDS or text[-1] in ".,;" or "@" in text:
        return None
    match = NUMBERED.fullmatch(text)
    if match is not None and match["name"].split()[0].islower():
        return None
    if match is not None and (number := _number(match["number"], match["mark"])) is not None:
        return HeadingText(number=number, name=match["name"])
    if not any(letter.isalpha() for letter in text) or text[0].islower():
        return None
    return HeadingText(number=None, name=text)


def plain_name(heading: str) -> str:
    """Return a heading's words in lower case, without marks around them.

    >>> plain_name("ACKNOWLEDGEMENTS:")
    'acknowledgements'
    """
    return " ".join(heading.casefold().split()).strip(" .:-—*#")


def _number(number: str, mark: str) -> Number | None:
    first, *rest = number.split(".")
    places = tuple(int(place) for place in rest)
    if first.isdigit():
        return Number(kind="digit", places=(int(first), *places))
    if first in ROMAN and (len(first) > 1 or mark == "."):
        return Number(kind="roman", places=(ROMAN[first], *places))
    if len(first) == 1:
        return Number(kind="letter", places=(ord(first) - ord("A") + 1, *places))
    return None
