"""A provider that fails in every way there is: what is said, how often it is asked, and what is kept."""

import traceback
from collections.abc import Callable
from typing import Final

import pytest
from pydantic import BaseModel

from agents_eval_agents.providers.table import ROWS
from agents_eval_core import registry
from agents_eval_core.errors import ModelError, UnreadableReplyError, UsageError
from agents_eval_core.ports.chat_model import ChatLimits, ChatMessage
from scripted_server.exchange import Fault, Say
from scripted_server.script import always
from scripted_server.server import ScriptedServer

KEY: Final = "made-up-key-of-a-test"
SDKS = ("openai", "anthropic", "google", "groq", "mistral", "huggingface", "cohere", "ollama", "openrouter")
OUTCOMES = {
    400: ("ModelRequestRejectedError", "did not accept the request (HTTP 400)", 1),
    401: ("ModelAuthenticationError", "refused the key (HTTP 401); check ", 1),
    402: ("ModelQuotaExceededError", "quota or credit is spent", 1),
    403: ("ModelAuthenticationError", "does not allow this key to use the model (HTTP 403)", 1),
    404: ("ModelNotFoundError", "knows no such model or address (HTTP 404)", 1),
    408: ("ModelAPIError", "took too long to take the request (HTTP 408)", 5),
    413: ("ModelAPIError", "the request was too long for the provider (HTTP 413)", 1),
    422: ("ModelRequestRejectedError", "could not use the request (HTTP 422)", 1),
    429: ("ModelRateLimitError", "rate limit is reached (HTTP 429)", 5),
    500: ("ModelServerError", "had an error of its own (HTTP 500)", 5),
    502: ("ModelServerError", "no answer from it (HTTP 502)", 5),
    503: ("ModelUnavailableError", "cannot serve now (HTTP 503)", 5),
    504: ("ModelServerError", "did not answer its gateway in time (HTTP 504)", 5),
}


QUESTION = (ChatMessage(role="user", text="Is it good?"),)


class Verdict(BaseModel):
    """A grade."""

    grade: int


async def ask(name: str) -> str:
    judge = registry.provider(name).chat_model("house/scripted-1")
    return str((await judge.complete(QUESTION, Verdict, ChatLimits(seconds=20))).value)


@pytest.mark.parametrize("status", OUTCOMES)
@pytest.mark.parametrize("name", SDKS)
async def test_every_refusal_has_its_own_sentence_in_every_dialect(
    name: str,
    status: int,
    scripted_server: ScriptedServer,
    reached: Callable[[str], str],
    no_pauses: None,
) -> None:
    scripted_server.script = always(Fault(status=status, message="as the server says"))
    with pytest.raises(ModelError) as failure:
        await ask(reached(name))
    kind, sentence, times = OUTCOMES[status]
    assert failure.value.error_type == kind
    assert sentence in str(failure.value)
    assert str(failure.value).startswith(f"{name} model 'house/scripted-1'")
    assert len(scripted_server.asked) == times


@pytest.mark.parametrize("name", SDKS)
@pytest.mark.parametrize("raw", [b"", b"HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{", b"no HTTP at all\r\n\r\n"])
async def test_a_connection_that_breaks_is_tried_again_and_then_told(
    name: str, raw: bytes, scripted_server: ScriptedServer, reached: Callable[[str], str], no_pauses: None
) -> None:
    scripted_server.script = always(Fault(cuts=True, raw=raw))
    with pytest.raises(ModelError) as failure:
        await ask(reached(name))
    assert failure.value.error_type == "ModelConnectionError"
    assert "the connection broke before the answer was whole at http://127.0.0.1:" in str(failure.value)
    assert len(scripted_server.asked) == 5


@pytest.mark.parametrize("name", SDKS)
async def test_a_server_that_does_not_run_is_named_with_its_address(
    name: str, monkeypatch: pytest.MonkeyPatch, no_pauses: None
) -> None:
    row = next(row for row in ROWS if row.name == name)
    monkeypatch.setenv(row.key, KEY)
    with ScriptedServer().running() as server:
        monkeypatch.setenv(row.base_url_variable, server.url)
        judge = registry.provider(name).chat_model("house/m")
    with pytest.raises(ModelError, match=rf"nothing could be reached at {server.url}; .*that the server runs"):
        await judge.complete(QUESTION, Verdict, ChatLimits(seconds=20))


@pytest.mark.parametrize("name", SDKS)
async def test_an_answer_that_is_no_json_is_told_as_such(
    name: str, scripted_server: ScriptedServer, reached: Callable[[str], str], no_pauses: None
) -> None:
    scripted_server.script = always(Fault(status=200, raw=b"<html>a gateway's login page</html>"))
    with pytest.raises(ModelError, match=r"something else than an answer came: .*; check|not answer in the form"):
        await ask(reached(name))


@pytest.mark.parametrize("name", SDKS)
async def test_a_key_that_a_server_quotes_back_is_in_nothing_that_is_said_or_raised(
    name: str, scripted_server: ScriptedServer, reached: Callable[[str], str]
) -> None:
    scripted_server.script = always(Fault(status=422, message="Incorrect key made-up-key-of-a-test"))
    with pytest.raises(ModelError) as failure:
        await ask(reached(name))
    assert ("[REDACTED]" in str(failure.value)) is (name != "huggingface")  # whose SDK keeps no word of the server
    assert KEY not in "".join(traceback.format_exception(failure.value))


async def test_an_answer_that_does_not_come_in_time_is_given_up(
    scripted_server: ScriptedServer, reached: Callable[[str], str]
) -> None:
    scripted_server.script = always(Say(text="late", after_seconds=0.5))
    judge = registry.provider(reached("openai")).chat_model("m")
    with pytest.raises(ModelError, match="limit of time") as failure:
        await judge.complete((ChatMessage(role="user", text="?"),), Verdict, ChatLimits(seconds=0.1))
    assert failure.value.error_type == "RunTimedOut"
    assert len(scripted_server.asked) == 1


async def test_an_answer_without_the_shape_is_handed_back_with_its_text(
    scripted_server: ScriptedServer, reached: Callable[[str], str]
) -> None:
    scripted_server.script = always(Say(text="I would rather not."))
    with pytest.raises(UnreadableReplyError, match="Invalid JSON") as failure:
        await ask(reached("openai"))
    assert failure.value.text == "I would rather not."
    assert len(scripted_server.asked) == 1  # asking again is up to who judges


async def test_a_refusal_and_a_cut_answer_are_no_bad_shape(
    scripted_server: ScriptedServer, reached: Callable[[str], str]
) -> None:
    reached("anthropic")
    scripted_server.script = always(Say(text="", stop="content_filter"))
    with pytest.raises(ModelError, match="refused to answer"):
        await ask("anthropic")
    scripted_server.script = always(Say(text="", stop="length"))
    with pytest.raises(ModelError, match="cut off at its limit"):
        await ask("anthropic")


async def test_a_model_name_that_a_provider_cannot_have_is_refused(reached: Callable[[str], str]) -> None:
    with pytest.raises(UsageError, match=r"provider 'openrouter' has no model 'm': .* must be prefixed"):
        registry.provider(reached("openrouter")).chat_model("m")
