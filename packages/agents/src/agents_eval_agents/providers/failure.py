"""What a person is told when a model did not do its part: the type of the error and one clear sentence."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, cast

from pydantic_ai.exceptions import (
    ContentFilterError,
    FallbackExceptionGroup,
    ModelAPIError,
    ModelConnectionError,
    ModelContextWindowExceededError,
    ModelHTTPError,
    ModelQuotaExceededError,
    ModelRequestTimeout,
    ModelTimeoutError,
    OutputTokenLimitExceeded,
    RunTimedOut,
    UnexpectedModelBehavior,
    UsageLimitExceeded,
)

from agents_eval_agents.providers.asked import Asked
from agents_eval_agents.tools.quotation import written
from agents_eval_core.errors import ModelError
from agents_eval_core.redaction import redact
from agents_eval_core.run import Problem

DETAIL_CHARACTERS: Final = 300
SERVER_ERROR: Final = 500
BY_STATUS: Final = {
    400: "the provider did not accept the request (HTTP 400){said}; use another model, or report it",
    401: "the provider refused the key (HTTP 401); check {key}",
    402: "the provider wants to be paid first (HTTP 402){said}; check the account",
    403: "the provider does not allow this key to use the model (HTTP 403); check the rights of {key}",
    404: "the provider knows no such model or address (HTTP 404){near}; check the model's name{place}",
    408: "the provider took too long to take the request (HTTP 408); run it again",
    409: "the provider was busy with the same request (HTTP 409); run it again",
    413: "the request was too long for the provider (HTTP 413); use a model that takes more",
    422: "the provider could not use the request (HTTP 422){said}; use another model, or report it",
    429: "the provider's rate limit is reached (HTTP 429){wait}; wait, ask less at once, or use another key or model",
    500: "the provider had an error of its own (HTTP 500); run it again later",
    502: "a gateway before the provider had no answer from it (HTTP 502); run it again later",
    503: "the provider cannot serve now (HTTP 503){wait}; run it again later",
    504: "the provider did not answer its gateway in time (HTTP 504); run it again later",
    529: "the provider is overloaded (HTTP 529); run it again later",
}
BY_PHASE: Final = {
    "pool": "too many requests of this process wait for a connection; ask less at once",
    "connect": "nothing could be reached{at}; check the address and the network, and that the server runs",
    "write": "the connection broke while the request was sent{at}; run it again",
    "read": "the connection broke before the answer was whole{at}; run it again",
}


def problem_of(failure: BaseException) -> Problem:
    """Return what went wrong, with what to do where that is known.

    >>> problem_of(ModelHTTPError(status_code=401, model_name="m")).message
    "model 'm': the provider refused the key (HTTP 401); check the key in your environment"
    """
    kind = failure.error_type if isinstance(failure, ModelError) else type_of(failure)
    return Problem(error_type=kind, message=redact(_sentence(failure)))


def type_of(failure: BaseException) -> str:
    """Return the public name of an error's type.

    >>> type_of(ValueError("x"))
    'ValueError'
    """
    public = [kind.__name__ for kind in type(failure).__mro__ if not kind.__name__.startswith("_")]
    return next((name for name in public if name != "ModelHTTPError"), public[0]) if len(public) > 1 else public[0]


def _sentence(failure: BaseException) -> str:
    return next((sentence(failure) for kind, sentence in SENTENCES if isinstance(failure, kind)), _detail(failure))


def _http(failure: BaseException) -> str:
    http = cast("ModelHTTPError", failure)
    asked = Asked.of(http)
    known = BY_STATUS.get(http.status_code) or _unlisted(http.status_code)
    said, near = _provider_said(http.body), http.suggested_model_id
    return _of_model(http) + known.format(
        key=(asked.key_variable if asked and asked.key_variable else "the key in your environment"),
        near=f"; did you mean {near!r}?" if near else "",
        place=f" and the address {asked.base_url}" if asked and asked.base_url else "",
        said=f": {said}" if said else "",
        wait=f" and it asks for a wait of {http.retry_after:g} s" if http.retry_after else "",
    )


def _unlisted(status: int) -> str:
    advice = "it is in trouble, so run it again later" if status >= SERVER_ERROR else "it did not accept the request"
    return f"the provider answered with HTTP {status}{{said}}; {advice}"


def _of_model(failure: ModelAPIError) -> str:
    asked = Asked.of(failure)
    provider = f"{asked.provider} " if asked else ""
    times = f" (asked {asked.times} times)" if asked and asked.times > 1 else ""
    return f"{provider}model {failure.model_name!r}{times}: "


def _quota(failure: BaseException) -> str:
    return (
        _of_model(cast("ModelAPIError", failure)) + "the account's quota or credit is spent; top it up, or use another"
    )


def _context(failure: BaseException) -> str:
    said = "the conversation is longer than the model's context; use a model with a larger one"
    return _of_model(cast("ModelAPIError", failure)) + said


def _connection(failure: BaseException) -> str:
    lost = cast("ModelConnectionError", failure)
    return _of_model(lost) + (BY_PHASE.get(lost.phase or "") or BY_PHASE["read"]).format(at=_at(lost))


def _timeout(failure: BaseException) -> str:
    lost = cast("ModelConnectionError", failure)
    if lost.phase == "connect":
        return _of_model(lost) + f"no connection came about in time{_at(lost)}; check the address and the network"
    return _of_model(lost) + "no answer came in time; run it again, or use a faster model"


def _api(failure: BaseException) -> str:
    said = f"something else than an answer came: {_detail(failure)}; check the address"
    return _of_model(cast("ModelAPIError", failure)) + said


def _deadline(failure: BaseException) -> str:
    return _of_model(cast("ModelAPIError", failure)) + f"{_detail(failure)}; give it more time, or use a faster model"


def _at(failure: BaseException) -> str:
    asked = Asked.of(failure)
    return f" at {asked.base_url}" if asked and asked.base_url else ""


def _behaviour(failure: BaseException) -> str:
    return f"the model did not answer in the form it was asked for: {_detail(failure)}; try again or use another model"


def _refusal(_failure: BaseException) -> str:
    return "the model refused to answer (content filter); rephrase what is asked or use another model"


def _cut_off(failure: BaseException) -> str:
    return f"the model's answer was cut off at its limit: {_detail(failure)}; allow more output tokens"


def _limit(failure: BaseException) -> str:
    told = _detail(failure).split(". Consider raising")[0]
    return f"the run reached its limit: {told}; raise the limit, or use a smaller team"


def _time_limit(failure: BaseException) -> str:
    return f"the run reached its limit of time: {_detail(failure)}; raise the limit, or use a smaller team"


def _all_failed(failure: BaseException) -> str:
    group = cast("FallbackExceptionGroup", failure)
    return "every model of the chain failed: " + " | ".join(_sentence(each) for each in _leaves(group))


def _leaves(group: BaseExceptionGroup[Any]) -> Iterator[BaseException]:
    for each in group.exceptions:
        if isinstance(each, BaseExceptionGroup):
            yield from _leaves(cast("BaseExceptionGroup[Any]", each))
        else:
            yield each


def _provider_said(body: object) -> str:
    """Return the provider's own words, on one line and not many of them."""
    place: Any = body
    for name in ("error", "message"):
        place = cast("dict[str, Any]", place).get(name, place) if isinstance(place, dict) else place
    return " ".join(written(place).split())[:DETAIL_CHARACTERS] if isinstance(place, str) else ""


def _detail(failure: BaseException) -> str:
    lines = written(str(failure)).strip().splitlines()
    return lines[0][:DETAIL_CHARACTERS].rstrip(".") if lines else f"{type_of(failure)} without a message"


SENTENCES: Final[Sequence[tuple[type[BaseException], Callable[[BaseException], str]]]] = (
    (FallbackExceptionGroup, _all_failed),
    (ModelQuotaExceededError, _quota),
    (ModelContextWindowExceededError, _context),
    (ModelHTTPError, _http),
    (ModelTimeoutError, _timeout),
    (ModelConnectionError, _connection),
    (ModelRequestTimeout, _deadline),
    (ModelAPIError, _api),
    (ContentFilterError, _refusal),
    (OutputTokenLimitExceeded, _cut_off),
    (UnexpectedModelBehavior, _behaviour),
    (UsageLimitExceeded, _limit),
    (RunTimedOut, _time_limit),
)
