"""What a provider costs beside PydanticAI: CPU a call, and memory over a hundred runs at once at a local server."""

import asyncio
import gc
import os
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "wire"))

from pydantic_ai.direct import model_request
from pydantic_ai.messages import ModelRequest, UserPromptPart
from pydantic_ai.models import Model

from agents_eval_agents.providers.patient_model import PatientModel
from agents_eval_agents.providers.taped_model import RecordingModel
from agents_eval_agents.providers.traffic import Traffic
from agents_eval_core import registry
from agents_eval_core.settings import load_settings
from agents_eval_core.use_cases.run_review import run_review
from scripted_server.exchange import Say, Script
from scripted_server.script import always, capable
from scripted_server.server import ScriptedServer

CALLS = 300
ROUNDS = 5
RUNS_AT_ONCE = 100
BATCHES = 3
LARGEST_MS = 1.0


async def cpu_of_calls(model: Model) -> float:
    """Return the CPU time of one call in milliseconds, the server's in the same process included."""
    question = [ModelRequest(parts=[UserPromptPart(content="Is it good?" * 200)])]
    before = time.process_time()
    for _ in range(CALLS):
        await model_request(model, question)
    return (time.process_time() - before) / CALLS * 1000


async def overhead(_server: ScriptedServer) -> None:
    bare = registry.provider("openai").agent_model("scripted-1")
    wrapped = PatientModel(bare, traffic=Traffic("openai"), at_once=8)
    ours = RecordingModel(wrapped, bare)
    differences: list[float] = []
    async with bare, ours:
        await cpu_of_calls(bare.wrapped)
        for _ in range(ROUNDS):
            own = await cpu_of_calls(bare.wrapped)
            differences.append(await cpu_of_calls(ours) - own)
            print(f"  PydanticAI's own {own:.2f} ms a call, ours {differences[-1]:+.2f} ms")
    median = statistics.median(differences)
    print(f"overhead of a provider call: {median:.2f} ms CPU (at most {LARGEST_MS:g})")
    if median > LARGEST_MS:
        raise SystemExit(1)


def resident_megabytes() -> float:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


async def many_runs(server: ScriptedServer, home: Path) -> None:
    settings = load_settings(
        None, environment={}, options={"AGENTS_EVAL_HOME": home, "AGENTS_EVAL_REQUESTS_AT_ONCE": 20}
    )

    def one() -> Awaitable[object]:
        return run_review(
            "alloy-cracks",
            dataset="sample",
            settings=settings,
            composition="manager",
            provider="openai",
            model="scripted-1",
            evaluate=False,
        )

    for batch in range(BATCHES):
        began = time.monotonic()
        done = await asyncio.gather(*(one() for _ in range(RUNS_AT_ONCE)))
        del done
        server.asked.clear()  # what the server remembers is not the runs' memory
        print(
            f"  batch {batch + 1}: {RUNS_AT_ONCE} runs at once in {time.monotonic() - began:.0f} s, "
            f"then {resident_megabytes():.0f} MB"
        )


def with_server(script: Script, work: Callable[[ScriptedServer], Coroutine[None, None, None]]) -> None:
    with ScriptedServer(script).running() as server:
        os.environ["OPENAI_BASE_URL"], os.environ["OPENAI_API_KEY"] = f"{server.url}/v1", "made-up"
        asyncio.run(work(server))


if __name__ == "__main__":
    with_server(always(Say(text="All is well.")), overhead)
    with TemporaryDirectory() as folder:
        with_server(capable, lambda server: many_runs(server, Path(folder)))
