import random
import re
from collections.abc import Awaitable, Callable

from agents_eval_core.case import Case
from agents_eval_core.review import Review
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation
from agents_eval_evaluators.text.copying import copied_from_paper, copied_from_reference
from agents_eval_evaluators.text.output_faults import OutputFaults
from agents_eval_evaluators.text.output_similarity import OutputSimilarity
from agents_eval_evaluators.text.reference_coverage import ReferenceCoverage
from agents_eval_evaluators.text.task_success import TaskSuccess

Ask = Callable[..., Awaitable[Evaluation]]


async def _names(ask: Ask, run: Run) -> list[tuple[str, str]]:
    return [(finding.name, finding.severity) for finding in (await ask(OutputFaults(), run)).findings]


async def test_a_real_review_has_no_fault(a_run: Callable[..., Run], case: Case, ask: Ask) -> None:
    assert await _names(ask, a_run()) == []
    for review in case.references:
        others = case.changed(references=tuple(other for other in case.references if other != review))
        assert await _names(ask, a_run(text=review.text, case=others)) == []


async def test_a_review_of_a_few_words_is_empty(a_run: Callable[..., Run], ask: Ask) -> None:
    for run in (a_run(text=""), a_run(text="A good paper. Accept."), a_run(output=Review())):
        assert await _names(ask, run) == [("empty", "critical")]


async def test_the_papers_own_abstract_is_copied(a_run: Callable[..., Run], case: Case, ask: Ask) -> None:
    assert case.paper is not None
    assert await _names(ask, a_run(text=case.paper.abstract)) == [("copied", "critical")]


async def test_a_reference_is_copied_even_in_quotation_marks(a_run: Callable[..., Run], case: Case, ask: Ask) -> None:
    for text in (case.references[1].text, f'"{case.references[1].text}"'):
        assert await _names(ask, a_run(text=text)) == [("copied", "critical")]


async def test_half_a_copied_reference_is_still_copied(
    a_run: Callable[..., Run], case: Case, good_review: Review, ask: Ask
) -> None:
    half = case.references[1].text[:150]
    assert await _names(ask, a_run(text=f"{half}\n{good_review.summary}")) == [("copied", "critical")]


async def test_a_marked_quotation_is_no_copying_but_quotations_alone_are_no_review(
    a_run: Callable[..., Run], case: Case, good_review: Review, ask: Ask
) -> None:
    assert case.paper is not None
    quoted = f"\u201c{case.paper.abstract}\u201d"
    assert await _names(ask, a_run(text=f"{quoted} {good_review.text}")) == [("quotes", "warning")]
    assert await _names(ask, a_run(text=f"They write: {quoted}")) == [("empty", "critical")]


def test_what_the_paper_says_too_is_no_copy_of_the_reviewer_who_quotes_it() -> None:
    sentence = "dropout sets each attention weight to zero with probability p"
    assert copied_from_reference(sentence, f"They say {sentence}.", sentence) == 0
    assert copied_from_reference(sentence, f"They say {sentence}.") == 1


def test_five_words_in_common_are_a_coincidence() -> None:
    assert copied_from_paper("the labelled attachment score rises", "the labelled attachment score rises by") == 0


async def test_without_the_paper_copying_is_unchecked(a_run: Callable[..., Run], case: Case, ask: Ask) -> None:
    assert (await ask(OutputFaults(), a_run(case=case.changed(paper=None)))).unchecked == ("copied", "off_paper")
    assert (await ask(OutputFaults(), a_run())).unchecked == ()


async def test_other_tasks_are_not_read_as_reviews(a_run: Callable[..., Run], case: Case, ask: Ask) -> None:
    assert await ask(OutputFaults(), a_run(text="42", case=case.changed(task="sums"))) == Evaluation()


GERMAN = (
    "Die Arbeit wendet Dropout auf die Aufmerksamkeit an und ist gut geschrieben. Es fehlt aber ein Vergleich mit "
    "einem biaffinen Parser, und die Ergebnisse sind nur f\u00fcr eine Baumbank gezeigt."
)


def _shuffled(text: str) -> str:
    said = text.split()
    random.Random(3).shuffle(said)  # noqa: S311  no secret
    return " ".join(said)


async def test_what_is_no_review_of_this_paper_is_found(
    a_run: Callable[..., Run], good_review: Review, ask: Ask
) -> None:
    long = f"{good_review.text} It is clear what was done, and it was not hard to see why it can help."
    for text, fault in (
        ("Qua frobnik zzyx wlop dasherit tomo kelp runtle vexos. " * 4, "unreadable"),
        (_shuffled(long), "shuffled"),
        (re.sub(r"\b(is|are|was|may|can)\b", r"\1 not", long), "negated"),
        ("The segmentation of retina images by a U-Net is nice, but I miss a comparison with wavelets.", "off_paper"),
    ):
        assert (fault, "critical") in await _names(ask, a_run(text=text))
        assert fault not in [name for name, _ in await _names(ask, a_run(text=long))]


async def test_saying_the_same_twice_is_a_warning(a_run: Callable[..., Run], good_review: Review, ask: Ask) -> None:
    assert ("repeated", "warning") in await _names(ask, a_run(text=f"{good_review.text}\n{good_review.text}"))


async def test_a_title_in_a_form_letter_is_generic(a_run: Callable[..., Run], case: Case, ask: Ask) -> None:
    assert case.paper is not None
    text = f"The work {case.paper.title} is well written and interesting. More experiments would make it even better."
    assert ("generic", "warning") in await _names(ask, a_run(text=text))


async def test_another_language_is_not_read_and_its_checks_are_unchecked(a_run: Callable[..., Run], ask: Ask) -> None:
    for text in (GERMAN, "\u672c\u6587\u7684\u65b9\u6cd5\u5f88\u597d\u3002" * 9):
        evaluation = await ask(OutputFaults(), a_run(text=text))
        assert [finding.severity for finding in evaluation.findings] == ["warning"]
        assert "shuffled" in evaluation.unchecked
        for evaluator in (OutputSimilarity(), TaskSuccess(), ReferenceCoverage()):
            (score,) = (await ask(evaluator, a_run(text=text))).scores
            assert (score.value, score.reason) == (None, "not_measured")


async def test_with_one_reference_the_subject_is_unchecked(a_run: Callable[..., Run], case: Case, ask: Ask) -> None:
    run = a_run(case=case.changed(references=case.references[:1]))
    assert (await ask(OutputFaults(), run)).unchecked == ("off_paper",)
