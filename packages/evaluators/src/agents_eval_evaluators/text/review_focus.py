"""Whether a set of reviews looks at the same aspects of papers as the human reviewers of these papers do."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final

from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Measure, Tier
from agents_eval_evaluators.scoring import measured, unmeasured
from agents_eval_evaluators.text.aspects import ASPECTS, aspect_counts, aspect_shares, divergence
from agents_eval_evaluators.text.language import other_language

FEWEST_PAPERS: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewFocus:
    """Scores a set of reviews by one minus the divergence of their aspects from the human reviewers'.

    One review says next to nothing, so it takes reviews of five papers. What two sets of human reviewers of the same
    papers have stands beside it: the first reviewers against the others.
    """

    name: str = "review_focus"
    version: str = "1"
    tier: Tier = 1
    metrics: tuple[str, ...] = ("review_focus",)

    async def evaluate_group(self, runs: Sequence[Run], context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port
        """Compare the reviews' aspects with those of the human reviews of the same papers."""
        reviews = [run for run in runs if run.case.task == "peer_review"]
        if not reviews:
            return unmeasured(self, "not_applicable", "it looks at peer reviews, and there is none")
        usable = [run for run in reviews if run.case.references and run.text and other_language(run.text) is None]
        papers = {run.case.id: run for run in usable}
        if len(papers) < FEWEST_PAPERS:
            why = f"{len(papers)} papers have a review in English and human reviews; it takes {FEWEST_PAPERS}"
            return unmeasured(self, "not_measured", why)
        ours = aspect_shares(aspect_counts(run.text) for run in usable)
        humans = [[review.text for review in run.case.references] for run in papers.values()]
        theirs = aspect_shares(aspect_counts(text) for texts in humans for text in texts)
        if not ours or not theirs:
            return unmeasured(self, "not_measured", "the word lists find no aspect in the reviews of one side")
        apart = divergence(ours, theirs)
        among = _among_humans(humans)
        return measured(
            self,
            1 - apart,
            explanation=f"{len(usable)} reviews of {len(papers)} papers share themselves out among {len(ASPECTS)} "
            f"aspects {apart:.3f} bit apart from the human reviewers; one set of humans from another: "
            f"{'unknown' if among is None else f'{among:.3f} bit'}",
            measures=_measures(ours, theirs, apart, among),
        )


def _among_humans(humans: Sequence[Sequence[str]]) -> float | None:
    """Return the divergence of the papers' first reviewers from all others; None where papers have one reviewer."""
    several = [texts for texts in humans if len(texts) > 1]
    first = aspect_shares(aspect_counts(texts[0]) for texts in several)
    others = aspect_shares(aspect_counts(text) for texts in several for text in texts[1:])
    return divergence(first, others) if first and others else None


def _measures(ours: dict[str, float], theirs: dict[str, float], apart: float, among: float | None) -> Iterator[Measure]:
    yield Measure(name="focus_divergence", value=apart, unit="bit")
    yield Measure(
        name="focus_divergence_of_humans",
        value=among,
        unit="bit",
        reason="not_measured" if among is None else None,
        explanation="" if among is not None else "no paper has two human reviews",
    )
    for aspect in ASPECTS:
        yield Measure(name=f"share_{aspect}", value=round(ours[aspect], 4), unit=f"humans {theirs[aspect]:.2f}")
    yield Measure(name="largest_gap", value=_largest(ours, theirs), unit="aspect")


def _largest(ours: dict[str, float], theirs: dict[str, float]) -> str:
    gaps = {aspect: ours[aspect] - theirs[aspect] for aspect in ASPECTS}
    if fsum(map(abs, gaps.values())) == 0:
        return "none"
    aspect = max(gaps, key=lambda name: abs(gaps[name]))
    return f"{aspect} ({gaps[aspect]:+.2f})"
