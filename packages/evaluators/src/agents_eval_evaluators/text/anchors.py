"""Whether what a review refers to is there: sections, tables, figures, equations, citations, numbers."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from agents_eval_core.paper import Paper
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.review import Review
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Evidence, Finding, Measure, Tier
from agents_eval_evaluators.scoring import measured, unmeasured
from agents_eval_evaluators.text.paper_places import PaperPlaces, paper_places
from agents_eval_evaluators.text.point_marks import numbered_places
from agents_eval_evaluators.text.words import plain

_BRACKETED: Final = re.compile(r"\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]")
_OWN_LIST: Final = re.compile(r"^[ \t]{0,9}\[\d{1,3}\]|^\W{0,9}references?\W{0,9}$", re.MULTILINE | re.IGNORECASE)
_AUTHOR_YEAR: Final = re.compile(
    r"\b([A-Z][a-z]{2,})(?: et al\.?| and [A-Z][a-z]+| & [A-Z][a-z]+)?,? \(?((?:19|20)\d\d)\b"
)
_FIGURE: Final = re.compile(r"(?<![\w.])\d+\.\d+(?![\w.]*\d)|(?<![\w.])\d+(?:\.\d+)?(?=\s?%)")
_PAPER_NUMBER: Final = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?!\w)")


@dataclass(frozen=True, slots=True, kw_only=True)
class AnchorCheck:
    """What a review refers to, held against the paper.

    Attributes:
        present: Places and numbered citations that the paper has.
        absent: Those that it has not.
        untold: Those of which it cannot be told, lines and pages among them.
        cited: Works cited by author and year; `cited_in_paper` are those that the paper names too.
        figures: Decimal numbers and percentages; `figures_in_paper` are those that the paper has too.
    """

    present: tuple[str, ...]
    absent: tuple[str, ...]
    untold: tuple[str, ...]
    cited: tuple[str, ...]
    cited_in_paper: tuple[str, ...]
    figures: tuple[str, ...]
    figures_in_paper: tuple[str, ...]

    @property
    def share_present(self) -> float | None:
        """Share of places and numbered citations that exist, of those that can be told; None where there are none."""
        told = len(self.present) + len(self.absent)
        return len(self.present) / told if told else None


def check_anchors(text: str, paper: Paper) -> AnchorCheck:
    """Return what a text refers to, each once, and whether the paper has it.

    Works cited by author and year, and numbers, are only counted: a reviewer may well bring those the paper lacks.
    Numbered citations are looked at unless the review has a list of its own.

    >>> from agents_eval_core.paper import Section
    >>> paper = Paper(id="1", dataset="d", title="T", sections=(Section(heading="1 Intro", text="Table 2 has 81.5."),))
    >>> check = check_anchors("Table 1 and Table 9 disagree on 81.5 %; see Section 4 and line 12.", paper)
    >>> check.present, check.absent, check.untold, check.figures_in_paper
    (('table 1',), ('table 9', 'section 4'), ('line 12',), ('81.5',))
    """
    places = paper_places(paper)
    told = {place: places.has(place) for place in numbered_places(text)} | dict(_numbered_citations(text, places))
    cited = tuple(dict.fromkeys(f"{name} {year}" for name, year in _AUTHOR_YEAR.findall(text)))
    figures = tuple(dict.fromkeys(_FIGURE.findall(text)))
    words_of_paper = _paper_words(paper.text)
    return AnchorCheck(
        present=tuple(place for place, there in told.items() if there),
        absent=tuple(place for place, there in told.items() if there is False),
        untold=tuple(place for place, there in told.items() if there is None),
        cited=cited,
        cited_in_paper=tuple(work for work in cited if set(work.lower().split()) <= words_of_paper),
        figures=figures,
        figures_in_paper=tuple(figure for figure in figures if figure in words_of_paper),
    )


@lru_cache(maxsize=16)  # many runs are about the same few papers
def _paper_words(text: str) -> frozenset[str]:
    lowered = plain(text)
    return frozenset(re.findall(r"[a-z]+", lowered)) | frozenset(_PAPER_NUMBER.findall(lowered))


def _numbered_citations(text: str, places: PaperPlaces) -> Iterator[tuple[str, bool | None]]:
    if _OWN_LIST.search(text):
        return
    for group in _BRACKETED.findall(text):
        for number in re.findall(r"\d+", group):
            yield f"citation {int(number)}", places.has(f"citation {int(number)}")


def _text_with_anchors(review: Review) -> str:
    anchors = (point.anchor for _, points in review.parts() for point in points if point.anchor)
    return "\n".join((review.text, *anchors))


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchors:
    """Scores a review by the share of what it refers to that the paper has; what is not there is a finding."""

    name: str = "anchors"
    version: str = "0"
    tier: Tier = 1
    metrics: tuple[str, ...] = ("anchors",)

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Check the review's references to places against the paper's full text."""
        if run.case.task != "peer_review":
            return unmeasured(self, "not_applicable", f"only reviews refer to a paper; the task is {run.case.task!r}")
        if run.case.paper is None or not run.case.paper.sections:
            return unmeasured(
                self, "not_measured", "the paper's full text is not at hand, so what it has cannot be looked up"
            )
        text = run.text if run.output is None else _text_with_anchors(run.output)
        check = check_anchors(text, run.case.paper)
        measures = _measures(check)
        if check.share_present is None:
            why = "the review names no section, table, figure or numbered citation that can be looked up"
            return unmeasured(self, "not_measured", why, measures=measures)
        evaluation = measured(
            self,
            check.share_present,
            explanation=_explanation(check),
            measures=measures,
            quotes=check.absent,
        )
        return evaluation.changed(findings=tuple(_findings(check, text)))


def _explanation(check: AnchorCheck) -> str:
    told = len(check.present) + len(check.absent)
    absent = f"; not found: {', '.join(check.absent)}" if check.absent else ""
    return f"{len(check.present)} of {told} places that the review names and that can be told are in the paper{absent}"


def _findings(check: AnchorCheck, text: str) -> Iterator[Finding]:
    if check.absent:
        yield Finding(
            name="absent_anchor",
            severity="warning",
            sentence=f"the review refers to what was not found in the paper's text: {', '.join(check.absent)}",
            evidence=Evidence(quotes=tuple(_lines_about(check.absent, text))),
        )
    unknown = [figure for figure in check.figures if figure not in check.figures_in_paper]
    if unknown:
        yield Finding(
            name="figures_not_in_paper",
            severity="info",
            sentence=f"numbers that were not found in the paper (they may be the reviewer's own): {', '.join(unknown)}",
        )


def _lines_about(absent: Sequence[str], text: str) -> Iterator[str]:
    for line in text.splitlines():
        named = {*numbered_places(line), *(f"citation {int(number)}" for number in re.findall(r"\[(\d{1,3})", line))}
        if not named.isdisjoint(absent):
            yield line.strip()[:200]


def _measures(check: AnchorCheck) -> tuple[Measure, ...]:
    counts = {
        "places_present": check.present,
        "places_absent": check.absent,
        "places_untold": check.untold,
        "works_cited": check.cited,
        "works_cited_in_paper": check.cited_in_paper,
        "figures_cited": check.figures,
        "figures_in_paper": check.figures_in_paper,
    }
    return tuple(Measure(name=name, value=len(found), unit="distinct") for name, found in counts.items())
