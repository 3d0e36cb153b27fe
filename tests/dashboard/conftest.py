"""A data root with real runs and a sweep, the pages as Streamlit's harness draws them, and a browser with a server."""

import asyncio
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal, TypeAlias

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from streamlit.testing.v1 import AppTest

import agents_eval_dashboard
from agents_eval_core import registry
from agents_eval_core.case import Case
from agents_eval_core.data_root import DataRoot
from agents_eval_core.paper import Paper
from agents_eval_core.ports.trace_format import WritableFormat
from agents_eval_core.review import HumanReview, Point, Review
from agents_eval_core.run import Problem, Run, System
from agents_eval_core.run_list import RunFilter
from agents_eval_core.settings import load_settings
from agents_eval_core.store.run_directory import RunDirectory
from agents_eval_core.sweep import SweepPlan
from agents_eval_core.trace import Agent, Source, Span, ToolUse, Trace
from agents_eval_core.use_cases.evaluate_trace import evaluate_trace
from agents_eval_core.use_cases.reconciliation import reconcile
from agents_eval_core.use_cases.run_list import list_runs
from agents_eval_core.use_cases.run_review import run_review
from agents_eval_core.use_cases.sweep import begin_sweep
from agents_eval_dashboard.command import server_arguments, server_environment

APP = str(Path(agents_eval_dashboard.__file__).with_name("app.py"))
LIMIT_SECONDS = 60
QUIET_MILLISECONDS = 300  # longer than Streamlit's status takes to appear and to fade
QUIET = """milliseconds => {
  const app = document.querySelector("[data-testid=stApp]");
  const unfinished = "[data-testid=stStatusWidget], [data-testid=stSkeleton], [data-stale=true]";
  const isBusy = app?.dataset.testScriptState !== "notRunning" || document.querySelector(unfinished) !== null;
  const now = performance.now();
  if (isBusy) window.quietSince = undefined; else window.quietSince ??= now;
  return now - window.quietSince >= milliseconds;
}"""
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
Draw: TypeAlias = Callable[..., AppTest]


def awaited(work: Coroutine[Any, Any, object]) -> None:
    """Do work in a thread of its own: in that of the tests Playwright has an event loop open."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a data root with one review and a sweep of two systems on two papers; tests that change it copy it."""
    home = tmp_path_factory.mktemp("made") / "root"
    settings = load_settings(None, environment={}, options={"AGENTS_EVAL_HOME": home})
    plan = SweepPlan(
        name="night", dataset="sample", papers=2, compositions=("manager", "manager+researcher"), scheduler="asyncio"
    )
    awaited(run_review("dialect-tags", settings=settings, dataset="sample", composition="manager+researcher"))
    awaited(begin_sweep(plan, settings=settings))
    return home


@pytest.fixture
def home(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of that data root, which the pages work with."""
    copy = tmp_path / "root"
    shutil.copytree(made, copy)
    monkeypatch.setenv("AGENTS_EVAL_HOME", str(copy))
    return copy


REAL_PAPER = "neurips_2025/IF58Mgg63k"


@pytest.fixture(scope="session")
def real_root(peerread: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a data root with a sweep of one system on a paper of PeerRead."""
    home = tmp_path_factory.mktemp("real") / "root"
    settings = load_settings(None, environment={}, options={"AGENTS_EVAL_HOME": home, "AGENTS_EVAL_DATA_DIR": peerread})
    plan = SweepPlan(
        name="night", dataset="peerread", papers=(REAL_PAPER,), compositions=("manager",), scheduler="asyncio"
    )
    awaited(begin_sweep(plan, settings=settings))
    return home


@pytest.fixture
def draw() -> Draw:
    """Return a function that draws a page with what its address says."""

    def drawn(page: str, **parameters: str) -> AppTest:
        test = AppTest.from_file(APP, default_timeout=LIMIT_SECONDS)
        for name, value in parameters.items():
            test.query_params[name] = value
        test.switch_page(f"screens/{page}.py")
        return test.run()

    return drawn


@pytest.fixture(scope="module")  # while it is open no test of the same process can have an event loop
def browser() -> Iterator[Browser]:
    """Return the Chromium of this machine; without one its tests are skipped, and fail where CI runs them."""
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        said = "no Chromium on this machine; as root, 'apt-get install -y --no-install-recommends chromium' brings it"
        if os.environ.get("CI"):
            pytest.fail(said)
        pytest.skip(said)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., str]]:
    """Return a function that serves the dashboard of a data root on loopback and returns its address.

    Further settings are given by their names.
    """
    servers: dict[Path, tuple[str, subprocess.Popen[bytes]]] = {}

    def start(home: Path, **given: str) -> str:
        if home not in servers:
            variables = {"AGENTS_EVAL_HOME": str(home), **given}
            servers[home] = _server(variables, tmp_path_factory.mktemp("served"))
        return servers[home][0]

    yield start
    for _, process in servers.values():
        process.terminate()
        process.wait(20)


def _server(variables: Mapping[str, str], place: Path) -> tuple[str, "subprocess.Popen[bytes]"]:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = int(taken.getsockname()[1])
    kept = {
        name: value for name, value in server_environment().items() if not name.startswith(("AGENTS_EVAL_", "JUDGE_"))
    }
    with (place / "log").open("wb") as log:
        process = subprocess.Popen(server_arguments(port), cwd=place, env={**kept, **variables}, stdout=log, stderr=log)
    deadline = time.monotonic() + LIMIT_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return f"http://127.0.0.1:{port}", process
    raise AssertionError((place / "log").read_text())


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Return a function that opens a window; whatever it asked for outside of the server fails the test at the end."""
    asked: list[str] = []
    contexts: list[BrowserContext] = []

    def note(url: str) -> None:
        if not url.startswith(("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:", "file:")):
            asked.append(url)

    def opened(colours: Literal["light", "dark"] = "light") -> Page:
        context = browser.new_context(color_scheme=colours, viewport={"width": 1280, "height": 1000})
        contexts.append(context)
        context.set_default_timeout(30_000)
        context.on("request", lambda request: note(request.url))
        page = context.new_page()
        page.on("websocket", lambda socket: note(socket.url))
        return page

    yield opened
    for context in contexts:
        context.close()
    assert asked == []


@pytest.fixture(scope="session")
def settled() -> Callable[[Page], None]:
    """Return a function that waits until a page is drawn: its script is idle, nothing of it fades, and so it stays."""

    def wait(page: Page) -> None:
        page.locator("h1").first.wait_for()
        page.evaluate("window.quietSince = undefined")
        page.wait_for_function(QUIET, arg=QUIET_MILLISECONDS)

    return wait


@pytest.fixture(scope="session")
def addresses(made: Path) -> Mapping[str, str]:
    """Return the address of each page, with ids where it has any."""
    run = list_runs(DataRoot(path=made), RunFilter(having={"paper": "dialect-tags"})).records[0].id
    return {
        "home": "/",
        "review": "/review",
        "runs": "/runs",
        "run": f"/run?id={run}",
        "trace": f"/trace?id={run}",
        "graph": f"/graph?id={run}",
        "compare": "/compare?a=night:manager&b=night:manager%2Bresearcher",
        "sweeps": "/sweeps?name=night",
        "metrics": "/metrics",
        "settings": "/settings",
    }


HOSTILE = (
    "<script>window.struck = 1</script><img src=http://evil.example/a onerror='window.struck = 2'> "
    "![b](http://evil.example/b) [c](http://evil.example/c) http://evil.example/d www.evil.example you@evil.example "
    "<http://evil.example/e> :material/home: $x$"
)

SHORT = (
    "[c](http://evil.example/c)",
    "<img src=http://evil.example/a>",
    HOSTILE,
)  # where a text is cut these stay whole


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Return a data root with one evaluated run that has hostile words wherever words can be, and the run's id."""
    root = DataRoot(path=tmp_path_factory.mktemp("hostile") / "root")
    settings = load_settings(None, environment={}, options={"AGENTS_EVAL_HOME": root.path})
    run = _hostile_run()
    directory = RunDirectory.create(root.runs, run)
    writer = registry.trace_format("otlp")
    assert isinstance(writer, WritableFormat)
    assert run.trace is not None
    directory.finish(run, {"trace.otlp.jsonl": writer.write(run.trace)})
    reconcile(root)
    awaited(evaluate_trace(run.id, settings=settings))
    return root.path, run.id


def _hostile_run() -> Run:
    begun = datetime(2026, 5, 1, tzinfo=UTC)
    calls = tuple(
        Span(
            id=f"{number:016x}",
            seq=number,
            operation="execute_tool",
            name=HOSTILE,
            agent_id="m",
            status="error",
            error_type=HOSTILE,
            error_text=HOSTILE,
            started_at=begun,
            ended_at=begun + timedelta(seconds=number),
            tool=ToolUse(name=name, arguments={"text": HOSTILE}, result=HOSTILE),
        )
        for number, name in enumerate(SHORT, start=1)
    )
    point = (Point(text=HOSTILE, anchor=HOSTILE),)
    return Run(
        id="20260501T000000-0a1b2c3d",
        status="complete",
        case=Case(
            id="hostile",
            dataset="sample",
            paper=Paper(id=HOSTILE, dataset="sample", title=HOSTILE, abstract=HOSTILE, sections=()),
            references=(HumanReview(id=HOSTILE, text=HOSTILE),),
        ),
        system=System(engine="mas", composition=HOSTILE, model=HOSTILE, agents=(HOSTILE,)),
        trace=Trace(id="t", source=Source(format="otlp"), agents=(Agent(id="m", name=HOSTILE),), spans=calls),
        output=Review(summary=HOSTILE, strengths=point, weaknesses=point, questions=point, suggestions=point),
        notes=(HOSTILE,),
        problem=Problem(error_type=HOSTILE, message=HOSTILE),
        created_at=begun,
        finished_at=begun + timedelta(seconds=5),
    )
