"""Whether a system writes the same text about several papers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Evidence, Finding, Measure, Tier
from agents_eval_evaluators.scoring import measured, unmeasured
from agents_eval_evaluators.text.shared_runs import runs_of, shared_words
from agents_eval_evaluators.text.words import words

MUCH_REUSED: Final = 0.3
MOST_SHOWN: Final = 6
QUOTED_WORDS: Final = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Reuse:
    """A review and the review of another paper that it has most in common with.

    Attributes:
        share: Share of its words in runs of six or more that the other has too.
        shared: The beginning of what they share.
    """

    run: Run
    other: Run
    share: float
    shared: str


def reused_share(text: str, other: str, paper: str = "") -> float:
    """Return the share of a text's words in runs of six or more that a text about another paper has too.

    Runs that the text's own paper has are quotations and do not count.

    >>> reused_share("The idea is nice but the evaluation is weak.", "The idea is nice but the evaluation is fine.")
    0.8888888888888888
    """
    marked = _marked(text, other, paper)
    return sum(marked) / len(marked) if marked else 0.0


def _marked(text: str, other: str, paper: str) -> list[bool]:
    return shared_words(words(text), runs_of(other) - runs_of(paper))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReusedText:
    """Scores a set of reviews by the mean share of words that are not those of a review of another paper.

    Reviews of one system are held against one another; a warning names those of which 30 % or more stand in another.
    Human reviews of ICLR 2017 reach that in less than 1 % of cases, templates always.
    """

    name: str = "reused_text"
    version: str = "1"
    tier: Tier = 1
    metrics: tuple[str, ...] = ("fresh_text",)

    async def evaluate_group(self, runs: Sequence[Run], context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port
        """Look in each review for what the same system wrote about another paper."""
        reviews = [run for run in runs if run.case.task == "peer_review" and words(run.text)]
        if not reviews:
            return unmeasured(self, "not_applicable", "it looks at peer reviews, and there is none with words")
        found = tuple(_reuses(reviews))
        if not found:
            return unmeasured(self, "not_measured", "no system has reviews of two papers here")
        accused = [reuse for reuse in found if reuse.share >= MUCH_REUSED]
        mean = sum(reuse.share for reuse in found) / len(found)
        evaluation = measured(
            self,
            1 - mean,
            explanation=f"{100 * mean:.0f} % of the words of {len(found)} reviews stand in runs of six or more in the "
            f"same system's review of another paper, on average",
            measures=(
                Measure(name="reviews_with_reused_text", value=len(accused), unit=f"of {len(found)} reviews"),
                Measure(name="largest_reuse", value=max(reuse.share for reuse in found), unit="share of words"),
            ),
        )
        return evaluation.changed(findings=tuple(map(_finding, accused[:MOST_SHOWN])))


def _reuses(runs: Sequence[Run]) -> Iterator[Reuse]:
    ordered = sorted(runs, key=lambda run: (_system(run), run.case.id, run.id))
    for _, group in groupby(ordered, key=_system):
        alike = tuple(group)
        for run in alike:
            others = [other for other in alike if other.case.id != run.case.id]
            if others:
                yield max((_reuse(run, other) for other in others), key=lambda reuse: reuse.share)


def _system(run: Run) -> tuple[str, str, str]:
    return run.system.engine, run.system.composition, run.system.model or ""


def _reuse(run: Run, other: Run) -> Reuse:
    marked = _marked(run.text, other.text, run.case.paper.text if run.case.paper else "")
    shared = [word for word, is_shared in zip(words(run.text), marked, strict=True) if is_shared]
    return Reuse(
        run=run,
        other=other,
        share=sum(marked) / len(marked),
        shared=" ".join(shared[:QUOTED_WORDS]),
    )


def _finding(reuse: Reuse) -> Finding:
    return Finding(
        name="same_text_for_several_papers",
        severity="warning",
        sentence=f"{100 * reuse.share:.0f} % of the review of {reuse.run.case.id} stand in the review of "
        f"{reuse.other.case.id} too",
        evidence=Evidence(quotes=(reuse.shared,)),
    )
