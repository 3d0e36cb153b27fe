"""Whether the judge answers: asked once, and every way to fail is a sentence."""

from collections.abc import Callable

from agents_eval_core.settings import load_settings
from agents_eval_core.use_cases.judge_check import check_judges


async def test_without_a_judge_the_reason_is_told() -> None:
    (check,) = await check_judges(load_settings(None, environment={}))
    assert (check.judge, check.answers, check.sentence) == ("", False, "no judge configured")


async def test_a_judge_that_cannot_be_used_is_told_with_the_reason() -> None:
    (check,) = await check_judges(load_settings(None, environment={}), "openai:some-model")
    assert not check.answers
    assert "openai" in check.sentence


async def test_a_server_that_gives_no_answer_of_the_shape_is_told(reached: Callable[[str], str]) -> None:
    (check,) = await check_judges(load_settings(None, environment={}), f"{reached('openai')}:some-model")
    assert check.judge == "openai:some-model"
    assert check.sentence
