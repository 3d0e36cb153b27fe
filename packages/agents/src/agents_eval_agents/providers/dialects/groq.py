"""Groq's own SDK, which stands on the older HTTP library."""

from groq import AsyncGroq
from pydantic_ai.providers.groq import GroqProvider

from agents_eval_agents.providers.access import Access
from agents_eval_agents.providers.connection import Connection
from agents_eval_agents.providers.older_http import older_http_client
from agents_eval_agents.providers.row import ProviderRow


def connect(_row: ProviderRow, access: Access) -> Connection:
    """Return a connection."""
    client = older_http_client()
    sdk = AsyncGroq(base_url=access.base_url, api_key=access.key, http_client=client, max_retries=0)
    return Connection(provider=GroqProvider(groq_client=sdk), close=client.aclose)
