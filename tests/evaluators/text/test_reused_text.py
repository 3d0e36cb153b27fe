from collections.abc import Callable

from agents_eval_core.case import Case
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation
from agents_eval_evaluators.text.reused_text import ReusedText

FORM = "The paper is well written and tackles an important problem but the novelty of {} is rather limited."


def _run(a_run: Callable[..., Run], case: Case, paper: str, text: str, engine: str = "mas") -> Run:
    run = a_run(case=case.changed(id=paper), text=text, id=f"{engine}-{paper}")
    return run.changed(system=run.system.changed(engine=engine))


async def _evaluate(*runs: Run) -> Evaluation:
    return await ReusedText().evaluate_group(runs, EvaluationContext())


async def test_a_form_filled_for_each_paper_is_named_with_both_papers(a_run: Callable[..., Run], case: Case) -> None:
    evaluation = await _evaluate(
        _run(a_run, case, "p1", FORM.format("dropout")), _run(a_run, case, "p2", FORM.format("gating"))
    )
    finding = evaluation.findings[0]
    assert (finding.name, finding.severity) == ("same_text_for_several_papers", "warning")
    assert "p1" in finding.sentence
    assert "p2" in finding.sentence
    assert finding.evidence.quotes[0].startswith("the paper is well written")
    value = evaluation.scores[0].value
    assert value is not None
    assert value < 0.3


async def test_the_same_text_about_the_same_paper_or_of_another_system_is_no_reuse(
    a_run: Callable[..., Run], case: Case
) -> None:
    text = FORM.format("dropout")
    again = _run(a_run, case, "p1", text).changed(id="again")
    other = _run(a_run, case, "p2", text, engine="direct")
    evaluation = await _evaluate(_run(a_run, case, "p1", text), again, other)
    assert evaluation.scores[0].reason == "not_measured"


async def test_what_both_papers_say_themselves_may_be_quoted(a_run: Callable[..., Run], case: Case) -> None:
    assert case.paper is not None
    quotation = case.paper.abstract
    evaluation = await _evaluate(_run(a_run, case, "p1", quotation), _run(a_run, case, "p2", quotation))
    assert evaluation.scores[0].value == 1
    assert evaluation.findings == ()


async def test_without_reviews_there_is_nothing_to_look_at(a_run: Callable[..., Run], case: Case) -> None:
    assert (await _evaluate(_run(a_run, case, "p1", ""))).scores[0].reason == "not_applicable"
