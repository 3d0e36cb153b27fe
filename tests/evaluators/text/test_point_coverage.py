from collections.abc import Awaitable, Callable

from agents_eval_core.case import Case
from agents_eval_core.review import HumanReview, Point, Review
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation
from agents_eval_evaluators.text.point_coverage import Coverage, PointCoverage, best_coverage
from agents_eval_evaluators.text.review_points import ReviewPoint

Ask = Callable[..., Awaitable[Evaluation]]
POINTS = tuple(ReviewPoint(text=str(number)) for number in range(6))
HUMAN = """Strengths:
- Attention dropout is a simple idea.
Weaknesses:
- The biaffine baseline is missing from the comparison.
- No variance over random seeds is reported.
- The notation of the appendix is unclear to outsiders."""


async def test_found_and_missed_points_of_a_human_are_quoted(a_run: Callable[..., Run], case: Case, ask: Ask) -> None:
    held = case.changed(references=(HumanReview(id="1", text=HUMAN),))
    evaluation = await ask(PointCoverage(), a_run(case=held))
    (score,) = evaluation.scores
    told = [(part.mark, part.text.split()[1]) for part in score.parts]
    assert score.value == 2 / 3
    assert told == [("found", "biaffine"), ("found", "variance"), ("missed", "notation")]
    assert {measure.name: measure.value for measure in score.measures}["strengths_coverage"] == 1


async def test_praise_finds_no_weakness(a_run: Callable[..., Run], case: Case, ask: Ask) -> None:
    held = case.changed(references=(HumanReview(id="1", text=HUMAN),))
    praise = Review(strengths=(Point(text="The biaffine baseline comparison is convincing over random seeds."),))
    (score,) = (await ask(PointCoverage(), a_run(case=held, output=praise))).scores
    assert score.value == 0


def test_the_best_reviewer_counts_and_one_met_point_does_not() -> None:
    single = Coverage(found=POINTS[:1], missed=())
    poor, good = Coverage(found=POINTS[:1], missed=POINTS[1:4]), Coverage(found=POINTS[:3], missed=POINTS[3:5])
    assert best_coverage([single, poor, good]) == good
    assert best_coverage([single]) == single


async def test_without_a_human_point_nothing_is_measured(a_run: Callable[..., Run], case: Case, ask: Ask) -> None:
    for references in ((), (HumanReview(id="1", text="Fine."),)):
        (score,) = (await ask(PointCoverage(), a_run(case=case.changed(references=references)))).scores
        assert (score.value, score.reason) == (None, "not_measured")


async def test_the_order_of_references_does_not_matter(a_run: Callable[..., Run], case: Case, ask: Ask) -> None:
    turned = case.changed(references=tuple(reversed(case.references)))
    assert await ask(PointCoverage(), a_run()) == await ask(PointCoverage(), a_run(case=turned))


async def test_another_language_is_not_measured(a_run: Callable[..., Run], ask: Ask) -> None:
    text = "Die Arbeit ist gut, aber die Methode ist nicht neu und es fehlt ein Vergleich mit anderen."
    (score,) = (await ask(PointCoverage(), a_run(text=text))).scores
    assert (score.value, score.reason) == (None, "not_measured")
