"""Hugging Face's own SDK, which opens its connections itself."""

from huggingface_hub import AsyncInferenceClient
from pydantic_ai.providers.huggingface import HuggingFaceProvider

from agents_eval_agents.providers.access import Access
from agents_eval_agents.providers.connection import ANSWER_SECONDS, Connection
from agents_eval_agents.providers.row import ProviderRow


def connect(_row: ProviderRow, access: Access) -> Connection:
    """Return a connection."""
    sdk = AsyncInferenceClient(api_key=access.key, base_url=access.base_url, timeout=ANSWER_SECONDS)
    return Connection(provider=HuggingFaceProvider(hf_client=sdk, api_key=access.key), close=sdk.close)
