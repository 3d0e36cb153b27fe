"""What judges are shown of a run: the review, the paper, the steps, the human reviews, what was measured before."""

from collections.abc import Iterable, Iterator

from agents_eval_core.paper import Paper
from agents_eval_core.review import HumanReview, Rating, Review
from agents_eval_core.run import Run
from agents_eval_core.score import Score
from agents_eval_evaluators.judge.fence import Part
from agents_eval_evaluators.judge.trajectory_skeleton import trajectory_skeleton


def output_part(run: Run) -> Part:
    """Return what came out: a review with its headings, anchors and grades, any other output as it is."""
    if run.output is not None:
        return Part(name="review", text=review_text(run.output))
    return Part(name="review" if run.case.task == "peer_review" else "output", text=run.text)


def task_part(run: Run) -> Part:
    """Return the task in words."""
    if run.case.paper is not None:
        return Part(name="task", text=f"{run.case.task} of the paper {run.case.paper.title!r}")
    return Part(name="task", text=run.case.prompt or run.case.task)


def paper_part(paper: Paper) -> Part:
    """Return the whole text of a paper, title and abstract first."""
    return Part(name="paper", text=paper.text)


def steps_part(run: Run) -> Part:
    """Return the steps of the run, an empty text where there are none."""
    return Part(name="steps", text=trajectory_skeleton(run.trace) if run.trace is not None else "")


def human_part(references: Iterable[HumanReview]) -> Part:
    """Return the human reviews with their ratings."""
    blocks = [
        "\n".join((f"Human review {number}", *_graded("Rating", reference.rating), reference.text))
        for number, reference in enumerate(references, start=1)
    ]
    return Part(name="human reviews", text="\n\n".join(blocks))


def measurements_part(scores: Iterable[Score]) -> Part:
    """Return what was measured before, as lines."""
    lines = [f"{one.name} {one.value:.2f}: {one.explanation}" for one in scores if one.value is not None]
    return Part(name="measurements", text="\n".join(lines), note="0 to 1, higher is better; measured without a judge")


def review_text(review: Review) -> str:
    r"""Return a review as people read it.

    >>> from agents_eval_core.review import Point
    >>> print(review_text(Review(summary="Good.", weaknesses=(Point(text="No baseline.", anchor="Table 1"),),
    ...     recommendation="weak_reject")))
    Good.
    Weaknesses
    - [Table 1] No baseline.
    Recommendation: weak reject
    """
    return "\n".join(_lines(review))


def _lines(review: Review) -> Iterator[str]:
    if review.summary.strip():
        yield review.summary
    for heading, points in review.parts():
        if points:
            yield heading
        yield from (f"- [{point.anchor}] {point.text}" if point.anchor else f"- {point.text}" for point in points)
    yield from _graded("Rating", review.rating)
    if review.recommendation is not None:
        yield f"Recommendation: {review.recommendation.replace('_', ' ')}"


def _graded(word: str, rating: Rating | None) -> Iterator[str]:
    if rating is not None:
        yield f"{word}: {rating.value:g} on the scale {rating.scale.lowest:g} to {rating.scale.highest:g}"
