"""Answers as they come: what is being written is told, and a provider that does not stream is asked for it whole."""

import json
from collections.abc import Awaitable, Callable

import pytest

from agents_eval_core.ports.engine import Limits
from agents_eval_core.use_cases.evaluate_trace import EvaluatedRun
from scripted_server.exchange import Ask, Fault, Say
from scripted_server.script import capable
from scripted_server.server import ScriptedServer

Review = Callable[..., Awaitable[EvaluatedRun]]
Reached = Callable[[str], str]
NO_STREAM = "the provider does not stream: its answers come whole"
DIALECTS = ("openai", "anthropic", "google", "ollama", "groq", "mistral", "cohere", "huggingface", "openrouter")


@pytest.mark.parametrize("name", DIALECTS)
async def test_the_field_that_is_being_written_is_told(
    name: str, scripted_server: ScriptedServer, reached: Reached, review: Review, told: list[str]
) -> None:
    done = await review(reached(name), composition="manager", evaluate=False)
    assert done.run.status == "complete"
    assert all(ask.is_streamed for ask in scripted_server.asked)
    written = [line for line in told if line.startswith("writes the review")]
    if name != "google":  # Gemini's calls come whole
        assert "writes the review: summary" in written
        assert any(line.startswith("writes the review: weaknesses (") for line in written)
        assert len(written) == len(set(written))


async def test_a_model_without_tools_is_told_of_as_well(
    scripted_server: ScriptedServer, reached: Reached, review: Review, told: list[str]
) -> None:
    words = {"summary": "It is a review. " * 20, "strengths": [{"text": "Clear."}]}

    def script(_ask: Ask) -> Say:
        return Say(text=json.dumps(words))

    scripted_server.script = script
    done = await review(reached("perplexity"), engine="direct", evaluate=False)
    assert done.run.status == "complete"
    assert "writes the answer: summary" in told


async def test_without_streaming_answers_are_asked_for_whole(
    scripted_server: ScriptedServer, reached: Reached, review: Review, told: list[str]
) -> None:
    await review(reached("openai"), composition="manager", evaluate=False, AGENTS_EVAL_STREAM=False)
    assert not any(ask.is_streamed for ask in scripted_server.asked)
    assert not [line for line in told if line.startswith("writes the review: ")]


@pytest.mark.parametrize(("status", "name"), [(400, "openai"), (405, "ollama"), (422, "openrouter"), (501, "groq")])
async def test_a_provider_that_does_not_stream_is_asked_for_the_whole_once_it_said_so(
    status: int, name: str, scripted_server: ScriptedServer, reached: Reached, review: Review
) -> None:
    def script(ask: Ask) -> Say | Fault:
        return Fault(status=status, message="streaming is not supported") if ask.is_streamed else capable(ask)

    scripted_server.script = script
    done = await review(reached(name), composition="manager", evaluate=False)
    assert done.run.status == "complete"
    assert [ask.is_streamed for ask in scripted_server.asked] == [True] + [False] * (len(scripted_server.asked) - 1)


async def test_a_provider_that_does_not_stream_is_named_once(
    scripted_server: ScriptedServer, reached: Reached, review: Review, told: list[str]
) -> None:
    def script(ask: Ask) -> Say | Fault:
        return Fault(status=400, message="streaming is not supported") if ask.is_streamed else capable(ask)

    scripted_server.script = script
    await review(reached("openai"), composition="manager", evaluate=False)
    assert told.count(NO_STREAM) == 1


async def test_a_bad_request_is_not_mistaken_for_one(
    scripted_server: ScriptedServer, reached: Reached, review: Review, told: list[str]
) -> None:
    def script(_ask: Ask) -> Fault:
        return Fault(status=400, message="bad schema")

    scripted_server.script = script
    done = await review(reached("openai"), composition="manager")
    assert done.run.status == "failed"
    assert len(scripted_server.asked) == 1
    assert NO_STREAM not in told


@pytest.mark.usefixtures("no_pauses")
@pytest.mark.parametrize("name", ["openrouter", "openai", "anthropic"])
async def test_a_stream_that_is_cut_amid_the_review_is_asked_for_again(
    name: str, scripted_server: ScriptedServer, reached: Reached, review: Review, told: list[str]
) -> None:
    cuts = [True]

    def script(ask: Ask) -> Say:
        said = capable(ask)
        if cuts and any(call.tool == "give_review" for call in said.calls):
            cuts.pop()
            return Say(calls=said.calls, cut_after=6)
        return said

    scripted_server.script = script
    done = await review(reached(name), composition="manager", evaluate=False, limits=Limits(requests=30))
    assert (done.run.status, done.run.problem) == ("complete", None)
    assert any(line.startswith("waits ") and "lost connection" in line for line in told)
