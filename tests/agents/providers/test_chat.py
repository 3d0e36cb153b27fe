"""A model of each provider as a judge is handed it, over real HTTP."""

from collections.abc import Callable
from functools import partial

import pytest
from pydantic import BaseModel, Field

from agents_eval_agents.providers.table import ROWS
from agents_eval_core import registry
from agents_eval_core.ports.chat_model import ChatLimits, ChatMessage
from scripted_server.script import in_shape
from scripted_server.server import ScriptedServer

EVERY = [row.name for row in ROWS]
MODEL = "house/scripted-1"
QUESTION = (
    ChatMessage(role="system", text="You judge."),
    ChatMessage(role="user", text="Is it good?"),
    ChatMessage(role="assistant", text="What?"),
    ChatMessage(role="user", text="This {paper} of \\frac{a}{b}."),
)


class Verdict(BaseModel):
    """A grade with its reason."""

    grade: int = Field(ge=1, le=5)
    reason: str
    remark: str | None = None


@pytest.mark.parametrize("name", EVERY)
async def test_every_provider_answers_in_the_shape_that_is_asked_for(
    name: str, scripted_server: ScriptedServer, reached: Callable[[str], str]
) -> None:
    scripted_server.script = partial(in_shape, grade=4, reason="It is.")
    judge = registry.provider(reached(name)).chat_model(MODEL)
    reply = await judge.complete(QUESTION, Verdict, ChatLimits(output_tokens=500))
    (ask,) = scripted_server.asked
    assert (reply.value.grade, reply.value.reason) == (4, "It is.")
    assert (reply.model, judge.name) == (MODEL, f"{name}:{MODEL}")
    assert reply.input_tokens
    assert reply.output_tokens
    assert reply.cost_usd is None
    assert "You judge." in ask.instructions
    assert "This {paper} of \\frac{a}{b}." in ask.prompt
