"""One model, one question: the engine `direct`."""

from collections.abc import Callable

import pytest

from agents_eval_core import registry
from agents_eval_core.case import Case
from agents_eval_core.errors import UnknownNameError, UsageError
from agents_eval_core.ports.engine import EngineOptions, EngineResult
from scripted_server.server import ScriptedServer


async def directly(case: Case, **options: object) -> EngineResult:
    return await registry.engine("direct").run(case, EngineOptions(run_id="r1", **options))  # pyright: ignore[reportArgumentType]


async def test_it_works_without_a_language_model(a_case: Case, secrets: tuple[str, ...]) -> None:
    done = await directly(a_case)
    assert (done.run.status, done.run.problem) == ("complete", None)
    assert done.run.output is not None
    assert "SpectralCut" in done.run.output.summary
    assert (done.run.system.composition, done.run.system.tools_offered) == ("reviewer", ())
    assert done.run.system.has_language_model is False
    assert not [word for word in secrets if word.encode() in done.files["trace.otlp.jsonl"]]


@pytest.mark.parametrize("name", ["openai", "anthropic", "perplexity", "ollama"])
async def test_a_model_is_asked_once_with_the_whole_paper_and_no_tools(
    name: str, a_case: Case, scripted_server: ScriptedServer, reached: Callable[[str], str]
) -> None:
    done = await directly(a_case, provider=reached(name), model="scripted-1")
    (ask,) = scripted_server.asked
    assert done.run.status == "complete"
    assert done.run.output is not None
    assert r"\frac{a}{b} + \lambda \|W\|_{2}$ with {braces} kept" in ask.prompt
    assert "An appendix without a heading lists hyperparameters." in ask.prompt
    assert set(ask.tools) == (set() if name == "perplexity" else {"give_review"})
    assert done.run.trace is not None
    assert [span.operation for span in done.run.trace.spans].count("chat") == 1


async def test_what_it_cannot_do_is_refused(a_case: Case) -> None:
    with pytest.raises(UnknownNameError, match="no composition of engine 'direct' named 'full'"):
        await directly(a_case, composition="full")
    with pytest.raises(UsageError, match="nobody to criticise"):
        await directly(a_case, critic=True)
