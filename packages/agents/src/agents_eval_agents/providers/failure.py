"""What a person is told when agents could not finish: the type of the error and one clear sentence."""

from collections.abc import Callable, Sequence
from typing import Final

from pydantic_ai.exceptions import ModelAPIError, ModelHTTPError, UnexpectedModelBehavior, UsageLimitExceeded

from agents_eval_agents.tools.quotation import written
from agents_eval_core.run import Problem

DETAIL_CHARACTERS: Final = 300
SERVER_ERROR: Final = 500
BY_STATUS: Final = {
    401: "the provider refused the key (HTTP 401); check the key in your environment",
    403: "the provider does not allow this key to use the model (HTTP 403); check the key's rights",
    404: "the provider knows no such model or address (HTTP 404); check the model's name",
    408: "the provider took too long to answer (HTTP 408); run it again",
    413: "the request was too long for the provider (HTTP 413); use a model that takes more",
    429: "the provider's rate limit or quota is reached (HTTP 429); wait, or use another key or model",
}


def problem_of(failure: BaseException) -> Problem:
    """Return what went wrong, with what to do where that is known.

    >>> problem_of(ModelHTTPError(status_code=401, model_name="m")).message
    "model 'm': the provider refused the key (HTTP 401); check the key in your environment"
    """
    said = next((sentence(failure) for kind, sentence in SENTENCES if isinstance(failure, kind)), _detail(failure))
    return Problem(error_type=type_of(failure), message=said)


def type_of(failure: BaseException) -> str:
    """Return the public name of an error's type.

    >>> type_of(ValueError("x"))
    'ValueError'
    """
    public = [kind.__name__ for kind in type(failure).__mro__ if not kind.__name__.startswith("_")]
    return next((name for name in public if name != "ModelHTTPError"), public[0]) if len(public) > 1 else public[0]


def _http(failure: BaseException) -> str:
    status = getattr(failure, "status_code", 0)
    known = BY_STATUS.get(status) or f"the provider answered with HTTP {status}; {_advice(status)}"
    return f"model {getattr(failure, 'model_name', '?')!r}: {known}"


def _advice(status: int) -> str:
    return "it is in trouble, so run it again later" if status >= SERVER_ERROR else "it did not accept the request"


def _connection(failure: BaseException) -> str:
    return f"the provider could not be reached: {_detail(failure)}; check the address and the network"


def _behaviour(failure: BaseException) -> str:
    return f"the model did not answer in the form it was asked for: {_detail(failure)}; try again or use another model"


def _limit(failure: BaseException) -> str:
    return f"the run reached its limit: {_detail(failure)}; a smaller team or a more capable model needs less"


def _detail(failure: BaseException) -> str:
    lines = written(str(failure)).strip().splitlines()
    return lines[0][:DETAIL_CHARACTERS] if lines else f"{type_of(failure)} without a message"


SENTENCES: Final[Sequence[tuple[type[BaseException], Callable[[BaseException], str]]]] = (
    (ModelHTTPError, _http),
    (ModelAPIError, _connection),
    (UnexpectedModelBehavior, _behaviour),
    (UsageLimitExceeded, _limit),
)
