"""There is one way out: what opens connections is imported in one folder only."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

PACKAGES = Path(__file__).parents[2] / "packages"
WAYS_OUT: Final = frozenset(
    {
        "aiohttp",
        "ftplib",
        "http.client",
        "httpcore",
        "httpcore2",
        "httpx",
        "httpx2",
        "requests",
        "smtplib",
        "socket",
        "ssl",
        "urllib.request",
        "urllib3",
        "websockets",
        "xmlrpc.client",
    }
)
OUTGOING = "core/src/agents_eval_core/outgoing/"
# Viewers of traces and models are where the user says, mostly on this machine: no list of ours could name them.
TO_WHERE_THE_USER_SAYS = frozenset(
    {
        "agents/src/agents_eval_agents/publishing.py",
        "agents/src/agents_eval_agents/providers/connection.py",
        "agents/src/agents_eval_agents/providers/local_server.py",
        "agents/src/agents_eval_agents/providers/older_http.py",
        "agents/src/agents_eval_agents/providers/streamed_model.py",  # only names the errors of a broken connection
        "core/src/agents_eval_core/local_ollama.py",  # asks the user's own Ollama whether it is there
    }
)


def test_only_the_outgoing_client_opens_connections() -> None:
    found = {place: ways for place, ways in _ways_out() if not place.startswith(OUTGOING)}
    assert set(found) <= TO_WHERE_THE_USER_SAYS, f"send requests through agents_eval_core.outgoing: {found}"


def test_the_outgoing_client_is_seen_by_this_test() -> None:
    assert {"httpcore2", "socket"} <= {way for place, ways in _ways_out() if place.startswith(OUTGOING) for way in ways}


def test_the_policy_cannot_be_changed_from_outside() -> None:
    """No setting and no variable of the environment is read where it is decided what may be asked for."""
    for file in (PACKAGES / OUTGOING).glob("*.py"):
        names = {name for name, _ in _imports(file)}
        assert not names & {"os", "os.environ", "dotenv", "agents_eval_core.settings"}, file.name


def _ways_out() -> Iterator[tuple[str, set[str]]]:
    for file in PACKAGES.rglob("src/**/*.py"):
        ways = {name for name, both in _imports(file) if name in WAYS_OUT or both in WAYS_OUT}
        if ways:
            yield file.relative_to(PACKAGES).as_posix(), ways


def _imports(file: Path) -> Iterator[tuple[str, str]]:
    """Yield the modules that a file imports; for `from a import b`, also `a.b`."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.name if alias.name in WAYS_OUT else alias.name.split(".")[0]
                yield name, name
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                yield (
                    node.module if node.module in WAYS_OUT else node.module.split(".")[0],
                    f"{node.module}.{alias.name}",
                )
