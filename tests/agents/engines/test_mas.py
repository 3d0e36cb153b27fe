import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models import Model
from pydantic_ai.models.function import AgentInfo, FunctionModel

from agents_eval_agents.engines.active_runs import ActiveRuns
from agents_eval_agents.engines.mas import MasEngine
from agents_eval_agents.engines.recorded_work import Workplace
from agents_eval_agents.review_team.composition import Composition, composition_names
from agents_eval_core import registry
from agents_eval_core.case import Case
from agents_eval_core.errors import UsageError
from agents_eval_core.paper import Paper
from agents_eval_core.ports.engine import Engine, EngineOptions, Progress
from agents_eval_core.run import Run

TEAMS = [(name, critic) for name in composition_names() for critic in (False, True)]
FULL_WITH_CRITIC = EngineOptions(run_id="r1", composition="full", critic=True)
Provided = Callable[[Model | None, str | None], None]
FailingAt = Callable[[str, BaseException], Model]


def options(**given: object) -> EngineOptions:
    return EngineOptions(run_id="r1", **given)  # type: ignore[arg-type]  # test data


def agents_at_work(run: Run) -> list[str]:
    assert run.trace is not None
    return [agent.name for agent in run.trace.agents]


def test_the_engine_is_declared_and_offers_the_full_team_first() -> None:
    engine: Engine = registry.engine("mas")
    assert isinstance(engine, MasEngine)
    assert engine.compositions == composition_names()


@pytest.mark.parametrize(("composition", "critic"), TEAMS)
async def test_each_composition_reviews_with_exactly_its_agents(composition: str, critic: bool, a_case: Case) -> None:
    result = await MasEngine().run(a_case, options(composition=composition, critic=critic))
    run = result.run
    assert (run.status, run.problem, run.notes) == ("complete", None, ())
    declared = Composition.named(composition, critic=critic).agents
    assert run.system.agents == declared
    assert sorted(agents_at_work(run)) == sorted(declared)
    assert run.output is not None
    assert run.output.text


@pytest.mark.parametrize(("composition", "critic"), TEAMS)
async def test_every_anchor_is_in_the_paper(composition: str, critic: bool, a_case: Case) -> None:
    run = (await MasEngine().run(a_case, options(composition=composition, critic=critic))).run
    assert run.output is not None
    assert a_case.paper is not None
    anchors = {point.anchor for _, points in run.output.parts() for point in points if point.anchor}
    assert anchors
    assert [
        anchor for anchor in anchors if anchor not in ("Abstract", "Title") and anchor not in a_case.paper.text
    ] == []


@pytest.mark.parametrize(("composition", "critic"), TEAMS)
async def test_no_byte_of_the_trace_tells_of_the_references(
    composition: str, critic: bool, a_case: Case, secrets: tuple[str, ...]
) -> None:
    result = await MasEngine().run(a_case, options(composition=composition, critic=critic))
    record = b"".join(result.files.values())
    assert b"SpectralCut" in record
    assert [secret for secret in (*secrets, "rejected") if secret.encode() in record] == []


async def test_each_delegation_is_seen_in_the_trace_with_its_receiver(a_case: Case) -> None:
    run = (await MasEngine().run(a_case, FULL_WITH_CRITIC)).run
    assert run.trace is not None
    handed = [run.trace.agent_name(span.to_agent_id) for span in run.trace.spans if span.is_delegation]
    assert handed[:4] == ["researcher", "analyst", "synthesizer", "critic"]
    answers = [span.tool.result or "" for span in run.trace.spans if span.is_delegation and span.tool]
    assert '"objections"' in answers[3]


async def test_the_offline_baseline_uses_no_tokens_and_costs_nothing(a_case: Case) -> None:
    run = (await MasEngine().run(a_case, FULL_WITH_CRITIC)).run
    assert run.trace is not None
    used = [span.usage for span in run.trace.spans if span.usage is not None]
    assert [usage for usage in used if usage.input_tokens or usage.output_tokens or usage.cost_usd] == []
    assert (run.system.model, run.system.provider, run.system.has_language_model) == (
        "offline-baseline",
        "offline",
        False,
    )


async def test_the_same_paper_gets_the_same_review_twice(a_case: Case) -> None:
    first, second = [(await MasEngine().run(a_case, FULL_WITH_CRITIC)).run for _ in range(2)]
    assert first.output == second.output


async def test_a_run_keeps_the_case_and_says_what_did_the_work(a_case: Case) -> None:
    run = (await MasEngine().run(a_case, options(composition="manager+synthesizer+analyst"))).run
    assert run.case == a_case
    assert run.system.composition == "manager+analyst+synthesizer"
    assert run.system.tools_offered == ("paper_metadata", "list_sections", "read_section", "search_paper")
    assert set(run.system.versions) == {"agents-eval-agents", "pydantic-ai-slim"}
    assert run.system.prompts


async def test_what_will_do_the_work_is_known_before_it_is_done(a_case: Case) -> None:
    wanted = options(composition="manager+analyst", critic=True)
    assert MasEngine().system(wanted) == (await MasEngine().run(a_case, wanted)).run.system


async def test_progress_says_which_agent_does_what(a_case: Case) -> None:
    seen: list[Progress] = []
    await MasEngine().run(a_case, options(composition="full", on_progress=seen.append))
    assert Progress(agent="manager", action="asks the researcher") in seen
    assert Progress(agent="researcher", action="reads section 3 Experiments") in seen


async def test_two_runs_at_once_do_not_mix(a_case: Case, a_paper: Paper) -> None:
    other_paper = a_paper.changed(id="p2", title="Marmalade Economics", abstract="We study marmalade.", sections=())
    other = Case(id="p2", paper=other_paper)
    engine = MasEngine()
    results = await asyncio.gather(
        engine.run(a_case, EngineOptions(run_id="one")), engine.run(other, EngineOptions(run_id="two"))
    )
    first, second = [result.files["trace.otlp.jsonl"] for result in results]
    assert b"SpectralCut" in first
    assert b"armalade" not in first
    assert b"armalade" in second
    assert b"SpectralCut" not in second
    assert results[0].run.output == (await engine.run(a_case, EngineOptions(run_id="alone"))).run.output


async def test_only_a_first_and_lonely_run_claims_the_peak_memory(a_case: Case) -> None:
    engine = MasEngine(place=Workplace(active_runs=ActiveRuns()))
    first = (await engine.run(a_case, options())).run
    assert first.peak_memory_bytes is None or first.peak_memory_bytes > 1_000_000
    assert (await engine.run(a_case, options())).run.peak_memory_bytes is None


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        ("give_research", "researcher"),
        ("give_analysis", "analyst"),
        ("give_critique", "critic"),
    ],
)
async def test_the_run_goes_on_without_a_delegate_that_fails_and_says_so(
    answer: str, name: str, a_case: Case, provided: Provided, failing_at: FailingAt
) -> None:
    provided(failing_at(answer, ModelHTTPError(status_code=503, model_name="m", body="overloaded")), None)
    run = (await MasEngine().run(a_case, FULL_WITH_CRITIC)).run
    assert run.status == "complete"
    assert [f"the {name} failed" in note for note in run.notes] == [True]
    assert run.output is not None
    assert run.output.text
    assert run.trace is not None
    failed = [span for span in run.trace.spans if span.is_delegation and span.status == "error"]
    assert [run.trace.agent_name(span.to_agent_id) for span in failed] == [name]


async def test_a_manager_without_its_writer_writes_the_review_itself(a_case: Case, provided: Provided) -> None:
    def writer_is_ill(model: Model) -> Model:
        async def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
            if not info.function_tools and any(tool.name == "give_review" for tool in info.output_tools):
                raise ModelHTTPError(status_code=500, model_name="m")
            return await model.request(messages, None, info.model_request_parameters)

        return FunctionModel(answer)

    well = (await MasEngine().run(a_case, options())).run
    provided(writer_is_ill(registry.provider("offline").agent_model(None)), None)
    ill = (await MasEngine().run(a_case, options())).run
    assert ill.status == "complete"
    assert "the synthesizer failed" in ill.notes[0]
    assert ill.output == well.output


@pytest.mark.parametrize(
    ("status", "sentence"), [(401, "refused the key"), (404, "no such model"), (429, "rate limit"), (503, "HTTP 503")]
)
async def test_a_failing_model_is_a_failed_run_with_the_trace_so_far(
    status: int, sentence: str, a_case: Case, provided: Provided, failing_at: FailingAt
) -> None:
    provided(failing_at("give_review", ModelHTTPError(status_code=status, model_name="m")), None)
    result = await MasEngine().run(a_case, options(composition="manager"))
    assert result.run.status == "failed"
    assert result.run.output is None
    assert result.run.problem is not None
    assert sentence in result.run.problem.message
    assert agents_at_work(result.run) == ["manager"]
    assert result.files["trace.otlp.jsonl"]


async def test_a_model_that_never_answers_in_form_is_a_failed_run(a_case: Case, provided: Provided) -> None:
    provided(FunctionModel(lambda _, __: ModelResponse(parts=[TextPart("I refuse.")])), None)
    run = (await MasEngine().run(a_case, options())).run
    assert run.problem is not None
    assert (run.status, run.problem.error_type) == ("failed", "UnexpectedModelBehavior")


async def test_a_model_that_only_calls_tools_meets_the_limit(a_case: Case, provided: Provided) -> None:
    def restless(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        return ModelResponse(parts=[ToolCallPart("search_paper", {"query": f"pooling {len(messages)}"})])

    provided(FunctionModel(restless), None)
    run = (await MasEngine().run(a_case, options(composition="manager"))).run
    assert run.problem is not None
    assert (run.status, run.problem.error_type) == ("failed", "UsageLimitExceeded")
    assert "reached its limit" in run.problem.message


HOSTILE_CALLS = (
    ToolCallPart("read_section", r'{"section": "a\ud800\u0000b"}'),
    ToolCallPart("read_section", {"section": "a\0b"}),
    ToolCallPart("read_section", '{"section": ' + "9" * 5000 + "}"),
    ToolCallPart("search_paper", {"query": "../../references", "limit": -(10**30)}),
    ToolCallPart("read_section", {"section": {"$ref": "#"}}),
    ToolCallPart("read_section", "no JSON"),
    ToolCallPart("read_references", {}),
)


@pytest.mark.parametrize("call", HOSTILE_CALLS, ids=range(len(HOSTILE_CALLS)))
async def test_a_hostile_tool_call_does_not_end_the_run(
    call: ToolCallPart, a_case: Case, provided: Provided, secrets: tuple[str, ...]
) -> None:
    def hostile(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        good = ToolCallPart("give_review", {"summary": "A review all the same."})
        return ModelResponse(parts=[call if len(messages) == 1 else good])

    provided(FunctionModel(hostile), None)
    result = await MasEngine().run(a_case, options(composition="manager"))
    assert (result.run.status, result.run.problem) == ("complete", None)
    assert [secret for secret in secrets if secret.encode() in result.files["trace.otlp.jsonl"]] == []


async def test_a_cancelled_run_is_interrupted_and_keeps_the_trace_so_far(a_case: Case, provided: Provided) -> None:
    waiting = asyncio.Event()

    async def hang(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        if any(tool.name.startswith("delegate_to_") for tool in info.function_tools):
            return ModelResponse(parts=[ToolCallPart("delegate_to_researcher", {"task": "t"})])
        waiting.set()
        await asyncio.Event().wait()
        raise AssertionError

    provided(FunctionModel(hang), None)
    work = asyncio.ensure_future(MasEngine().run(a_case, options()))
    await waiting.wait()
    work.cancel()
    run = (await work).run
    assert run.status == "interrupted"
    assert run.notes == ()
    assert agents_at_work(run) == ["manager", "researcher"]


async def test_unknown_names_are_refused_before_any_work(a_case: Case, tmp_path: Path) -> None:
    for wrong in (options(composition="manger"), options(provider="oflline"), options(prompts_dir=tmp_path / "none")):
        with pytest.raises(UsageError):
            await MasEngine().run(a_case, wrong)
    with pytest.raises(UsageError, match="offline-baseline"):
        await MasEngine().run(a_case, options(model="gpt-4o"))


async def test_a_provider_that_is_not_to_be_had_is_refused_with_the_reason(a_case: Case, provided: Provided) -> None:
    provided(None, "OPENAI_API_KEY is not set")
    with pytest.raises(UsageError, match="OPENAI_API_KEY is not set"):
        await MasEngine().run(a_case, options())


async def test_a_case_without_a_paper_or_text_is_refused(a_case: Case) -> None:
    with pytest.raises(UsageError, match="has no paper"):
        await MasEngine().run(Case(id="x"), options())
    empty = Case(id="x", paper=Paper(id="x", dataset="d", title=" "))
    with pytest.raises(UsageError, match="has no text"):
        await MasEngine().run(empty, options())


async def test_the_users_wish_stands_beside_the_task(a_case: Case) -> None:
    result = await MasEngine().run(a_case, options(query="Mind the zephyr statistics."))
    record = result.files["trace.otlp.jsonl"]
    assert b"Mind the zephyr statistics." in record
    assert b"Review the paper below" in record


async def test_a_paper_of_strange_characters_is_reviewed(a_paper: Paper) -> None:
    strange = a_paper.changed(title="A\ud800\0 title {x}", abstract="We propose \ud835 things.")
    run = (await MasEngine().run(Case(id="x", paper=strange), options())).run
    assert run.status == "complete", run.problem
