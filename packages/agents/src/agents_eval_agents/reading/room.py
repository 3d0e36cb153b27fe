"""How much of a paper a model can read at once."""

import asyncio
from typing import Final, Literal

from pydantic_ai.exceptions import ModelAPIError, UnexpectedModelBehavior
from pydantic_ai.messages import ModelRequest, UserPromptPart
from pydantic_ai.models import Model, ModelRequestParameters

from agents_eval_agents.providers.row import PROMPT_SHARE
from agents_eval_core.frozen import Frozen
from agents_eval_core.paper import Paper

CHARACTERS_A_TOKEN: Final = 4
COUNT_SECONDS: Final = 30.0
ESTIMATE: Final = "characters / 4"
CountedBy = Literal["the provider", "characters / 4"]


class Room(Frozen):
    """The part of a model's context that a paper may fill; the rest is for the talk about it.

    Attributes:
        context_tokens: What the model can read at once, its answer included.
        characters: How many characters of this paper go into its part of that.
        paper_tokens: How many tokens the whole paper has.
        counted_by: Who counted them.
    """

    context_tokens: int
    characters: int
    paper_tokens: int
    counted_by: CountedBy = ESTIMATE


async def room_for(paper: Paper, model: Model, context_tokens: int) -> Room:
    """Return the room for a paper in a model's context.

    The provider is asked for its count where it gives one and where the answer matters: a token has a byte at least,
    so a text with fewer bytes than there is room for tokens fits without counting.
    """
    text = paper.text
    room = int(context_tokens * PROMPT_SHARE)
    counted = await _counted(text, model) if len(text.encode("utf-8", "replace")) > room else None
    if counted is None:
        tokens = -(-len(text) // CHARACTERS_A_TOKEN)
        return Room(context_tokens=context_tokens, characters=room * CHARACTERS_A_TOKEN, paper_tokens=tokens)
    return Room(
        context_tokens=context_tokens,
        characters=room * len(text) // counted,
        paper_tokens=counted,
        counted_by="the provider",
    )


async def _counted(text: str, model: Model) -> int | None:
    """Return the provider's count; None where it gives none, or gives it not now: then it is estimated."""
    asked = ModelRequest(parts=[UserPromptPart(content=text)])
    try:
        async with asyncio.timeout(COUNT_SECONDS):
            usage = await model.count_tokens([asked], None, ModelRequestParameters())
    except (NotImplementedError, ModelAPIError, UnexpectedModelBehavior, TimeoutError):
        return None
    return usage.input_tokens or None
