"""A review of a real paper through each dialect, with a judge of the same provider: every tier is measured."""

from collections.abc import Callable
from pathlib import Path

import pytest

from agents_eval_core.settings import load_settings
from agents_eval_core.use_cases.run_review import run_review
from scripted_server.judge import judgements, judging
from scripted_server.server import ScriptedServer

DIALECTS = {
    "openai": "openai_responses",
    "anthropic": "anthropic",
    "google": "gemini",
    "ollama": "openai_chat",
    "openrouter": "openai_chat",
    "groq": "openai_chat",
    "mistral": "openai_chat",
    "huggingface": "openai_chat",
    "cohere": "cohere",
}
MODEL = "house/scripted-1"


@pytest.mark.parametrize("name", DIALECTS)
async def test_a_real_paper_is_reviewed_and_judged_through_every_dialect(
    name: str, scripted_server: ScriptedServer, reached: Callable[[str], str], peerread: Path, clean_place: Path
) -> None:
    scripted_server.script = judging()
    paper = min((peerread / "neurips_2025").glob("*/reviews/*.json")).stem
    done = await run_review(
        f"neurips_2025/{paper}",
        settings=load_settings(None, environment={}, options={"AGENTS_EVAL_HOME": clean_place / "home"}),
        data_dir=peerread,
        composition="full",
        provider=reached(name),
        model=MODEL,
        judge=f"{name}:{MODEL}",
    )
    assert (done.run.status, done.run.problem, done.run.notes) == ("complete", None, ())
    assert {ask.dialect for ask in scripted_server.asked} == {DIALECTS[name]}
    assert done.scorecard is not None
    assert done.scorecard.complete
    took = done.scorecard.resources
    assert took.model_requests == len(scripted_server.asked) - len(judgements(scripted_server.asked))
    assert took.input_tokens
    assert took.output_tokens
    assert took.cost_usd is None
    files = {file.name: file.read_text(encoding="utf-8") for file in done.files if file.suffix != ".db"}
    assert not [file for file, text in files.items() if "made-up-key-of-a-test" in text]
