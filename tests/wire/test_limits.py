"""What a whole run may take: at a limit it ends, and what was done is kept and marked."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from agents_eval_core.errors import UsageError
from agents_eval_core.ports.engine import Limits
from agents_eval_core.use_cases.evaluate_trace import EvaluatedRun
from scripted_server.exchange import Ask, Say
from scripted_server.script import capable
from scripted_server.server import ScriptedServer

Review = Callable[..., Awaitable[EvaluatedRun]]
Reached = Callable[[str], str]
PARTIAL = "the review is partial: it is what the team had when it was stopped"


async def needed(scripted_server: ScriptedServer, review: Review, **asked: Any) -> tuple[int, int]:
    done = await review("openai", composition="full", **asked)
    assert done.scorecard is not None
    took = done.scorecard.resources
    requests = len(scripted_server.asked)
    scripted_server.asked.clear()
    return requests, (took.input_tokens or 0) + (took.output_tokens or 0)


async def test_the_limits_cover_the_whole_team_and_keep_the_draft(
    scripted_server: ScriptedServer, reached: Reached, review: Review
) -> None:
    reached("openai")
    requests, tokens = await needed(scripted_server, review)
    for limit in ({"AGENTS_EVAL_REQUEST_LIMIT": requests - 1}, {"limits": Limits(tokens=tokens - 1)}):
        done = await review("openai", composition="full", **limit)
        assert (done.run.status, done.scorecard) == ("failed", None)
        assert done.run.problem is not None
        assert done.run.problem.error_type == "UsageLimitExceeded"
        assert done.run.problem.message.startswith("the run reached its limit: ")
        assert PARTIAL in done.run.notes
        assert done.run.output is not None
        assert done.run.output.summary
        assert "review.json" in {file.name for file in done.files}


async def test_the_option_counts_before_the_setting_and_the_setting_before_the_provider(
    scripted_server: ScriptedServer, reached: Reached, review: Review
) -> None:
    reached("openai")
    refused = await review("openai", composition="manager", AGENT_TOKEN_LIMIT=100)
    assert refused.run.problem is not None
    assert "total_tokens_limit of 100" in refused.run.problem.message
    allowed = await review(
        "openai", composition="manager", AGENT_TOKEN_LIMIT=100, limits=Limits(tokens=1_000_000), evaluate=False
    )
    assert allowed.run.status == "complete"


async def test_a_limit_of_time_covers_delegates_and_waits(
    scripted_server: ScriptedServer, reached: Reached, review: Review
) -> None:
    def slow_writer(ask: Ask) -> Say:
        said = capable(ask)
        late = "give_review" in ask.tools and not any(tool.startswith("delegate") for tool in ask.tools)
        return Say(calls=said.calls, after_seconds=1.5 if late else 0.0)

    scripted_server.script = slow_writer
    done = await review(reached("openai"), composition="full", AGENTS_EVAL_TIME_LIMIT_SECONDS=1.0)
    assert done.run.status == "failed"
    assert done.run.problem is not None
    assert done.run.problem.error_type == "RunTimedOut"
    assert done.run.problem.message.startswith("the run reached its limit of time")
    assert PARTIAL in done.run.notes


async def test_a_limit_of_cost_ends_a_run_whose_price_is_known(
    scripted_server: ScriptedServer, reached: Reached, review: Review
) -> None:
    done = await review(reached("openai"), model="gpt-6-luna", composition="manager", limits=Limits(cost_usd=0.000_001))
    assert done.run.problem is not None
    assert "cost_limit" in done.run.problem.message


async def test_a_limit_of_cost_that_cannot_be_kept_is_refused(reached: Reached, review: Review) -> None:
    with pytest.raises(UsageError, match="no price is known of model 'house/scripted-1' of openai; set a limit of tok"):
        await review(reached("openai"), AGENTS_EVAL_COST_LIMIT_USD=1)


async def test_a_server_that_tells_no_usage_is_named_for_it(
    scripted_server: ScriptedServer, reached: Reached, review: Review
) -> None:
    def quietly(ask: Ask) -> Say:
        return Say(calls=capable(ask).calls, tells_usage=False)

    scripted_server.script = quietly
    done = await review(reached("ollama"), composition="manager")
    assert done.scorecard is not None
    assert done.scorecard.resources.input_tokens is None
    assert any("did not tell all usage" in note for note in done.run.notes)
