"""What is true of every metric of a review's text, whatever the text: bounds, the same twice, and no lost time."""

import time
from collections.abc import Awaitable, Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents_eval_core.ports.evaluator import Evaluator
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation
from agents_eval_evaluators.text.anchors import Anchors
from agents_eval_evaluators.text.bleu import Bleu
from agents_eval_evaluators.text.bm25 import Bm25
from agents_eval_evaluators.text.chrf import Chrf
from agents_eval_evaluators.text.coherence import Coherence
from agents_eval_evaluators.text.edit_similarity import EditSimilarity
from agents_eval_evaluators.text.jaccard import Jaccard
from agents_eval_evaluators.text.output_faults import OutputFaults
from agents_eval_evaluators.text.output_similarity import OutputSimilarity
from agents_eval_evaluators.text.point_coverage import PointCoverage
from agents_eval_evaluators.text.reference_coverage import ReferenceCoverage
from agents_eval_evaluators.text.review_substance import ReviewSubstance
from agents_eval_evaluators.text.rouge import Rouge
from agents_eval_evaluators.text.task_success import TaskSuccess
from agents_eval_evaluators.text.tfidf_cosine import TfidfCosine
from agents_eval_evaluators.text.tone import Tone
from agents_eval_evaluators.text.verdict_agreement import VerdictAgreement

ALL: tuple[Evaluator, ...] = (
    ReviewSubstance(), PointCoverage(), Anchors(), VerdictAgreement(), Tone(), TfidfCosine(), Bm25(), Jaccard(),
    EditSimilarity(), Rouge(), Bleu(), Chrf(), OutputSimilarity(), ReferenceCoverage(), TaskSuccess(), OutputFaults(),
    Coherence(),
)  # fmt: skip
MEGABYTE = 1_000_000
LEAST_SECONDS = 0.1  # below this the clock is mostly noise
REVIEW = "The biaffine baseline is missing in Table 1, because only BERT-base is compared. Could you add Section 3? "
LARGE = {
    "a review again and again": REVIEW,
    "one letter": "a",
    "one word": "word ",
    "questions": "? ",
    "places": "Table 1 ",
    "quotation marks": '"',
    "brackets": "[1] (",
    "hyphens": "a-",
    "blank lines": "\n",
    "spaces": " ",
    "digits": "1.",
    "dashes": "-",
    "dollars": "$",
    "capitals": "Ab",
    "headings": "Strengths:\n",
    "commas": "not, ",
}
Ask = Callable[..., Awaitable[Evaluation]]


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=200) | st.lists(st.sampled_from(sorted(LARGE.values())), max_size=20).map("".join))
async def test_any_text_is_scored_within_bounds_and_the_same_twice(
    *, text: str, a_run: Callable[..., Run], ask: Ask
) -> None:
    for evaluator in ALL:
        first = await ask(evaluator, a_run(text=text))
        assert first == await ask(evaluator, a_run(text=text))
        assert tuple(score.name for score in first.scores) == evaluator.metrics
        assert all(score.value is None or 0 <= score.value <= 1 for score in first.scores)


async def test_the_order_of_the_references_changes_nothing(a_run: Callable[..., Run], ask: Ask) -> None:
    run = a_run()
    turned = run.changed(case=run.case.changed(references=run.case.references[::-1]))
    for evaluator in ALL:
        first, second = await ask(evaluator, run), await ask(evaluator, turned)
        assert [score.value for score in first.scores] == [score.value for score in second.scores], evaluator.name
        assert first.findings == second.findings


async def test_a_megabyte_is_judged_in_two_seconds_by_each_metric(a_run: Callable[..., Run], ask: Ask) -> None:
    run = a_run(text=REVIEW * (MEGABYTE // len(REVIEW)))
    for evaluator in ALL:
        start = time.process_time()
        await ask(evaluator, run)
        assert time.process_time() - start < 2, evaluator.name


@pytest.mark.parametrize("name", ["a review again and again", "places", "brackets", "blank lines", "capitals"])
@pytest.mark.parametrize("evaluator", ALL, ids=lambda evaluator: evaluator.name)
async def test_the_time_grows_with_the_text_and_not_with_its_square(
    evaluator: Evaluator, name: str, a_run: Callable[..., Run], ask: Ask
) -> None:
    piece = LARGE[name]

    async def cpu_seconds(characters: int) -> float:
        run = a_run(text=piece * (characters // len(piece)))
        start = time.process_time()
        await ask(evaluator, run)
        return time.process_time() - start

    quarter = max(LEAST_SECONDS, await cpu_seconds(MEGABYTE // 4))
    assert await cpu_seconds(MEGABYTE) < 10 * quarter  # four times the text: 4 if linear, 16 if quadratic
