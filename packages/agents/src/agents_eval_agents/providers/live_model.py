"""A model that is asked over the network, with the life of its connection."""

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from importlib import import_module
from types import TracebackType
from typing import Any, Self

from pydantic_ai import RunContext, UserError
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse, infer_model
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings
from pydantic_ai.usage import RequestUsage

from agents_eval_agents.providers.access import Access
from agents_eval_agents.providers.asked import Asked, take_out
from agents_eval_agents.providers.connection import Connection
from agents_eval_agents.providers.row import ProviderRow
from agents_eval_core.errors import UsageError


class LiveModel(WrapperModel):
    """A provider's model. Its connections are open while it is entered, or else for one request.

    It may be entered by many at a time, and again after it was left.
    """

    def __init__(self, row: ProviderRow, name: str, access: Access) -> None:
        self.row = row
        self._name = name
        self._access = access
        self._connection: Connection | None = _connection(row, access)
        self._entered = 0
        super().__init__(self._model(self._connection))

    async def __aenter__(self) -> Self:
        """Open the connections unless somebody has."""
        if self._connection is None:
            self._connection = _connection(self.row, self._access)
            self.wrapped = self._model(self._connection)
        self._entered += 1
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc_val: BaseException | None, exc_tb: TracebackType | None
    ) -> None:
        """Close the connections with the last who leaves."""
        self._entered -= 1
        if self._entered == 0 and self._connection is not None:
            connection, self._connection = self._connection, None
            await asyncio.shield(asyncio.ensure_future(_closed(connection)))

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Return the model's answer."""
        async with self:
            with self._known_failures():
                return await self.wrapped.request(messages, model_settings, model_request_parameters)

    async def count_tokens(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> RequestUsage:
        """Return the provider's count of what a request would hold."""
        async with self:
            with self._known_failures():
                return await self.wrapped.count_tokens(messages, model_settings, model_request_parameters)

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,
    ) -> AsyncGenerator[StreamedResponse]:
        """Yield the model's answer as it comes."""
        async with self:
            with self._known_failures():
                async with self.wrapped.request_stream(
                    messages, model_settings, model_request_parameters, run_context
                ) as stream:
                    yield stream

    @contextmanager
    def _known_failures(self) -> Generator[None]:
        """Let failures say who was asked, and none of them the key."""
        try:
            yield
        except Exception as failure:
            take_out(self._access.key, failure)
            Asked.at(self.row, self._access).mark(failure)
            raise

    def _model(self, connection: Connection) -> Model:
        try:
            return infer_model(f"{self.row.prefix}:{self._name}", lambda _: connection.provider)
        except UserError as problem:
            raise UsageError(f"provider {self.row.name!r} has no model {self._name!r}: {problem}") from problem


def _connection(row: ProviderRow, access: Access) -> Connection:
    return import_module(f"agents_eval_agents.providers.dialects.{row.dialect}").connect(row, access)


async def _closed(connection: Connection) -> None:
    await connection.close()
