"""Errors are one family, and their messages say what was asked, what there is, and what to do."""

import pytest

from agents_eval_core import errors
from agents_eval_core.errors import AgentsEvalError, UndefinedMetricError, UnknownNameError, UsageError


def test_every_error_belongs_to_the_family() -> None:
    own = [value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, Exception)]
    assert len(own) > 5
    assert all(issubclass(error, AgentsEvalError) for error in own)


def test_the_tree_at_the_top_of_the_module_names_each_error() -> None:
    names = [name for name, value in vars(errors).items() if isinstance(value, type) and issubclass(value, Exception)]
    assert all(name in str(errors.__doc__) for name in names)


@pytest.mark.parametrize(
    ("known", "advice"),
    [
        (["manager", "full"], "did you mean 'manager'?"),
        (["zebra", "apple"], "there is: apple, zebra."),
        ([], "there is none."),
    ],
)
def test_an_unknown_name_is_answered_with_what_is_near_or_what_there_is(known: list[str], advice: str) -> None:
    assert str(UnknownNameError("composition", "manger", known)) == f"no composition named 'manger'; {advice}"


def test_a_long_list_of_names_is_cut() -> None:
    message = str(UnknownNameError("run", "?", [f"run{number:02}" for number in range(40)]))
    assert message.endswith("run11, ….")


def test_an_unknown_name_is_wrong_usage() -> None:
    assert issubclass(UnknownNameError, UsageError)


def test_an_undefined_metric_keeps_the_reason_apart() -> None:
    problem = UndefinedMetricError("tool_recall", because="nothing was expected")
    assert problem.because == "nothing was expected"
    assert str(problem) == "tool_recall is undefined: nothing was expected"
