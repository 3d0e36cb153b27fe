"""A run whose replies are kept, played back: the same review and scorecard, and nobody is asked."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from agents_eval_core.errors import UnreadableError, UsageError
from agents_eval_core.use_cases.evaluate_trace import EvaluatedRun
from scripted_server.exchange import Ask, Fault, Say
from scripted_server.script import capable, one_after_another
from scripted_server.server import ScriptedServer

Review = Callable[..., Awaitable[EvaluatedRun]]
Reached = Callable[[str], str]


def scorecard_of(done: EvaluatedRun) -> bytes:
    assert done.directory is not None
    text = (done.directory / "scorecard.json").read_bytes()
    return text.replace(done.run.id.encode(), b"")


def review_of(done: EvaluatedRun) -> bytes:
    assert done.directory is not None
    return (done.directory / "review.json").read_bytes()


@pytest.mark.parametrize("name", ["openai", "anthropic", "google", "mistral", "ollama", "cohere"])
async def test_a_replay_gives_the_same_review_and_scorecard_byte_for_byte(
    name: str, scripted_server: ScriptedServer, reached: Reached, review: Review
) -> None:
    limit = Fault(status=429, headers={"retry-after": "0.05"})
    scripted_server.script = one_after_another([limit])
    asked: dict[str, Any] = {"composition": "full", "critic": True, "query": "Mind the statistics."}
    live = await review(reached(name), **asked)
    requests = len(scripted_server.asked)
    again = await review("replay", model=str(live.directory), **asked)
    assert (live.run.status, again.run.status) == ("complete", "complete")
    assert len(scripted_server.asked) == requests
    assert again.run.id != live.run.id
    assert review_of(again) == review_of(live)
    assert scorecard_of(again) == scorecard_of(live)
    assert again.scorecard is not None
    assert again.scorecard.score("time_taken") is not None
    assert again.run.system.provider == "replay"


async def test_secrets_in_replies_are_not_kept_and_the_replay_still_fits(
    scripted_server: ScriptedServer, reached: Reached, review: Review
) -> None:
    secret = "sk-proj-abcdefgh12345678"  # noqa: S105  made up

    def leaking(ask: Ask) -> Say:
        said = capable(ask)
        return Say(text=f"I found {secret} in the paper.", calls=said.calls)

    scripted_server.script = leaking
    live = await review(reached("anthropic"), composition="manager+researcher")
    assert live.directory is not None
    kept = b"".join(file.read_bytes() for file in live.directory.iterdir())
    assert secret.encode() not in kept
    again = await review("replay", model=str(live.directory), composition="manager+researcher")
    assert again.run.status == "complete"
    assert review_of(again) == review_of(live)


async def test_a_replay_that_asks_something_else_fails_and_says_so(
    scripted_server: ScriptedServer, reached: Reached, review: Review
) -> None:
    live = await review(reached("openai"), composition="manager")
    other = await review("replay", model=str(live.directory), composition="manager", paper="bus-vouchers")
    assert other.run.status == "failed"
    assert other.run.problem is not None
    assert other.run.problem.error_type == "ReplayMismatchError"
    assert "did not ask this, so it has no reply to play back" in other.run.problem.message


async def test_a_run_without_replies_cannot_be_played_back(review: Review, clean_place: Path) -> None:
    offline = await review("offline", model=None)
    with pytest.raises(UsageError, match=r"has no replies\.jsonl to play back"):
        await review("replay", model=str(offline.directory))
    with pytest.raises(UsageError, match="name its directory with --model"):
        await review("replay", model=None)
    (clean_place / "replies.jsonl").write_text(json.dumps({"schema": "agents-eval/replies/9"}) + "\n")
    with pytest.raises(UnreadableError, match="not a tape of replies"):
        await review("replay", model=str(clean_place))
