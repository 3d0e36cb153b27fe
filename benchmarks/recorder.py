"""What recording costs beyond PydanticAI's own instrumentation: its CPU time as a share of one run.

A manager asks a delegate several times; each model call takes 50 ms, each prompt holds a paper. Measured is the CPU
time in the recorder's own code within that one run: filing spans, encoding and redacting them, reading the trace back.

    uv run python benchmarks/recorder.py
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable
from functools import wraps
from time import perf_counter, thread_time
from typing import Any

import pydantic_ai
from pydantic_ai import Agent, RunContext
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from agents_eval_agents.recorder import Recorder, Recording, SpansByTrace

MODEL_SECONDS = 0.05
DELEGATIONS = 4
SECTIONS = 3
PAPER = "The method is compared with three baselines on two datasets, and the ablation is in Table 3. " * 215
LIMIT = 0.01
NEWLINE = b"\n"
spent: defaultdict[str, float] = defaultdict(float)
pydantic_ai.BANNER_ENABLED = False


def timed(owner: type, name: str) -> None:
    """Add up the CPU time that a method takes."""
    method: Callable[..., Any] = getattr(owner, name)

    @wraps(method)
    def measured(*args: Any, **options: Any) -> Any:
        begun = thread_time()
        try:
            return method(*args, **options)
        finally:
            spent[f"{owner.__name__}.{name}"] += thread_time() - begun

    setattr(owner, name, measured)


def model(calls: int, tool: str) -> FunctionModel:
    """A model that calls a tool some times, then answers."""

    async def answer(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        await asyncio.sleep(MODEL_SECONDS)
        step = sum(isinstance(message, ModelResponse) for message in messages)
        part = ToolCallPart(tool, {"what": f"part {step}"}) if step < calls else TextPart("done " * 50)
        return ModelResponse(parts=[part])

    return FunctionModel(answer, model_name="offline-benchmark")


def team(recorder: Recorder) -> Agent[object, str]:
    """A manager and a reader."""
    reader = Agent(model(SECTIONS, "read"), name="reader", capabilities=[recorder.instrumentation])
    manager = Agent(model(DELEGATIONS, "ask"), name="manager", capabilities=[recorder.instrumentation])

    @reader.tool_plain
    async def read(what: str) -> str:
        return f"{what}: {PAPER[:3000]}"

    @manager.tool
    async def ask(ctx: RunContext[object], what: str) -> str:
        return (await reader.run(f"{what}\n{PAPER}", usage=ctx.usage)).output

    _ = read, ask
    return manager


async def run(recorder: Recorder, manager: Agent[object, str]) -> tuple[Recording, float]:
    """Record one run and return its recording and duration."""
    spent.clear()
    begun = perf_counter()
    with recorder.recording(run_id="benchmark") as recording:
        await manager.run(PAPER)
    recording.trace()
    return recording, perf_counter() - begun


async def main() -> None:
    """Run once to warm up, once to measure; print the parts and the share."""
    recorder = Recorder()
    manager = team(recorder)
    for name in ("on_start", "on_end"):
        timed(SpansByTrace, name)
    for name in ("close", "trace"):
        timed(Recording, name)
    await run(recorder, manager)
    recording, seconds = await run(recorder, manager)
    share = sum(spent.values()) / seconds
    print(f"{recording.lines.count(NEWLINE)} spans, {len(recording.lines) / 1e6:.2f} MB, a run of {seconds:.2f} s")
    for name, taken in spent.items():
        print(f"  {name:24} {taken * 1e3:7.2f} ms CPU")
    print(f"recorder: {share:.2%} of the run (limit {LIMIT:.0%}): {'met' if share <= LIMIT else 'MISSED'}")


if __name__ == "__main__":
    asyncio.run(main())
