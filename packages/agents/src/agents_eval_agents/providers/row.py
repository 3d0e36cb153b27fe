"""A row of the table of providers: what is known about a provider without asking it."""

from dataclasses import dataclass, field
from typing import Final, Literal

Quirk = Literal["no_tools", "key_is_optional", "own_models", "plain_schemas"]
Dialect = Literal["openai", "anthropic", "google", "groq", "mistral", "cohere", "huggingface"]

PROMPT_SHARE: Final = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedModel:
    """A model that a provider is known to have.

    Attributes:
        context_tokens: How many tokens a request and its answer may have together.
        output_tokens: How many an answer may have; None is not published.
    """

    name: str
    context_tokens: int
    output_tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderRow:
    """One provider.

    Attributes:
        name: What users call it.
        aliases: What else it is called.
        prefix: Its name in PydanticAI, which knows how its models differ (`groq:`, `openai-chat:`).
        dialect: Whose SDK speaks with it: the name of a module of `dialects`.
        module: What must be importable for that.
        extra: The extra of `agents-eval-agents` that installs it; "" where it comes along.
        key: The variable of the environment that holds the key; "" where none is sent.
        other_keys: Further names of that variable, in order.
        base_url: Where it is; "" where only the user knows.
        base_url_variable: The variable of the environment that says another place.
        models: The models it is known to have, the default first. Others may be named.
        price_source: The provider's id in genai-prices; "" where there are no prices.
        most_at_once: How many requests one process has open with it.
        run_tokens: How many tokens a run may take where nobody says: far above what a full team needs for a long
            paper, and a bound for one that goes round in circles.
        retired: Why its own place answers nobody any more; "" where it does.
        quirks: `no_tools`: it calls no tools, so it can judge and answer directly but not drive a team.
            `key_is_optional`: servers of one's own mostly want none. `own_models`: it has what its owner put there.
            `plain_schemas`: not every such server takes references or `additionalProperties` in a schema.
    """

    name: str
    prefix: str
    dialect: Dialect = "openai"
    aliases: tuple[str, ...] = ()
    module: str = "openai"
    extra: str = ""
    key: str = ""
    other_keys: tuple[str, ...] = ()
    base_url: str = ""
    base_url_variable: str = ""
    models: tuple[ListedModel, ...] = ()
    price_source: str = ""
    most_at_once: int = 8
    run_tokens: int = 2_000_000
    retired: str = ""
    quirks: frozenset[Quirk] = field(default_factory=frozenset[Quirk])

    @property
    def default_model(self) -> str | None:
        """The model that is used where none is named."""
        return self.models[0].name if self.models else None

    @property
    def key_variables(self) -> tuple[str, ...]:
        """The variables of the environment that may hold the key, the first that is set counts."""
        return (self.key, *self.other_keys) if self.key else ()

    def listed(self, model: str) -> ListedModel | None:
        """Return what is known about one of its models, or None."""
        return next((each for each in self.models if each.name == model), None)

    def fitting(self, paper_tokens: int) -> ListedModel | None:
        """Return the first model whose context takes a paper in a part of it, leaving room for the talk about it.

        >>> small, large = ListedModel(name="s", context_tokens=8_000), ListedModel(name="l", context_tokens=100_000)
        >>> row = ProviderRow(name="x", prefix="x", models=(small, large))
        >>> row.fitting(4_000).name, row.fitting(40_000).name, row.fitting(400_000)
        ('s', 'l', None)
        """
        return next((each for each in self.models if paper_tokens <= each.context_tokens * PROMPT_SHARE), None)
