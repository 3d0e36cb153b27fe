"""What tokens cost, by the price list of genai-prices."""

from decimal import Decimal

from genai_prices import Usage, calc_price

from agents_eval_agents.providers.row import ProviderRow


def price_of(row: ProviderRow, model: str, *, input_tokens: int = 0, output_tokens: int = 0) -> Decimal | None:
    """Return the price in US dollars, or None where the list does not have the model.

    >>> from agents_eval_agents.providers.table import ROWS
    >>> openai = next(row for row in ROWS if row.name == "openai")
    >>> price_of(openai, "gpt-6-luna", input_tokens=1_000_000)
    Decimal('0.20')
    >>> price_of(openai, "a-model-of-my-own") is None
    True
    """
    if not row.price_source:
        return None
    usage = Usage(input_tokens=input_tokens, output_tokens=output_tokens)
    try:
        return calc_price(usage, model, provider_id=row.price_source).total_price
    except LookupError:
        return None
