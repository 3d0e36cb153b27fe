"""The server over HTTP: a token beyond loopback, Host and Origin checked, and the same answers."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from agents_eval_core.errors import UsageError
from agents_eval_mcp_server.session import Options
from agents_eval_mcp_server.transport import Address, serve_http

HELD = "a-token-of-sufficient-length"
MAIN = "from agents_eval_mcp_server.command import main; main()"


def free_port() -> int:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])


@contextmanager
def served(root: Path, token: str | None) -> Generator[str]:
    port = free_port()
    environment = {**os.environ, **({"AGENTS_EVAL_MCP_TOKEN": token} if token else {})}
    command = [sys.executable, "-c", MAIN, "--root", str(root), "--http", f"127.0.0.1:{port}"]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE) as process:
        try:
            for _ in range(300):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.1)
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            process.terminate()
            process.communicate(timeout=20)


async def test_only_the_holder_of_the_token_is_served_and_only_under_its_own_name(clean_place: Path) -> None:
    with served(clean_place, HELD) as url:
        async with httpx2.AsyncClient() as http:
            good = {"authorization": f"Bearer {HELD}", "accept": "application/json, text/event-stream"}
            assert (await http.post(url, json={})).status_code == 401
            assert (await http.post(url, json={}, headers={"authorization": "Bearer wrong"})).status_code == 401
            assert (await http.post(url, json={}, headers={**good, "host": "evil.example"})).status_code == 421
            assert (await http.post(url, json={}, headers={**good, "origin": "http://evil.example"})).status_code == 403
        async with httpx2.AsyncClient(headers={"authorization": f"Bearer {HELD}"}, timeout=60) as http:
            for mode in ("auto", "legacy"):
                async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
                    reply = await client.call_tool("list_metrics", {"tier": 3})
                    assert not reply.is_error


def test_without_a_token_only_this_machine_is_served(clean_place: Path) -> None:
    with pytest.raises(UsageError, match="AGENTS_EVAL_MCP_TOKEN"):
        serve_http(clean_place, Options(), Address.read("0.0.0.0:8000"), None)
    with pytest.raises(UsageError, match="at least 16"):
        serve_http(clean_place, Options(), Address.read("127.0.0.1:8000"), "short")


@pytest.mark.parametrize("text", ["", "host", "host:", "host:99999", "1.2.3.4:x"])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="HOST:PORT"):
        Address.read(text)
