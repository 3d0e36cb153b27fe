"""Servers that take only some schemas: what the agents and the judge ask for fits each of them."""

from collections.abc import Awaitable, Callable

import pytest

from agents_eval_core.use_cases.evaluate_trace import EvaluatedRun
from scripted_server.schema_rules import SchemaRule, strict, without_additional_properties, without_references
from scripted_server.server import ScriptedServer

Review = Callable[..., Awaitable[EvaluatedRun]]
RULES: dict[str, tuple[SchemaRule, ...]] = {
    "openai": (strict,),
    "openrouter": (strict,),
    "groq": (strict,),
    "cerebras": (strict,),
    "together": (strict,),
    "deepseek": (strict,),
    "fireworks": (strict,),
    "sambanova": (strict,),
    "nebius": (strict,),
    "xai": (strict,),
    "ollama": (strict,),
    "mistral": (strict,),
    "openai-compatible": (strict, without_additional_properties, without_references),
}


@pytest.mark.parametrize("name", RULES)
async def test_a_whole_team_gets_through_with_its_schemas(
    name: str, scripted_server: ScriptedServer, reached: Callable[[str], str], review: Review
) -> None:
    scripted_server.rules = RULES[name]
    done = await review(reached(name), composition="full", critic=True, evaluate=False)
    assert (done.run.status, done.run.problem, done.run.notes) == ("complete", None, ())


async def test_a_schema_that_a_server_refuses_is_told_with_the_servers_words(
    scripted_server: ScriptedServer, reached: Callable[[str], str], review: Review
) -> None:
    scripted_server.rules = (without_references,)
    done = await review(reached("ollama"), composition="manager")
    assert done.run.problem is not None
    assert "could not use the request (HTTP 422): give_review: $ref is not supported" in done.run.problem.message
