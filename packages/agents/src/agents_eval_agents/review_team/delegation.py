"""Handing work to another agent, so that its failure is news to the manager and not the end of the run."""

from dataclasses import replace
from typing import TypeVar, cast

from pydantic_ai import Agent, RunContext, ToolFailed, UsageLimitExceeded, UsageLimits
from pydantic_ai.exceptions import RunCancelled, RunTimedOut
from pydantic_ai.models import Model

from agents_eval_agents.recorder import mark_delegation
from agents_eval_agents.review_team.desk import Desk
from agents_eval_agents.tools.paper import name_of
from agents_eval_agents.tools.quotation import written

T = TypeVar("T")
MOST_REQUESTS = 30
MOST_TOOL_CALLS = 80
MOST_TIMES_ASKED = 3
PROBLEM_CHARACTERS = 300


async def delegate(ctx: RunContext[Desk], agent: Agent[Desk, T], briefing: str, *, goes_on: bool = False) -> T:
    """Let a delegate do its part with its share of the run's limits and return what it made.

    Args:
        ctx: Who asks.
        agent: Who is asked.
        briefing: What it is told.
        goes_on: Whether this is a further part of what it was asked before, and not asking again.

    Raises:
        ToolFailed: The delegate failed or was asked too often; the manager is told and goes on.
        UsageLimitExceeded: The limit of the whole run is reached.
    """
    name = agent.name or "delegate"
    mark_delegation(name)
    desk = ctx.deps
    if not goes_on:
        if desk.asked[name] >= MOST_TIMES_ASKED:
            raise ToolFailed(f"the {name} was asked {MOST_TIMES_ASKED} times already; go on with what there is")
        desk.asked[name] += 1
        desk.tell(name_of(ctx), f"asks the {name}")
    model = cast("Model", ctx.model)  # the other kind is that of spoken conversations
    try:
        result = await agent.run(briefing, deps=desk, model=model, usage=ctx.usage, usage_limits=_share(ctx))
    except RunTimedOut as problem:
        raise _failure(desk, name, problem) from problem
    except RunCancelled:
        raise
    except UsageLimitExceeded as problem:
        if _is_spent(ctx):
            raise
        raise _failure(desk, name, problem) from problem
    except Exception as problem:  # whatever a delegate dies of, the run goes on
        raise _failure(desk, name, problem) from problem
    return result.output


def _share(ctx: RunContext[Desk]) -> UsageLimits:
    whole = ctx.usage_limits or UsageLimits()
    return replace(
        whole,
        request_limit=_least(whole.request_limit, ctx.usage.requests + MOST_REQUESTS),
        tool_calls_limit=_least(whole.tool_calls_limit, ctx.usage.tool_calls + MOST_TOOL_CALLS),
    )


def _is_spent(ctx: RunContext[Desk]) -> bool:
    whole = ctx.usage_limits or UsageLimits()
    try:
        whole.check_before_request(ctx.usage)
    except UsageLimitExceeded:
        return True
    return whole.tool_calls_limit is not None and ctx.usage.tool_calls >= whole.tool_calls_limit


def _failure(desk: Desk, name: str, problem: Exception) -> ToolFailed:
    lines = written(str(problem)).strip().splitlines()
    said = f"{type(problem).__name__.lstrip('_')}: {lines[0][:PROBLEM_CHARACTERS] if lines else 'no message'}"
    desk.notes.append(f"the {name} failed ({said}); the run went on without that answer")
    return ToolFailed(
        f"The {name} could not answer ({said}). Do its part yourself as far as you can, "
        "and do not claim what was not checked."
    )


def _least(limit: int | None, other: int) -> int:
    return other if limit is None else min(limit, other)
