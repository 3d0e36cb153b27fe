"""A model that is asked again: bounded, with growing and random waits, and as the provider wishes."""

import asyncio
import random
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from typing import Any, Final, TypeVar

from opentelemetry.trace import Tracer
from pydantic_ai import RunContext
from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelConnectionError,
    ModelHTTPError,
    ModelQuotaExceededError,
    ModelRateLimitError,
    ModelServerError,
    ModelUnavailableError,
)
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings

from agents_eval_agents.providers.asked import Asked
from agents_eval_agents.providers.traffic import Traffic
from agents_eval_core.ports.engine import Patience
from agents_eval_core.waits import WAIT, WAIT_REASON

T = TypeVar("T")
MAY_PASS: Final = (ModelRateLimitError, ModelUnavailableError, ModelServerError, ModelConnectionError)
STATUSES_THAT_MAY_PASS: Final = frozenset({408, 409, 425})
ITS_OWN_FAULT: Final = (ModelUnavailableError, ModelServerError, ModelConnectionError)
FIRST_PAUSE_SECONDS: Final = 1.0
LONGEST_PAUSE_SECONDS: Final = 30.0
TRACED_SECONDS: Final = 0.01
NANOSECONDS: Final = 1_000_000_000


class PatientModel(WrapperModel):
    """A model whose provider is asked again after trouble that may pass, as far as patience goes.

    A provider that says how long to wait is believed. Where it wants longer than is waited for, that is the end.
    Every wait is told, and stands in the trace as a span of its own.
    """

    def __init__(
        self,
        wrapped: Model,
        *,
        traffic: Traffic,
        at_once: int,
        patience: Patience | None = None,
        tell: Callable[[str], None] = lambda _: None,
        tracer: Tracer | None = None,
    ) -> None:
        super().__init__(wrapped)
        self._patience = patience or Patience()
        self._traffic, self._at_once = traffic, self._patience.requests_at_once or at_once
        self._tell, self._tracer = tell, tracer

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Return the model's answer."""
        async with AsyncExitStack() as stack:
            return await self._answer(
                lambda: self.wrapped.request(messages, model_settings, model_request_parameters), stack
            )

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,
    ) -> AsyncGenerator[StreamedResponse]:
        """Yield the model's answer as it comes; once it has begun, nothing is asked again."""
        async with AsyncExitStack() as stack:

            def begin() -> Awaitable[StreamedResponse]:
                opened = self.wrapped.request_stream(messages, model_settings, model_request_parameters, run_context)
                return stack.enter_async_context(opened)

            yield await self._answer(begin, stack)

    async def _answer(self, ask: Callable[[], Awaitable[T]], stack: AsyncExitStack) -> T:
        """Return the first answer; the stack holds the request's place, and gives it back while nothing is asked."""
        attempt = 1
        while True:
            self._traffic.check(self.model_name)
            await self._turn(stack)
            try:
                answer = await ask()
            except ModelAPIError as failure:
                await stack.aclose()
                await self._recover(failure, attempt)
                attempt += 1
            else:
                self._traffic.breaker.succeeded()
                return answer

    async def _turn(self, stack: AsyncExitStack) -> None:
        with self._traced("turn"):
            await stack.enter_async_context(self._traffic.place(self._at_once))
            await asyncio.sleep(self._traffic.pause(self._patience.requests_per_minute))

    async def _recover(self, failure: ModelAPIError, attempt: int) -> None:
        """Wait after a failure, or raise it where waiting is of no use."""
        if isinstance(failure, ITS_OWN_FAULT):
            self._traffic.breaker.failed()
        Asked.count(failure, attempt)
        pause = pause_after(failure, attempt, self._patience)
        if pause is None:
            raise failure
        reason = reason_of(failure)
        most = self._patience.attempts
        self._tell(f"waits {pause:.1f} s: {reason} of {self._traffic.provider} (attempt {attempt} of {most} failed)")
        with self._traced(reason):
            await asyncio.sleep(pause)

    @contextmanager
    def _traced(self, reason: str) -> Generator[None]:
        """Write down how long something was waited for, unless it was no time at all."""
        began = time.time_ns()
        try:
            yield
        finally:
            ended = time.time_ns()
            if self._tracer is not None and ended - began >= TRACED_SECONDS * NANOSECONDS:
                span = self._tracer.start_span(WAIT, start_time=began, attributes={WAIT_REASON: reason})
                span.end(end_time=ended)


def pause_after(failure: ModelAPIError, attempt: int, patience: Patience) -> float | None:
    """Return how many seconds to wait before the next attempt, or None where there is none.

    The pause doubles with each attempt and is drawn at random from its upper half, so that many who were refused
    together do not come back together. One that the provider asks for is kept to, with up to a tenth more.

    >>> pause_after(ModelConnectionError("m", "cut"), 5, Patience(attempts=5)) is None
    True
    >>> 2 <= pause_after(ModelConnectionError("m", "cut"), 3, Patience(attempts=5)) <= 4
    True
    """
    if attempt >= patience.attempts or not _may_pass(failure):
        return None
    if failure.retry_after is not None:
        wished = max(0.0, failure.retry_after)
        return None if wished > patience.longest_wait_seconds else wished * random.uniform(1.0, 1.1)  # noqa: S311
    longest = min(FIRST_PAUSE_SECONDS * 2 ** (attempt - 1), LONGEST_PAUSE_SECONDS, patience.longest_wait_seconds)
    return longest * random.uniform(0.5, 1.0)  # noqa: S311  no secret


def reason_of(failure: ModelAPIError) -> str:
    """Return in two or three words why it is waited.

    >>> reason_of(ModelConnectionError("m", "cut"))
    'lost connection'
    """
    if isinstance(failure, ModelRateLimitError):
        return "rate limit"
    if isinstance(failure, ModelConnectionError):
        return "lost connection"
    return "trouble"


def _may_pass(failure: ModelAPIError) -> bool:
    if isinstance(failure, ModelQuotaExceededError):
        return False
    by_status = isinstance(failure, ModelHTTPError) and failure.status_code in STATUSES_THAT_MAY_PASS
    return by_status or isinstance(failure, MAY_PASS)
