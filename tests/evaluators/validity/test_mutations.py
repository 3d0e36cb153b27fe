"""Planted defects and neutral edits do what their names say, to any trace and to nothing else."""

from pathlib import Path

import pytest

from agents_eval_core.run import Run
from agents_eval_core.trace import Trace
from agents_eval_core.use_cases.evaluate_trace import run_of
from agents_eval_evaluators.validity.mutations.catalogue import DEFECTS, MUST, NEUTRAL
from agents_eval_evaluators.validity.mutations.planted import Mutation, trace_of
from agents_eval_evaluators.validity.readings import readings
from agents_eval_evaluators.validity.small_traces import KNOWN
from agents_eval_evaluators.validity.trace_sets import traces_among

STAR = KNOWN["a star whose workers report back"].run
ROUND = KNOWN["one round of three calls"].run
ALL = DEFECTS | NEUTRAL
EDITS = [pytest.param(mutation, id=name) for name, mutation in ALL.items()]


@pytest.fixture(scope="module")
def some(real_data: Path) -> list[Trace]:
    return list(traces_among([real_data / "traces"])[::25])


@pytest.mark.parametrize("mutation", EDITS)
def test_an_edit_is_the_same_every_time_and_leaves_a_trace_in_order(mutation: Mutation, some: list[Trace]) -> None:
    edited = 0
    for trace in some:
        run = run_of(trace)
        first, second = mutation(run), mutation(run)
        assert (first is None) == (second is None)
        if first is None or second is None:
            continue
        edited += 1
        after = trace_of(first.after)
        assert after == trace_of(second.after)
        assert after != trace_of(first.before)
        assert [span.seq for span in after.spans] == list(range(len(after.spans)))
        assert len({span.id for span in after.spans}) == len(after.spans)
    assert edited


@pytest.mark.parametrize("mutation", EDITS)
def test_where_there_is_nothing_to_edit_nothing_is_made(mutation: Mutation) -> None:
    empty = run_of(Trace(id="t", source=trace_of(ROUND).source))
    planted = mutation(empty)
    assert planted is None or planted.after.trace == planted.before.trace or planted.names == {}


@pytest.mark.parametrize("defect", MUST)
def test_what_must_move_is_a_metric_that_there_is(defect: str, some: list[Trace]) -> None:
    runs = [*(run_of(trace) for trace in some), *(known.run for known in KNOWN.values())]
    planted = [one for run in runs if (one := DEFECTS[defect](run)) is not None]
    said = {name for one in planted for name in readings(one.after)}
    assert [metric for metric in MUST[defect] if metric not in said] == []


def test_a_loop_is_the_same_call_six_times_more() -> None:
    planted = DEFECTS["loop"](ROUND)
    assert planted is not None
    before, after = trace_of(ROUND).spans, trace_of(planted.after).spans
    assert len(after) == len(before) + 6
    assert len({(span.tool.name, span.tool.result) for span in after if span.tool}) == len(before)


def test_renaming_keeps_roles_and_texts_and_tells_the_old_names() -> None:
    planted = NEUTRAL["renamed"](STAR)
    assert planted is not None
    before, after = trace_of(STAR), trace_of(planted.after)
    assert [agent.role for agent in after.agents] == [agent.role for agent in before.agents]
    assert {planted.names[agent.name] for agent in after.agents} == {agent.name for agent in before.agents}
    assert not {span.id for span in after.spans} & {span.id for span in before.spans}
    assert [span.tool and span.tool.result for span in after.spans] == [
        span.tool and span.tool.result for span in before.spans
    ]


def test_a_dropped_answer_is_gone_and_the_request_stays() -> None:
    planted = DEFECTS["dropped answer"](STAR)
    assert planted is not None
    lost = [span for span in trace_of(planted.after).spans if span.tool is not None and span.tool.result is None]
    assert len(lost) == 1
    assert lost[0].tool is not None
    assert lost[0].tool.arguments


def test_a_run_without_a_trace_cannot_be_edited() -> None:
    bare: Run = ROUND.changed(trace=None)
    with pytest.raises(ValueError, match="no trace to edit"):
        DEFECTS["loop"](bare)
