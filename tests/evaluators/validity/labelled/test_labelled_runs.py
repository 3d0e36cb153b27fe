"""Behaviour metrics held against labels: what is measured, and that nothing is called what it is not."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from agents_eval_core.errors import UsageError
from agents_eval_core.ports.validation import RepeatableValidation, ValidityFigure
from agents_eval_core.trace import Annotation, Source, Trace
from agents_eval_evaluators.validity.halves import HALVES, half_of
from agents_eval_evaluators.validity.labelled.annotated_errors import AnnotatedErrors
from agents_eval_evaluators.validity.labelled.attribution import Attribution, attributed
from agents_eval_evaluators.validity.labelled.error_rules import ErrorRulesValidity, Judged, joint, precision, recall
from agents_eval_evaluators.validity.labelled.success_of_runs import SuccessOfRuns, unlabelled
from agents_eval_evaluators.validity.trace_sets import SETS, TAU, labelled_set

VALIDATIONS: list[RepeatableValidation] = [SuccessOfRuns(), AnnotatedErrors(), ErrorRulesValidity(), Attribution()]


@pytest.mark.parametrize("validation", VALIDATIONS, ids=lambda validation: validation.name)
def test_each_figure_says_what_it_was_tuned_and_tested_on(validation: RepeatableValidation, real_data: Path) -> None:
    found = list(validation.checks([real_data / "traces"]))
    assert found
    for figure in found:
        assert figure.tuned
        assert figure.data
        assert figure.n > 0
        assert figure.half in ("test half", "development half", "")
    names = [(figure.metric, figure.measure, figure.data, figure.half, figure.unit) for figure in found]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("validation", VALIDATIONS, ids=lambda validation: validation.name)
def test_without_labelled_traces_it_says_where_they_were_looked_for(
    validation: RepeatableValidation, clean_place: Path
) -> None:
    with pytest.raises(UsageError, match="--data"):
        list(validation.figures([clean_place]))


def named(figures: list[ValidityFigure]) -> Callable[[str, str], float]:
    return lambda metric, start: next(
        one.value for one in figures if one.metric == metric and one.measure.startswith(start)
    )


def test_attribution_is_worth_what_it_gains_over_the_prior(real_data: Path) -> None:
    value = named(list(Attribution().checks([real_data / "traces"])))
    gained = value("blame", "step named") - value("activity prior", "step named")
    assert value("blame", "step: gained") == pytest.approx(gained)
    assert value("blame", "agent: gained") == pytest.approx(0)


def test_every_labelled_set_is_found_by_what_is_in_its_files(real_data: Path) -> None:
    folders = [real_data / "peerread", real_data / "traces"]
    assert {name: bool(labelled_set(folders, name)) for name in SETS} == dict.fromkeys(SETS, True)


def test_metrics_are_shown_no_outcome(real_data: Path) -> None:
    for trace in labelled_set([real_data / "traces"], TAU)[:5]:
        run = unlabelled(trace)
        assert run.trace is not None
        assert run.trace.outcome is not None
        assert (run.trace.outcome.success, run.trace.outcome.reward) == (None, None)
        assert run.case.expected_calls


def test_a_task_is_always_on_one_side() -> None:
    tasks = [f"task {number}" for number in range(200)]
    sizes = Counter(half_of(task) for task in tasks)
    assert set(sizes) == set(HALVES)
    assert min(sizes.values()) > 70


def judged(found: dict[str, str], labelled: dict[str, str]) -> Judged:
    return Judged("t", is_gaia=True, found=frozenset(found.items()), labelled=frozenset(labelled.items()))


def test_rules_are_right_by_trace_and_joint_by_span() -> None:
    traces = [
        judged({"timeout_error": "s1"}, {"timeout_error": "s1"}),
        judged({"timeout_error": "s1"}, {"Language-only": "s2"}),
        judged({}, {"timeout_error": "s9"}),
    ]
    assert precision("timeout_error")(traces) == 0.5
    assert recall("timeout_error")(traces) == 0.5
    assert joint(traces) == pytest.approx(1 / 3)
    assert precision("not_found_error")(traces) is None


def test_a_failed_run_without_a_working_agent_blames_nobody() -> None:
    label = Annotation(name="mistake_agent", value="a")
    assert attributed(Trace(id="t", source=Source(format="native"), annotations=(label,))) is None
