"""The numbered places that a paper has: its sections, tables, figures, equations and so on."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from agents_eval_core.paper import Paper
from agents_eval_evaluators.text.point_marks import numbered_places

CHECKABLE: Final = frozenset(
    ("section", "table", "figure", "equation", "algorithm", "theorem", "lemma", "proposition", "appendix")
)
MOST_EQUATIONS: Final = 300
_NUMBERED_HEADING: Final = re.compile(
    r"^\s*(?:appendix\s+)?(\d{1,2}(?:\.\d{1,2})*|[A-H](?:\.\d{1,2})*)\b[.:)]?(?=\s|$)", re.IGNORECASE
)
_EQUATION_LABEL: Final = re.compile(r"\((\d{1,3})\)")
_CITATION_LABEL: Final = re.compile(r"\[(\d{1,3}(?:\s*[,\u2013-]\s*\d{1,3})*)\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperPlaces:
    """What a paper has.

    Attributes:
        named: The numbers that it names or heads, by kind; `section 3.1` brings `section 3` with it.
        highest: The largest whole number of each kind, that of its numbered references as `citation`.
    """

    named: Mapping[str, frozenset[str]]
    highest: Mapping[str, int]

    def has(self, place: str) -> bool | None:
        """Whether there is such a place; None where that cannot be told.

        A number below the largest of its kind exists too (who has a Table 5 has a Table 2). Nothing is told of a kind
        that the paper never names, of a subsection where no other of its section is known, of an equation beyond the
        largest (readers of PDF files lose their labels), and of an appendix in numbers where others have letters.

        >>> places = PaperPlaces(named={"table": frozenset({"5"})}, highest={"table": 5})
        >>> [places.has(place) for place in ("table 2", "table 7", "figure 1", "line 12")]
        [True, False, None, None]
        """
        kind, _, number = place.partition(" ")
        if kind not in self.named or not number:
            return None
        if number in self.named[kind]:
            return True
        if "." in number:
            return self._has_part(kind, number)
        if number.isdigit() and 1 <= int(number) <= self.highest[kind]:
            return True
        return None if kind == "equation" or (kind == "appendix" and number.isdigit()) else False

    def _has_part(self, kind: str, number: str) -> bool | None:
        whole, _, _ = number.rpartition(".")
        siblings = [known for known in self.named[kind] if known.startswith(f"{whole}.")]
        if siblings:
            last = number.rpartition(".")[2]
            lasts = [
                int(part) for known in siblings if (part := known.removeprefix(f"{whole}.").split(".")[0]).isdigit()
            ]
            return last.isdigit() and 1 <= int(last) <= max(lasts, default=0)
        return None if self.has(f"{kind} {whole}") else False


def paper_places(paper: Paper) -> PaperPlaces:
    """Return what places a paper has, from its headings and from what its text refers to."""
    return _places(paper.text, tuple(section.heading for section in paper.sections))


@lru_cache(maxsize=32)  # many runs are about the same few papers
def _places(text: str, headings: tuple[str, ...]) -> PaperPlaces:
    named: dict[str, set[str]] = {}
    for place in numbered_places(text):
        kind, _, number = place.partition(" ")
        named.setdefault(kind, set()).update(_with_wholes(number))
    for line in headings:
        heading = _NUMBERED_HEADING.match(line)
        if heading:
            number = heading[1].lower()
            named.setdefault("section" if number[0].isdigit() else "appendix", set()).update(_with_wholes(number))
    labels = {number for number in _EQUATION_LABEL.findall(text) if 0 < int(number) <= MOST_EQUATIONS}
    if labels:
        named.setdefault("equation", set()).update(labels)
    cited = {number for group in _CITATION_LABEL.findall(text) for number in re.findall(r"\d+", group)}
    if cited:
        named["citation"] = cited
    kept = {kind: frozenset(numbers) for kind, numbers in named.items() if kind in CHECKABLE or kind == "citation"}
    return PaperPlaces(named=kept, highest={kind: _highest(numbers) for kind, numbers in kept.items()})


def _with_wholes(number: str) -> set[str]:
    parts = number.split(".")
    return {".".join(parts[:length]) for length in range(1, len(parts) + 1)}


def _highest(numbers: frozenset[str]) -> int:
    return max((int(number) for number in numbers if number.isdigit()), default=0)
