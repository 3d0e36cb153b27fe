"""Words of the human reviews in a trace: found where they are, and never in honest runs."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from agents_eval import run_review
from agents_eval_core import registry
from agents_eval_core.case import Case
from agents_eval_core.paper import Paper
from agents_eval_core.ports.engine import EngineOptions
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.review import HumanReview
from agents_eval_core.run import Run, System
from agents_eval_core.score import Finding
from agents_eval_core.trace import Source, Span, ToolUse, Trace
from agents_eval_evaluators.graph.reference_leak import ReferenceLeak

HUMAN = "The gates are never ablated against a dense model of the same size, so nothing follows from table two"
QUOTED = "we gate each layer with a scalar that is learned by gradient descent on the validation loss"
PAPERS = 40


def a_run(*spans: Span, references: tuple[str, ...] = (HUMAN, QUOTED)) -> Run:
    paper = Paper(id="1", dataset="d", title="Gates", abstract=f"Here {QUOTED}.")
    humans = tuple(HumanReview(id=str(place), text=text) for place, text in enumerate(references))
    trace = Trace(id="t", source=Source(format="native"), spans=spans)
    return Run(
        id="r", status="complete", case=Case(id="1", paper=paper, references=humans), system=System(engine="mas"),
        trace=trace, created_at=datetime.now(tz=UTC),
    )  # fmt: skip


def a_call(result: Any = None, arguments: Any = None, text: str | None = None, **attributes: Any) -> Span:
    return Span(
        id="s", seq=0, operation="execute_tool", name="read", agent_id="a", text=text, attributes=attributes,
        tool=ToolUse(name="read", arguments=arguments, result=result),
    )  # fmt: skip


async def findings(run: Run) -> tuple[Finding, ...]:
    return (await ReferenceLeak().evaluate(run, EvaluationContext())).findings


@pytest.mark.parametrize(
    ("span", "where"),
    [
        (a_call(result=f"reviews.json: {HUMAN}."), "given"),
        (a_call(result={"reviews": [{"comments": HUMAN.upper()}]}), "given"),
        (a_call(result='{"comments": "' + HUMAN.replace(" never", "\\nnever") + '"}'), "given"),
        (a_call(messages=[{"parts": [{"content": HUMAN}]}]), "given"),
        (a_call(arguments={"text": HUMAN}), "said"),
        (a_call(text=f"I recall: {HUMAN}"), "said"),
    ],
)
async def test_a_sentence_of_a_human_review_is_found_wherever_it_stands(span: Span, where: str) -> None:
    (finding,) = await findings(a_run(span))
    assert (finding.name, finding.severity, finding.about) == ("reference_leak", "warning", "input")
    assert where in finding.sentence
    assert finding.evidence.span_ids == ("s",)
    assert finding.evidence.quotes[0].startswith("the gates are never ablated")


async def test_what_the_paper_says_too_is_no_leak() -> None:
    assert await findings(a_run(a_call(result=f"# Gates\n{QUOTED}"))) == ()


async def test_eleven_words_are_a_coincidence_and_twelve_are_not() -> None:
    said = HUMAN.split()
    assert await findings(a_run(a_call(result=" ".join(said[:11])))) == ()
    assert await findings(a_run(a_call(result=" ".join(said[:12]))))


async def test_without_references_or_trace_nothing_is_looked_for() -> None:
    assert await findings(a_run(a_call(result=HUMAN), references=())) == ()
    assert await findings(a_run(a_call(result=HUMAN)).changed(trace=None)) == ()


async def test_a_leak_stands_in_the_scorecard_of_the_run(clean_place: Path) -> None:
    from agents_eval_core.evaluation import evaluate
    from agents_eval_core.settings import Settings

    card = await evaluate(a_run(a_call(result=HUMAN)), settings=Settings(), context=EvaluationContext(), tiers=[3])
    assert [finding.name for finding in card.findings if finding.about == "input"] == ["reference_leak"]


async def test_an_offline_review_of_a_paper_with_references_raises_no_alarm(clean_place: Path) -> None:
    done = await run_review("sparse-gates", dataset="sample")
    assert done.run.case.references
    assert await findings(done.run) == ()


@pytest.mark.proof
async def test_no_honest_offline_run_on_real_papers_raises_an_alarm_and_a_planted_review_always_does(
    peerread: Path,
) -> None:
    engine = registry.engine("mas")
    dataset = registry.dataset("peerread")
    alarms, found, runs = list[str](), 0, 0
    entries = [
        entry for entry in dataset.entries(peerread / "iclr_2017") if entry.usable_references and entry.has_full_text
    ]
    for entry in entries[:PAPERS]:
        case = dataset.case(entry.id, peerread / "iclr_2017")
        done = await engine.run(case, EngineOptions(run_id="r", composition="full"))
        runs += 1
        alarms += [entry.id for _ in await findings(done.run)]
        longest = max((review.text for review in case.references), key=len)
        planted = a_run(a_call(result=longest)).trace
        found += bool(await findings(done.run.changed(trace=planted)))
    assert runs == PAPERS
    assert alarms == []
    assert found == runs
