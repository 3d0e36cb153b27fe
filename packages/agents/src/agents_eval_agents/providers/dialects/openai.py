"""Providers that the OpenAI SDK speaks with: OpenAI itself, and all that are compatible with it."""

from typing import Any, Final

from openai import AsyncOpenAI
from pydantic_ai.profiles import InlineDefsJsonSchemaTransformer, ModelProfile
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers import infer_provider_class
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

from agents_eval_agents.providers.access import Access
from agents_eval_agents.providers.connection import Connection, http_client
from agents_eval_agents.providers.row import ProviderRow

NO_KEY: Final = "no-key"
WITHOUT_TOOLS: Final = ModelProfile(
    supports_tools=False, supports_json_schema_output=True, default_structured_output_mode="native"
)


def connect(row: ProviderRow, access: Access) -> Connection:
    """Return a connection; a server that wants no key is sent none of the user's."""
    client = http_client()
    sdk = AsyncOpenAI(base_url=access.base_url, api_key=access.key or NO_KEY, http_client=client, max_retries=0)
    if row.prefix == "openai-chat":
        provider = OpenAICompatibleProvider(row.name, openai_client=sdk, profile=_profile(row))
        return Connection(provider=provider, close=client.aclose)
    make: Any = infer_provider_class(row.prefix)
    return Connection(provider=make(openai_client=sdk), close=client.aclose)


class PlainSchema(InlineDefsJsonSchemaTransformer):
    """Writes schemas without references and without a word on additional properties."""

    def transform(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Return a part of a schema as it is sent."""
        schema.pop("additionalProperties", None)
        return schema


def _profile(row: ProviderRow) -> ModelProfile | None:
    if "no_tools" in row.quirks:
        return WITHOUT_TOOLS
    return PLAIN if "plain_schemas" in row.quirks else None


PLAIN: Final = OpenAIModelProfile(json_schema_transformer=PlainSchema, openai_supports_strict_tool_definition=False)
