import pytest
from pydantic_ai.exceptions import ModelAPIError, ModelHTTPError, UnexpectedModelBehavior, UsageLimitExceeded

from agents_eval_agents.providers.failure import problem_of


@pytest.mark.parametrize(
    ("failure", "said"),
    [
        (ModelHTTPError(status_code=429, model_name="m"), "rate limit"),
        (ModelHTTPError(status_code=500, model_name="m"), "an error of its own"),
        (ModelHTTPError(status_code=422, model_name="m"), "could not use the request"),
        (
            ModelAPIError(model_name="m", message="connection refused"),
            "something else than an answer came: conn",
        ),
        (ModelHTTPError(status_code=418, model_name="m"), "HTTP 418"),
        (UnexpectedModelBehavior("exceeded retries"), "not answer in the form"),
        (UsageLimitExceeded("request_limit of 80"), "reached its limit: request_limit of 80"),
        (RuntimeError("first line\nsecond line"), "first line"),
        (RuntimeError(), "RuntimeError without a message"),
    ],
)
def test_each_failure_becomes_one_line_that_says_what_happened(failure: Exception, said: str) -> None:
    problem = problem_of(failure)
    assert said in problem.message
    assert "\n" not in problem.message


def test_the_type_is_one_that_is_documented() -> None:
    assert problem_of(UnexpectedModelBehavior("x")).error_type == "UnexpectedModelBehavior"
    assert not problem_of(ModelHTTPError(status_code=401, model_name="m")).error_type.startswith("_")
