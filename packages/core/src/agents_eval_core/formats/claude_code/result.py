"""The line that ends a turn of Claude Code, with the totals of the session."""

from typing import Final

import msgspec
from msgspec import Struct, field

from agents_eval_core.formats.building.known_usage import known_usage
from agents_eval_core.formats.claude_code.spans import count
from agents_eval_core.formats.json_text.json_values import as_amount
from agents_eval_core.trace import Usage


class ModelTotal(Struct, rename="camel"):
    """What one model took in the whole session."""

    input_tokens: float | None = None
    output_tokens: float | None = None
    cache_read_input_tokens: float | None = None
    cache_creation_input_tokens: float | None = None


class ResultLine(Struct):
    """The line that ends a turn; its totals by model are those of the whole session so far."""

    subtype: str = ""
    is_error: bool | None = None
    result: str | None = None
    total_cost_usd: float | None = None
    model_usage: dict[str, ModelTotal] = field(default_factory=dict[str, ModelTotal], name="modelUsage")


RESULT: Final = msgspec.json.Decoder(ResultLine)


def declared_usage(result: ResultLine) -> Usage | None:
    """Return what the whole session took, all models together; input includes what was cached."""
    totals = result.model_usage.values()
    read = [count(total.cache_read_input_tokens) for total in totals]
    inputs = [
        count(figure)
        for total in totals
        for figure in (total.input_tokens, total.cache_read_input_tokens, total.cache_creation_input_tokens)
    ]
    return known_usage(
        Usage(
            input_tokens=_sum(inputs),
            output_tokens=_sum([count(total.output_tokens) for total in totals]),
            cached_tokens=_sum(read),
            cost_usd=as_amount(result.total_cost_usd),
            scope="subtree",
        )
    )


def _sum(figures: list[int | None]) -> int | None:
    known = [figure for figure in figures if figure is not None]
    return sum(known) if known and len(known) == len(figures) else None
