"""Cohere's own SDK, which stands on the older HTTP library."""

from cohere import AsyncClientV2
from pydantic_ai.providers.cohere import CohereProvider

from agents_eval_agents.providers.access import Access
from agents_eval_agents.providers.connection import Connection
from agents_eval_agents.providers.older_http import older_http_client
from agents_eval_agents.providers.row import ProviderRow


def connect(_row: ProviderRow, access: Access) -> Connection:
    """Return a connection."""
    client = older_http_client()
    sdk = AsyncClientV2(api_key=access.key, base_url=access.base_url, httpx_client=client, max_retries=0)
    return Connection(provider=CohereProvider(cohere_client=sdk), close=client.aclose)
