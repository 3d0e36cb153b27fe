"""What the facts of a paper amount to, as points for and against it."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from agents_eval_agents.providers.extractive import facts
from agents_eval_agents.providers.extractive.checks import ABSTRACT_CHECKS, PAPER_CHECKS, Check
from agents_eval_agents.providers.extractive.facts import Finding, enumerate_names
from agents_eval_agents.providers.extractive.lines import LABEL
from agents_eval_agents.review_team.outputs import Analysis, DraftPoint, ResearchSummary

Bounds = Mapping[str, tuple[int, int]]
OF_PAPER: Final[Bounds] = {"strengths": (3, 5), "weaknesses": (4, 7), "questions": (2, 4), "suggestions": (2, 4)}
OF_ABSTRACT: Final[Bounds] = {"strengths": (1, 3), "weaknesses": (0, 3), "questions": (2, 2), "suggestions": (0, 2)}
_MANY = 3
_SECTION = re.compile(r"\s*(?P<number>(?P<chapter>\d+|[A-Z])(?:\.\d+)*)\.?\s+\S")


def assess(summary: ResearchSummary) -> Analysis:
    """Turn the facts of a summary into the points of a review.

    Each point is the sentence of a check around the paper's own words, and has the anchor of the fact it rests on. At
    most five strengths, seven weaknesses, four questions and four suggestions; of an abstract three, three, two and
    two, which speak of the abstract and never of the paper. A summary with nothing in it gives no points.

    >>> from agents_eval_agents.providers.extractive.reader import read_paper
    >>> summary = read_paper("FooNet", "We propose FooNet, a fast network for tree parsing of web text.", [])
    >>> assess(summary).strengths[0].text  # doctest: +ELLIPSIS
    'The reader learns early what FooNet is meant to do for tree parsing: ...'
    """
    is_abstract = facts.ONLY_ABSTRACT in summary.unread
    checks, bounds = (ABSTRACT_CHECKS, OF_ABSTRACT) if is_abstract else (PAPER_CHECKS, OF_PAPER)
    points = _Points(list(facts.read_facts(summary.facts)))
    return Analysis(**{part: points.of(part, checks, *bounds[part]) for part in bounds})


class _Points:
    """Words points, keeping count of the phrases and quotations that were used, so that none wears out."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        self._findings = findings
        self._names = {finding.topic: finding.names for finding in findings if finding.status == facts.STATED}
        self._phrases = self._names.get("recurring phrases", ())
        self._used = Counter[str]()

    def of(self, part: str, checks: Sequence[Check], least: int, most: int) -> list[DraftPoint]:
        """Return the points of one part of the review, the spare ones only while there are too few."""
        points: list[DraftPoint] = []
        for check in checks:
            if len(points) < (least if check.is_spare else most):
                points += self._point(getattr(check, part), self._telling(check, part))
        return points

    def _telling(self, check: Check, part: str) -> Finding | None:
        """Return what was found of a check that speaks for this part of the review and was not quoted before."""
        for finding in self._findings:
            tells = finding.status == facts.STATED or (finding.status == facts.ABSENT) == (part != "strengths")
            if finding.topic == check.topic and tells and not self._used[finding.quote]:
                return finding
        return None

    def _point(self, sentence: str, finding: Finding | None) -> list[DraftPoint]:
        try:
            text = sentence.format_map(self._slots(finding)) if finding else ""
        except KeyError:
            text = ""
        if not finding or not text:
            return []
        phrases = {*finding.near, *self._phrases}
        self._used.update(used for used in (*phrases, finding.quote) if used and used in text)
        is_named = any(letter.isupper() for letter in text.split()[0])  # a name keeps its first letter
        return [DraftPoint(text=text if is_named else text[0].upper() + text[1:], anchor=finding.anchor)]

    def _slots(self, finding: Finding) -> dict[str, str]:
        """Return what can be filled into a sentence; what is not there is left out, so the sentence is not said."""
        data, rivals = self._names.get("data", ()), self._names.get("names compared with", ())
        a = self._fresh(finding.near) or "the main result"
        given = {
            "a": a,
            "b": self._fresh(phrase for phrase in (*finding.near, *self._phrases) if phrase != a),
            "work": "".join(self._names.get("own name", ["the approach"])),
            "place": place(finding.anchor),
            "quote": finding.quote,
            "names": enumerate_names(finding.names),
            "many": enumerate_names(finding.names[:5]) if len(finding.names) >= _MANY else "",
            "few": "" if len(finding.names) >= _MANY else enumerate_names(finding.names),
            "data": enumerate_names(data[:2]) or "the cases studied",
            "rivals": enumerate_names(rivals[:2]) or "earlier work",
            "known_rivals": enumerate_names(rivals[:3]),
            "rival": rivals[0] if rivals else "another approach",
            "exhibit": self._names.get("tables and figures", ["the results"])[0],
        }
        return {slot: text for slot, text in given.items() if text}

    def _fresh(self, phrases: Iterable[str]) -> str:
        """Return the phrase that was used least."""
        return min(phrases, key=lambda phrase: self._used[phrase], default="")


def place(anchor: str) -> str:
    """Return how a sentence refers to an anchor.

    >>> [place(anchor) for anchor in ("5.2 Case 1: Selection", "Table 2", "Abstract", "B.1 Proofs", "Results")]
    ['Section 5.2', 'Table 2', 'the abstract', 'Appendix B.1', 'the text']
    """
    if anchor.strip().lower() == "abstract":
        return "the abstract"
    if LABEL.fullmatch(anchor):
        return anchor
    section = _SECTION.match(anchor)
    if section is None:
        return "the text"
    return f"{'Section' if section['chapter'].isdigit() else 'Appendix'} {section['number']}"
