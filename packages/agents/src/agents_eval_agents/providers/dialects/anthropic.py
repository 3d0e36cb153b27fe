"""Anthropic's own SDK."""

from anthropic import AsyncAnthropic
from pydantic_ai.providers.anthropic import AnthropicProvider

from agents_eval_agents.providers.access import Access
from agents_eval_agents.providers.connection import Connection, http_client
from agents_eval_agents.providers.row import ProviderRow


def connect(_row: ProviderRow, access: Access) -> Connection:
    """Return a connection."""
    client = http_client()
    sdk = AsyncAnthropic(base_url=access.base_url, api_key=access.key, http_client=client, max_retries=0)
    return Connection(provider=AnthropicProvider(anthropic_client=sdk), close=client.aclose)
