"""Who judges is found in a stated order, and the reason is kept."""

import json
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from agents_eval_core.certificate import Certificate
from agents_eval_core.data_root import DataRoot
from agents_eval_core.errors import UsageError
from agents_eval_core.run import System
from agents_eval_core.settings import load_settings
from agents_eval_core.store.document import write_document
from agents_eval_core.use_cases.judge_choice import CALLER_IS_JUDGE, certificate_file, judge_spec, resolve_judge

Reached = Callable[[str], str]


@pytest.fixture
def ollama(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[bytes], None]]:
    """Let a local Ollama answer so; until it is called, none answers."""
    said = [b""]

    class Tags(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/api/tags" else 404)
            self.end_headers()
            self.wfile.write(said[0])

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the base's name
            pass

    server = HTTPServer(("127.0.0.1", 0), Tags)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    monkeypatch.setenv("OLLAMA_BASE_URL", "http://127.0.0.1:1/v1")

    def answer(body: bytes) -> None:
        said[0] = body
        monkeypatch.setenv("OLLAMA_BASE_URL", f"http://127.0.0.1:{server.server_port}/v1")
        thread.start()

    yield answer
    if thread.is_alive():
        server.shutdown()
        thread.join(5)
    server.server_close()


def names(spec: str | None, system: System | None = None) -> list[tuple[str, str]]:
    context = resolve_judge(spec, load_settings(None), system)
    return [(judge.name, judge.chosen_because) for judge in context.judges]


def test_nobody_judges_unless_somebody_asked_for_it(reached: Reached) -> None:
    reached("groq")
    context = resolve_judge(None, load_settings(None), System(engine="mas", provider="groq"))
    assert (context.judges, context.judge_absence) == ((), "no judge configured")


def test_the_judge_asked_for_is_the_judge_and_one_that_cannot_judge_is_refused(reached: Reached) -> None:
    assert names(f"{reached('groq')}:llama:8b") == [("groq:llama:8b", "asked for")]
    with pytest.raises(UsageError, match="MISTRAL_API_KEY"):
        resolve_judge("mistral", load_settings(None))
    with pytest.raises(UsageError, match="offline"):
        resolve_judge("offline", load_settings(None))


def test_a_panel_has_each_member_once(reached: Reached) -> None:
    reached("groq")
    reached("mistral")
    assert [name for name, _ in names("groq:a+mistral:b+groq:c")] == ["groq:a", "mistral:b", "groq:c"]
    with pytest.raises(UsageError, match="twice"):
        resolve_judge("groq:a+groq:a", load_settings(None))


def test_the_fallback_that_is_set_judges_where_the_first_cannot(
    reached: Reached, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUDGE_TIER2_PROVIDER", "mistral")
    monkeypatch.setenv("JUDGE_TIER2_FALLBACK_PROVIDER", reached("groq"))
    monkeypatch.setenv("JUDGE_TIER2_FALLBACK_MODEL", "small")
    assert names(None) == [("groq:small", "the judge set by JUDGE_TIER2_FALLBACK_PROVIDER")]
    reached("mistral")
    monkeypatch.setenv("JUDGE_TIER2_MODEL", "large")
    assert names(None) == [("mistral:large", "the judge set by JUDGE_TIER2_PROVIDER")]


def test_auto_takes_the_runs_own_provider_when_nothing_is_set(
    reached: Reached, ollama: Callable[[bytes], None]
) -> None:
    system = System(engine="mas", provider=reached("groq"), model="worker")
    assert names("auto", system) == [("groq:worker", "the run's own provider")]
    baseline = System(engine="mas", provider="offline", has_language_model=False)
    assert names("auto", baseline) == []


def test_auto_takes_a_local_ollama_that_answers_last(ollama: Callable[[bytes], None]) -> None:
    ollama(json.dumps({"models": [{"name": "llama3:8b"}, {"name": "other"}]}).encode())
    assert names("auto") == [("ollama:llama3:8b", "the local Ollama that answers")]


@pytest.mark.parametrize("said", [b"", b"[]", b"{}", b'{"models": [{"name": 3}]}', b"\xff", b'{"models": []}'])
def test_an_ollama_that_answers_nonsense_is_no_judge(said: bytes, ollama: Callable[[bytes], None]) -> None:
    ollama(said)
    assert names("auto") == []


def test_auto_that_finds_nobody_says_what_it_tried(
    monkeypatch: pytest.MonkeyPatch, ollama: Callable[[bytes], None]
) -> None:
    monkeypatch.setenv("JUDGE_TIER2_PROVIDER", "auto")
    monkeypatch.setenv("JUDGE_TIER2_FALLBACK_PROVIDER", "mistral")
    absence = resolve_judge(None, load_settings(None)).judge_absence
    assert absence.startswith("no judge was found: the judge set by JUDGE_TIER2_FALLBACK_PROVIDER cannot be used: ")
    assert "MISTRAL_API_KEY" in absence
    assert absence.endswith("no local Ollama answers")


def test_only_this_machine_is_asked_for_an_ollama(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_BASE_URL", "http://203.0.113.7:11434")  # a documentation address: would take seconds
    assert names("auto") == []


def test_the_caller_as_judge_is_told_how(monkeypatch: pytest.MonkeyPatch) -> None:
    assert resolve_judge("caller", load_settings(None)).judge_absence == CALLER_IS_JUDGE
    monkeypatch.setenv("JUDGE_TIER2_PROVIDER", "caller")
    assert resolve_judge(None, load_settings(None)).judge_absence == CALLER_IS_JUDGE


def test_the_short_and_the_long_options_do_not_mix() -> None:
    assert judge_spec(None, "groq", None) == "groq"
    assert judge_spec("a+b", None, None) == "a+b"
    assert judge_spec(None, None, None) is None
    with pytest.raises(UsageError, match="short for"):
        judge_spec("groq", "groq", None)
    with pytest.raises(UsageError, match="--judge-provider"):
        judge_spec(None, None, "large")


def test_answers_and_certificates_of_a_data_root_that_is_not_trusted_do_not_count(reached: Reached) -> None:
    spec = f"{reached('groq')}:llama:8b"
    now = datetime.now(UTC)
    certificate = Certificate(judge=spec, rubric="r 1", labels="l", at=now, items=1, labelled=1, failures=0)
    file = certificate_file(DataRoot(path=load_settings(None).home), spec, "r 1")
    file.parent.mkdir(parents=True)
    write_document(file, "certificate", certificate)
    for trusted in (True, False):
        context = resolve_judge(spec, load_settings(None, environment={"AGENTS_EVAL_TRUST_HOME": str(trusted)}))
        assert bool(context.judges[0].certificates) is trusted
        assert (context.replies is not None) is trusted
