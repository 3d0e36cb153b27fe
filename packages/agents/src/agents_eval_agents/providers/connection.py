"""Connections to providers: an SDK's client, and how it is closed."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from ssl import SSLContext
from typing import Any, Final

import httpx2
from pydantic_ai.models import get_user_agent
from pydantic_ai.providers import Provider

CONNECT_SECONDS: Final = 10.0
ANSWER_SECONDS: Final = 600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """PydanticAI's provider around an SDK's client; closed once, it cannot be used again."""

    provider: Provider[Any]
    close: Callable[[], Awaitable[object]]


def http_client() -> httpx2.AsyncClient:
    """Return a client; whoever asked for it closes it. It follows no redirect: a key goes where it was sent to."""
    return httpx2.AsyncClient(
        verify=certificates(),
        timeout=httpx2.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS),
        headers={"User-Agent": get_user_agent()},
        follow_redirects=False,
    )


@cache
def certificates() -> SSLContext:
    """Return what servers are believed by; read once, since that takes longer than all the rest of a client."""
    return httpx2.create_ssl_context()
