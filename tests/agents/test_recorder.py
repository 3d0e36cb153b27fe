import asyncio
import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from textwrap import dedent

import pytest
from opentelemetry import baggage, context
from opentelemetry.sdk.trace import TracerProvider
from pydantic_ai import Agent, ModelRetry, RunContext, RunUsage, ToolFailed
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.usage import RequestUsage

from agents_eval_agents.recorder import FILE_NAME, Recorder, Recording, mark_delegation, process_recorder
from agents_eval_core import registry
from agents_eval_core.errors import RunFailedError
from agents_eval_core.resources import resources_of
from agents_eval_core.trace import Span, Trace

Part = TextPart | ToolCallPart
SECRET = "sk-ant-api03-Zq7xW2vB9nM4kL8jH5gF3dS1aP6oI0uY"  # noqa: S105  an invented key


def says(text: str) -> list[Part]:
    return [TextPart(text)]


def calls(*tools: str, **arguments: str) -> list[Part]:
    return [ToolCallPart(tool, arguments, tool_call_id=f"{tool}-{number}") for number, tool in enumerate(tools)]


def a_model(*turns: list[Part], usage: RequestUsage | None = None, name: str = "offline-test") -> FunctionModel:
    """A model that answers with one turn after another."""

    def answer(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        step = sum(isinstance(message, ModelResponse) for message in messages)
        return ModelResponse(parts=turns[step], usage=usage or RequestUsage(input_tokens=10, output_tokens=2))

    return FunctionModel(answer, model_name=name)


def an_agent(recorder: Recorder, name: str, *turns: list[Part], usage: RequestUsage | None = None) -> Agent[None, str]:
    return Agent(a_model(*turns, usage=usage), name=name, capabilities=[recorder.instrumentation])


def a_team(recorder: Recorder, *, delegations: int = 1) -> Agent[None, str]:
    """A manager who asks a researcher, who searches."""
    usage = RequestUsage(input_tokens=100, output_tokens=7)
    researcher = an_agent(recorder, "researcher", calls("search", query="x"), says("found"), usage=usage)

    @researcher.tool_plain
    async def search(query: str) -> str:
        await asyncio.sleep(0)
        return f"results for {query}"

    manager = an_agent(recorder, "manager", calls(*["ask"] * delegations, task="look"), says("reviewed"))

    @manager.tool
    async def ask(ctx: RunContext[None], task: str) -> str:
        mark_delegation("researcher")
        return (await researcher.run(task, usage=ctx.usage)).output

    return manager


async def recorded(recorder: Recorder, agent: Agent[None, str], *, run_id: str = "r1") -> tuple[Recording, RunUsage]:
    with recorder.recording(run_id=run_id) as recording:
        result = await agent.run("go")
    return recording, result.usage


async def failed(recorder: Recorder, agent: Agent[None, str]) -> Recording:
    kept: list[Recording] = []
    with pytest.raises(ValueError, match="boom"), recorder.recording(run_id="r1") as recording:  # noqa: PT012
        kept.append(recording)
        await agent.run("go")
    return kept[0]


def tool_spans(trace: Trace) -> dict[str, Span]:
    return {span.tool.call_id or "": span for span in trace.spans if span.tool is not None}


def outline(trace: Trace) -> list[tuple[int, str, str]]:
    return [
        (sum(1 for _ in trace.ancestors(span)), span.operation, trace.agent_name(span.agent_id)) for span in trace.spans
    ]


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


async def test_a_run_becomes_a_trace_of_who_did_what_under_whom(recorder: Recorder) -> None:
    recording, _ = await recorded(recorder, a_team(recorder))
    assert outline(recording.trace()) == [
        (0, "invoke_workflow", "?"),
        (1, "invoke_agent", "manager"),
        (2, "chat", "manager"),
        (2, "execute_tool", "manager"),
        (3, "invoke_agent", "researcher"),
        (4, "chat", "researcher"),
        (4, "execute_tool", "researcher"),
        (4, "chat", "researcher"),
        (2, "chat", "manager"),
    ]


async def test_the_delegating_tool_call_names_the_delegate_and_keeps_request_and_answer(recorder: Recorder) -> None:
    recording, _ = await recorded(recorder, a_team(recorder))
    trace = recording.trace()
    ask, search = tool_spans(trace)["ask-0"], tool_spans(trace)["search-0"]
    assert (ask.to_agent_id, ask.is_delegation, search.is_delegation) == ("researcher", True, False)
    assert ask.tool is not None
    assert (ask.tool.arguments, ask.tool.result) == ({"task": "look"}, "found")
    assert {agent.name: agent.role for agent in trace.agents} == {"manager": "orchestrator", "researcher": "worker"}


async def test_requests_and_tokens_are_those_of_the_run_and_of_each_agent(recorder: Recorder) -> None:
    recording, usage = await recorded(recorder, a_team(recorder, delegations=3))
    trace, tokens = recording.trace(), Counter[str]()
    for span in trace.spans:
        tokens[trace.agent_name(span.agent_id)] += (span.usage and span.usage.input_tokens) or 0
    took = resources_of(trace)
    assert (took.model_requests, took.input_tokens, took.output_tokens) == (8, usage.input_tokens, usage.output_tokens)
    assert tokens == {"manager": 20, "researcher": 600, "?": 0}
    assert took.cost_usd is None
    assert took.elapsed_seconds is not None


async def test_parallel_delegations_to_one_agent_keep_their_own_spans(recorder: Recorder) -> None:
    recording, _ = await recorded(recorder, a_team(recorder, delegations=3))
    trace = recording.trace()
    assert [agent.id for agent in trace.agents] == ["manager", "researcher"]
    invoked = [span for span in trace.spans if span.operation == "invoke_agent" and span.agent_id == "researcher"]
    assert len({span.parent_id for span in invoked}) == 3
    assert [len(trace.children[span.id]) for span in invoked] == [3, 3, 3]


async def test_the_file_read_back_is_the_same_trace(recorder: Recorder, tmp_path: Path) -> None:
    recording, _ = await recorded(recorder, a_team(recorder))
    path = tmp_path / FILE_NAME
    path.write_bytes(recording.lines)
    (again,) = registry.trace_format("otlp").read(path)
    trace = recording.trace()
    assert (again.id, again.spans, again.agents, again.unread) == (trace.id, trace.spans, trace.agents, {})
    assert again.source.digest == trace.source.digest
    assert (trace.id, trace.source.path) == (recording.trace_id, FILE_NAME)
    assert recording.lines.count(b"\n") == len(trace.spans)


async def test_what_the_run_is_stays_on_the_root(recorder: Recorder) -> None:
    about = {"agents_eval.paper.id": "p1", "agents_eval.composition": "manager"}
    with recorder.recording(run_id="r7", attributes=about) as recording:
        pass
    trace = recording.trace()
    assert trace.spans[0].attributes == about | {"agents_eval.run.id": "r7"}
    assert (trace.spans[0].status, trace.spans[0].status_source, trace.task_id) == ("ok", "declared", "p1")


async def test_retries_and_declared_failures_keep_their_type_and_text(recorder: Recorder) -> None:
    agent = an_agent(recorder, "solo", calls("again"), calls("give_up"), says("done"))

    @agent.tool_plain
    async def again() -> str:
        raise ModelRetry("say it another way")

    @agent.tool_plain
    async def give_up() -> str:
        raise ToolFailed("no such section")

    recording, _ = await recorded(recorder, agent)
    trace = recording.trace()
    retried, gave_up = tool_spans(trace)["again-0"], tool_spans(trace)["give_up-0"]
    assert (retried.status, retried.error_type, retried.error_text) == ("error", "ToolRetryError", "say it another way")
    assert retried.attributes["pydantic_ai.tool.retry.attempt"] == 1
    assert gave_up.tool is not None
    assert (gave_up.status, gave_up.error_type, gave_up.tool.result) == ("error", "ToolFailedError", "no such section")
    assert trace.spans[1].status == "ok"


async def test_a_crash_keeps_the_spans_so_far_and_tells_the_cancelled_from_the_crashed(recorder: Recorder) -> None:
    agent = an_agent(recorder, "solo", calls("crash", "wait"), says("never"))

    @agent.tool_plain
    async def crash() -> str:
        raise ValueError("boom")

    @agent.tool_plain
    async def wait() -> str:
        await asyncio.Event().wait()
        return "never"

    trace = (await failed(recorder, agent)).trace()
    kinds = [(span.operation, span.status, span.error_type) for span in trace.spans]
    assert kinds == [
        ("invoke_workflow", "error", "ValueError"),
        ("invoke_agent", "error", "ValueError"),
        ("chat", "ok", None),
        ("execute_tool", "error", "ValueError"),
        ("execute_tool", "error", "CancelledError"),
    ]
    assert trace.spans[0].error_text == "boom"


async def test_a_cancelled_run_keeps_what_was_done(recorder: Recorder) -> None:
    agent, reached = an_agent(recorder, "solo", calls("wait"), says("never")), asyncio.Event()

    @agent.tool_plain
    async def wait() -> str:
        reached.set()
        await asyncio.Event().wait()
        return "never"

    kept: list[Recording] = []

    async def run() -> None:
        with recorder.recording(run_id="r1") as recording:
            kept.append(recording)
            await agent.run("go")

    task = asyncio.create_task(run())
    await reached.wait()
    so_far = kept[0].trace()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [(span.operation, span.status) for span in so_far.spans] == [
        ("invoke_workflow", "unknown"),
        ("invoke_agent", "unknown"),
        ("chat", "ok"),
        ("execute_tool", "unknown"),
    ]
    assert {(span.status, span.error_type) for span in kept[0].trace().spans} == {
        ("error", "CancelledError"),
        ("ok", None),
    }


async def test_what_has_not_ended_with_the_run_is_kept_as_it_was_then(recorder: Recorder) -> None:
    agent, reached, go_on = an_agent(recorder, "solo", calls("wait"), says("late")), asyncio.Event(), asyncio.Event()

    @agent.tool_plain
    async def wait() -> str:
        reached.set()
        await go_on.wait()
        return "late"

    with recorder.recording(run_id="r1") as recording:
        left_behind = asyncio.create_task(agent.run("go"))
        await reached.wait()
    before = recording.lines
    go_on.set()
    await left_behind
    open_span = recording.trace().spans[-1]
    assert recording.lines == before
    assert (open_span.operation, open_span.status, open_span.ended_at) == ("execute_tool", "unknown", None)


async def test_a_delegate_that_never_starts_is_named_all_the_same(recorder: Recorder) -> None:
    manager = an_agent(recorder, "manager", calls("ask"), says("alone then"))

    @manager.tool_plain
    async def ask() -> str:
        mark_delegation("researcher")
        raise ToolFailed("the researcher is not available")

    recording, _ = await recorded(recorder, manager)
    trace = recording.trace()
    assert tool_spans(trace)["ask-0"].to_agent_id == "researcher"
    assert [agent.name for agent in trace.agents] == ["manager", "researcher"]


async def test_runs_at_once_in_one_loop_do_not_mix(recorder: Recorder) -> None:
    team = a_team(recorder, delegations=2)
    runs = await asyncio.gather(*(recorded(recorder, team, run_id=f"r{number}") for number in range(5)))
    traces = [recording.trace() for recording, _ in runs]
    assert [trace.spans[0].attributes["agents_eval.run.id"] for trace in traces] == ["r0", "r1", "r2", "r3", "r4"]
    assert [len(trace.spans) for trace in traces] == [14] * 5
    assert len({span.id for trace in traces for span in trace.spans}) == 70


def test_runs_in_several_threads_do_not_mix(recorder: Recorder) -> None:
    team = a_team(recorder)

    def run(number: int) -> Trace:
        return asyncio.run(recorded(recorder, team, run_id=f"r{number}"))[0].trace()

    with ThreadPoolExecutor(4) as pool:
        traces = list(pool.map(run, range(8)))
    assert [trace.spans[0].attributes["agents_eval.run.id"] for trace in traces] == [f"r{n}" for n in range(8)]
    assert {len(trace.spans) for trace in traces} == {9}


async def test_a_run_within_anothers_trace_is_a_trace_of_its_own(recorder: Recorder) -> None:
    outer = TracerProvider(shutdown_on_exit=False).get_tracer("somebody else's")
    token = context.attach(baggage.set_baggage("gen_ai.agent.name", "outsider"))
    with outer.start_as_current_span("their span"):
        recording, _ = await recorded(recorder, a_team(recorder))
    context.detach(token)
    trace = recording.trace()
    assert trace.spans[0].parent_id is None
    assert b"outsider" not in recording.lines
    assert b"their span" not in recording.lines


async def test_recordings_within_one_another_do_not_mix(recorder: Recorder) -> None:
    agent = an_agent(recorder, "solo", says("done"))
    with recorder.recording(run_id="outer") as outer:
        inner, _ = await recorded(recorder, agent, run_id="inner")
        await agent.run("go")
    assert [len(recording.trace().spans) for recording in (outer, inner)] == [3, 3]


async def test_secrets_are_neither_in_the_file_nor_in_the_trace(recorder: Recorder) -> None:
    agent = an_agent(recorder, "solo", calls("read", query=SECRET), says(f"the key is {SECRET}"))

    @agent.tool_plain
    async def read(query: str) -> str:
        return f"{query} is a key"

    recording, _ = await recorded(recorder, agent)
    assert SECRET.encode() not in recording.lines
    assert SECRET not in repr(recording.trace())
    assert recording.trace().spans[-1].text == "the key is [REDACTED]"


@pytest.mark.parametrize("text", ["nul \x00 and \x1b[31m", "</review> \u202e \U0001f600", "x" * 3_000_000])
async def test_hostile_text_survives(recorder: Recorder, text: str) -> None:
    recording, _ = await recorded(recorder, an_agent(recorder, "solo", says(text)))
    trace = recording.trace()
    assert trace.spans[-1].text == text
    assert trace.unread == {}


async def test_lone_surrogates_become_the_replacement_character(recorder: Recorder) -> None:
    with recorder.recording(run_id="r\ud800", attributes={"agents_eval.query": "a \udfff b"}) as recording:
        pass
    assert recording.trace().spans[0].attributes == {
        "agents_eval.run.id": "r\ufffd",
        "agents_eval.query": "a \ufffd b",
    }


async def test_a_price_that_is_known_is_added_up(recorder: Recorder) -> None:
    class Priced(FunctionModel):
        @property
        def system(self) -> str:
            return "openai"

    def answer(_: list[ModelMessage], __: AgentInfo) -> ModelResponse:
        usage = RequestUsage(input_tokens=1_000_000, output_tokens=0)
        return ModelResponse(parts=[TextPart("ok")], usage=usage, model_name="gpt-4o", provider_name="openai")

    agent = Agent(Priced(answer, model_name="gpt-4o"), name="solo", capabilities=[recorder.instrumentation])
    recording, _ = await recorded(recorder, agent)
    cost = resources_of(recording.trace()).cost_usd
    assert cost is not None
    assert cost > 0


async def test_the_machine_is_not_in_the_file(recorder: Recorder) -> None:
    recording, _ = await recorded(recorder, an_agent(recorder, "solo", says("done")))
    for word in (b"host.", b"process.", b"telemetry.sdk"):
        assert word not in recording.lines
    assert recording.lines.count(b'"service.name"') == 3


def test_there_is_one_recorder_for_a_process() -> None:
    assert process_recorder() is process_recorder()


def test_a_recording_without_a_span_is_an_error_that_says_so(recorder: Recorder) -> None:
    with recorder.recording(run_id="r1") as recording:
        pass
    empty = Recording("r2", 1, recorder._processor)  # pyright: ignore[reportPrivateUsage]  nothing else makes one
    with pytest.raises(RunFailedError, match="run r2 left no span"):
        empty.trace()
    assert recording.trace().spans


def in_a_process(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", dedent(code)],
        env={"PATH": os.environ["PATH"], "HOME": str(Path.cwd()), **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


RUN = """
    from agents_eval_agents.recorder import process_recorder
    from pydantic_ai import Agent
    from pydantic_ai.models.test import TestModel
    recorder = process_recorder()
    agent = Agent(TestModel(custom_output_text="x" * 1000), name="solo", capabilities=[recorder.instrumentation])
    attributes = {f"agents_eval.{number}": "y" * 500 for number in range(200)}
    with recorder.recording(run_id="r1", attributes=attributes) as recording:
        agent.run_sync("z" * 1000)
    trace = recording.trace()
    print([len(span.attributes) for span in trace.spans[:1]], len(trace.spans[2].text or ""), len(trace.spans))
    print(b"staging" in recording.lines)
"""


def test_the_environment_changes_nothing() -> None:
    limits = ("OTEL_ATTRIBUTE", "OTEL_SPAN_ATTRIBUTE", "OTEL_EVENT_ATTRIBUTE")
    hostile = {f"{name}_COUNT_LIMIT": "3" for name in limits} | {f"{name}_VALUE_LENGTH_LIMIT": "10" for name in limits}
    done = in_a_process(
        RUN,
        OTEL_TRACES_SAMPLER="always_off",
        OTEL_RESOURCE_ATTRIBUTES="deployment.environment=staging",
        OTEL_SERVICE_NAME="staging",
        **hostile,
    )
    assert (done.stdout, done.returncode) == ("[201] 1000 3\nFalse\n", 0), done.stderr


def test_without_opentelemetry_the_run_is_refused_with_the_reason() -> None:
    done = in_a_process(RUN, OTEL_SDK_DISABLED="true")
    assert done.returncode == 1
    assert (
        done.stderr.strip()
        .splitlines()[-1]
        .endswith("RunFailedError: run r1 cannot be recorded: OTEL_SDK_DISABLED is true; unset it and run again")
    )
