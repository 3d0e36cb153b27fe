from collections.abc import Awaitable, Callable

import pytest

from agents_eval_core.case import Case
from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.run import Run
from agents_eval_core.score import Score
from agents_eval_core.trace import Span, ToolUse, Trace
from agents_eval_evaluators.graph.coordination_quality import CoordinationQuality, coordination_quality

Build = Callable[..., Span]
Traced = Callable[..., Trace]
Runs = Callable[..., Run]
ScoreOf = Callable[..., Awaitable[Score]]
FINDINGS = "Biaffine attention reaches 93.7 LAS on the treebank, with 41 heads and a warmup schedule."
REVIEW = "The review says: biaffine attention reaches 93.7 LAS on the treebank, with 41 heads and warmup."


def _parts(score: Score, agent: str) -> dict[str, object]:
    names = {measure.name: measure.value for measure in score.measures}
    return {name.split(".")[1]: value for name, value in names.items() if name.startswith(f"{agent}.")}


async def test_a_star_that_works_is_as_good_as_a_pair_that_works(
    a_run: Runs, a_trace: Traced, delegate: Build, score_of: ScoreOf
) -> None:
    """Guards D10: a manager with three specialists had 0.0 and any two agents 0.5, whatever they did."""
    names = ("manager", "researcher", "analyst", "synthesizer")
    answers = {name: FINDINGS.replace("treebank", f"{name}bank") for name in names[1:]}
    output = " ".join(answers.values())
    star = a_run(trace=a_trace(*(delegate(name, "go", answers[name]) for name in names[1:])), agents=names, text=output)
    pair = a_run(trace=a_trace(delegate("researcher", "go", answers["researcher"])), agents=names[:2], text=output)
    assert [(await score_of(CoordinationQuality(), run)).value for run in (star, pair)] == [1, 1]


async def test_a_team_that_never_delegates_is_at_zero(
    a_run: Runs, a_trace: Traced, call: Build, score_of: ScoreOf
) -> None:
    score = await score_of(CoordinationQuality(), a_run(trace=a_trace(call("read")), agents=("manager", "researcher")))
    assert score.value == 0
    assert score.explanation == "researcher was never given work"
    assert _parts(score, "researcher") == {"delegated": 0, "answered": 0, "used": 0, "no_rework": 0}


async def test_one_declared_agent_has_nobody_to_coordinate_with(
    a_run: Runs, a_trace: Traced, score_of: ScoreOf
) -> None:
    for trace in (None, a_trace()):
        assert (await score_of(CoordinationQuality(), a_run(trace=trace))).reason == "not_applicable"


async def test_an_answer_nobody_uses_costs_its_part(
    a_run: Runs, a_trace: Traced, delegate: Build, score_of: ScoreOf
) -> None:
    trace = a_trace(delegate("researcher", "read the paper", FINDINGS))
    scores = [
        await score_of(CoordinationQuality(), a_run(trace=trace, agents=("manager", "researcher"), text=text))
        for text in (REVIEW, "A fine paper that I would like to see accepted.")
    ]
    assert [_parts(score, "researcher")["used"] for score in scores] == [1, 0]
    assert [score.value for score in scores] == [1, 0]
    assert "researcher its answers were hardly used" in scores[1].explanation


async def test_a_branch_that_leads_nowhere_never_raises_a_team(
    a_run: Runs, a_trace: Traced, delegate: Build, score_of: ScoreOf
) -> None:
    output = "We use biaffine attention with warmup here."
    branches = [delegate(name, "anything?", f"Quokkas 4821{name} near Esperance.") for name in ("b", "c")]
    values = [
        (
            await score_of(
                CoordinationQuality(),
                a_run(
                    trace=a_trace(delegate("a", "read", FINDINGS), *branches[:count]),
                    agents=("manager", "a", "b", "c")[: 2 + count],
                    text=output,
                ),
            )
        ).value
        or 0.0
        for count in range(3)
    ]
    assert 0 < values[0] < 0.75
    assert values == [pytest.approx(values[0] / share) for share in (1, 2, 3)]


async def test_passing_an_answer_on_to_the_next_agent_is_using_it(
    a_run: Runs, a_trace: Traced, delegate: Build, score_of: ScoreOf
) -> None:
    trace = a_trace(delegate("researcher", "read", FINDINGS), delegate("analyst", f"judge: {FINDINGS}", "Strong."))
    score = await score_of(
        CoordinationQuality(), a_run(trace=trace, agents=("manager", "researcher", "analyst"), text="Ok.")
    )
    assert _parts(score, "researcher")["used"] == 1
    assert _parts(score, "analyst")["used"] == 0


async def test_what_the_delegate_itself_did_before_answering_is_no_use_of_its_answer(
    a_run: Runs, a_trace: Traced, delegate: Build, call: Build, score_of: ScoreOf
) -> None:
    trace = a_trace(
        delegate("researcher", "read", FINDINGS, id="d"),
        call("note", {"text": FINDINGS}, by="researcher", parent_id="d"),
        call("note", {"text": FINDINGS}, by="assistant", parent_id="d"),
    )
    score = await score_of(CoordinationQuality(), a_run(trace=trace, agents=("manager", "researcher"), text="Ok."))
    assert _parts(score, "researcher")["used"] == 0


async def test_repeating_the_request_or_what_the_giver_had_read_brings_nothing_to_use(
    a_run: Runs, a_trace: Traced, delegate: Build, call: Build, score_of: ScoreOf
) -> None:
    for spans in (
        [delegate("researcher", FINDINGS, FINDINGS)],
        [call("read", {}, FINDINGS), delegate("researcher", "read", FINDINGS)],
    ):
        run = a_run(trace=a_trace(*spans), agents=("manager", "researcher"), text=REVIEW)
        assert _parts(await score_of(CoordinationQuality(), run), "researcher")["used"] == 0


async def test_field_names_that_all_answers_share_are_no_use_of_an_answer(
    a_run: Runs, a_trace: Traced, delegate: Build, score_of: ScoreOf
) -> None:
    answer = '{"hypotheses": "Biaffine attention", "corroboration": "93.7 LAS", "provenance": "warmup of 41 heads"}'
    later = delegate("analyst", "x", "fine")
    asked = {"hypotheses": "none", "corroboration": "none", "provenance": "none"}
    again = delegate("analyst", "x", "fine", tool=ToolUse(name="ask", arguments=asked, result="fine"))
    trace = a_trace(delegate("researcher", "read", answer), later, again)
    run = a_run(trace=trace, agents=("manager", "researcher", "analyst"), text="Ok.")
    assert _parts(await score_of(CoordinationQuality(), run), "researcher")["used"] == 0


async def test_without_an_output_what_the_giver_says_later_shows_the_use(
    a_run: Runs, a_trace: Traced, delegate: Build, timed: Build, score_of: ScoreOf
) -> None:
    trace = a_trace(delegate("researcher", "read", FINDINGS), timed("manager", 5, 6, text=REVIEW))
    score = await score_of(CoordinationQuality(), a_run(trace=trace, agents=("manager", "researcher"), text=""))
    assert _parts(score, "researcher")["used"] == 1


async def test_failed_and_empty_answers_are_no_answers(
    a_run: Runs, a_trace: Traced, delegate: Build, score_of: ScoreOf
) -> None:
    trace = a_trace(
        delegate("researcher", "one", FINDINGS),
        delegate("researcher", "two", "retry failed", status="error"),
        delegate("researcher", "three", " "),
        delegate("researcher", "four", None),
    )
    score = await score_of(CoordinationQuality(), a_run(trace=trace, agents=("manager", "researcher"), text=REVIEW))
    assert _parts(score, "researcher")["answered"] == 0.25


async def test_asking_the_same_again_for_the_same_answer_is_rework(
    a_run: Runs, a_trace: Traced, delegate: Build, score_of: ScoreOf
) -> None:
    same = delegate("synthesizer", "write it", "A review.")
    score = await score_of(
        CoordinationQuality(), a_run(trace=a_trace(same, same, same), agents=("manager", "synthesizer"))
    )
    assert _parts(score, "synthesizer")["no_rework"] == pytest.approx(1 / 3)


async def test_a_delegate_who_reads_what_the_giver_had_read_does_rework(
    a_run: Runs, a_trace: Traced, delegate: Build, call: Build, score_of: ScoreOf
) -> None:
    trace = a_trace(
        call("read", {"section": 1}, "x"),
        delegate("researcher", "read", FINDINGS, id="d"),
        call("read", {"section": 1}, "x", by="researcher", parent_id="d"),
        call("read", {"section": 2}, "y", by="researcher", parent_id="d"),
    )
    score = await score_of(CoordinationQuality(), a_run(trace=trace, agents=("manager", "researcher"), text=REVIEW))
    assert _parts(score, "researcher")["no_rework"] == 0.5


async def test_declared_facts_must_reach_the_delegate(
    a_run: Runs, a_trace: Traced, delegate: Build, case: Case, score_of: ScoreOf
) -> None:
    facts = case.changed(declared_facts=("the flight is LH 400", "the budget is 900 euros"))
    trace = a_trace(delegate("booker", "Book flight LH 400", FINDINGS))
    score = await score_of(
        CoordinationQuality(), a_run(trace=trace, agents=("manager", "booker"), case=facts, text=REVIEW)
    )
    assert _parts(score, "booker")["facts"] == 0.5
    assert score.value == pytest.approx((1 + 1 + 1 + 0.5) / 4)


async def test_a_handoff_is_answered_by_what_its_receiver_says(
    a_run: Runs, a_trace: Traced, timed: Build, score_of: ScoreOf
) -> None:
    trace = a_trace(
        timed("triage", 0, 1, operation="handoff", to_agent_id="refunds", text="take over"),
        timed("refunds", 1, 2, text=FINDINGS),
    )
    score = await score_of(CoordinationQuality(), a_run(trace=trace, agents=(), text=REVIEW))
    assert score.value == 1


async def test_undeclared_agents_are_those_who_act_and_one_alone_is_no_team(
    a_run: Runs, a_trace: Traced, timed: Build, score_of: ScoreOf
) -> None:
    async def reason(*spans: Span) -> str | None:
        return (await score_of(CoordinationQuality(), a_run(trace=a_trace(*spans), agents=()))).reason

    assert await reason() == "not_measured"
    assert await reason(timed("a", 0, 1)) == "not_applicable"
    assert await reason(timed("a", 0, 1, text="hi"), timed("b", 1, 2, text="hello")) == "not_measured"


async def test_without_a_trace_a_team_is_not_measured(a_run: Runs, score_of: ScoreOf) -> None:
    assert (await score_of(CoordinationQuality(), a_run(agents=("manager", "analyst")))).reason == "not_measured"


def test_without_delegates_it_is_undefined() -> None:
    with pytest.raises(UndefinedMetricError, match="nobody"):
        coordination_quality({})
