"""Google's own SDK."""

from pydantic_ai.providers.google import GoogleProvider

from agents_eval_agents.providers.access import Access
from agents_eval_agents.providers.connection import Connection, http_client
from agents_eval_agents.providers.row import ProviderRow


def connect(_row: ProviderRow, access: Access) -> Connection:
    """Return a connection."""
    client = http_client()
    provider = GoogleProvider(api_key=access.key, base_url=access.base_url, http_client=client)
    return Connection(provider=provider, close=client.aclose)
