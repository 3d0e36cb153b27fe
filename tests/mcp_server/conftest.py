"""The server in memory, and what comes back from it."""

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.types import CallToolResult, TextContent

from agents_eval_core.settings import Settings
from agents_eval_mcp_server.root import open_root
from agents_eval_mcp_server.server import build_server
from agents_eval_mcp_server.session import Options

Connect = Callable[..., AbstractAsyncContextManager[Client]]
Content = Callable[[CallToolResult], dict[str, Any]]
Error = Callable[[CallToolResult], str]


@pytest.fixture
def connect(clean_place: Path) -> Connect:
    @asynccontextmanager
    async def connected(
        root: Path = clean_place, mode: str = "auto", options: Options | None = None
    ) -> AsyncGenerator[Client]:
        server = build_server(open_root(root, Settings()), options or Options())
        async with Client(server, mode=mode) as client:
            yield client

    return connected


@pytest.fixture
def content() -> Content:
    def read(result: CallToolResult) -> dict[str, Any]:
        assert not result.is_error, result.content
        assert result.structured_content is not None
        return result.structured_content

    return read


@pytest.fixture
def error() -> Error:
    def read(result: CallToolResult) -> str:
        assert result.is_error
        first = result.content[0]
        assert isinstance(first, TextContent)
        return first.text

    return read
