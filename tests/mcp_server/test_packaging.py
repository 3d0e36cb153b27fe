"""What others install the server with agrees with the code: commands, versions, names, paths."""

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

Connect = Callable[..., AbstractAsyncContextManager[Client]]
ROOT = Path(__file__).parents[2]
PLUGIN = ROOT / "plugins" / "agents-eval"
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "packages" / "mcp-server" / "pyproject.toml").read_text())["project"]
OPTIONS = {"--root", "--http", "--allowed-host", "--claude-code-sessions", "--self-judgement"}
SKILLS = sorted(PLUGIN.glob("skills/*/SKILL.md"))
TOLD = (ROOT / "docs" / "guides" / "mcp.md", PLUGIN / "README.md", *SKILLS)


def read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text())


def test_the_registry_entry_names_the_package_its_version_and_its_owner_as_the_readme_does() -> None:
    entry = read(ROOT / "server.json")
    (package,) = entry["packages"]
    assert "/2025-12-11/" in entry["$schema"]
    assert package["identifier"] == PROJECT["name"]
    assert entry["version"] == package["version"] == PROJECT["version"]
    assert package["transport"] == {"type": "stdio"}
    assert {argument["name"] for argument in package["packageArguments"]} <= OPTIONS
    assert f"<!-- mcp-name: {entry['name']} -->" in (ROOT / "packages" / "mcp-server" / "README.md").read_text()
    assert len(entry["description"]) <= 100


@pytest.mark.parametrize("path", [ROOT / ".mcp.json", PLUGIN / ".mcp.json"], ids=["repository", "plugin"])
def test_the_servers_that_clients_start_are_there(path: Path) -> None:
    (server,) = read(path)["mcpServers"].values()
    words = server["args"]
    if server["command"] == "uvx":
        assert words[0] == f"{PROJECT['name']}@{PROJECT['version']}"
        assert PROJECT["name"] in PROJECT["scripts"]
    else:
        assert [server["command"], *words[:3]] == ["uv", "run", "agents-eval", "mcp"]
        assert "mcp" in PROJECT["entry-points"]["agents_eval.commands"]
    assert {word for word in words if word.startswith("--")} <= OPTIONS


def test_the_plug_in_has_the_version_of_the_server_and_two_skills() -> None:
    manifest = read(PLUGIN / ".claude-plugin" / "plugin.json")
    assert manifest["version"] == PROJECT["version"]
    assert [path.parent.name for path in SKILLS] == ["evaluate-your-work", "review-papers"]
    for path in SKILLS:
        head = re.match(r"---\nname: (.+)\ndescription: (.+)\n---\n", path.read_text())
        assert head is not None
        assert head[1] == path.parent.name
        assert 60 < len(head[2]) <= 1024


async def test_every_tool_that_is_told_of_is_there_and_the_guide_tells_of_all(connect: Connect) -> None:
    async with connect() as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    arguments = {name for tool in tools.values() for name in tool.input_schema["properties"]}
    fields = {name for tool in tools.values() for name in (tool.output_schema or {})["properties"]}
    for path in TOLD:
        named = {word for word in re.findall(r"`([a-z]+_[a-z_]+)`", path.read_text()) if word not in arguments | fields}
        assert named - {"looks_like_instructions"} <= set(tools), path
    assert set(tools) <= set(re.findall(r"`([a-z_]+)`", TOLD[0].read_text()))


@pytest.mark.parametrize("path", [ROOT / "README.md", TOLD[0]], ids=lambda path: path.name)
def test_the_commands_in_the_guides_have_the_options_of_the_server(path: Path) -> None:
    lines = [line for line in path.read_text().splitlines() if "agents-eval-mcp-server" in line and "--" in line]
    assert lines
    for line in lines:
        own = line.split("agents-eval-mcp-server", 1)[1]
        assert set(re.findall(r"--[a-z][a-z-]+", own)) <= OPTIONS, line
        versions = re.findall(r"agents-eval-mcp-server@([0-9.]+\d)", line)
        assert set(versions) <= {PROJECT["version"]}


def test_the_options_are_those_of_the_command() -> None:
    program = Path(sys.executable).with_name("agents-eval-mcp-server")
    told = subprocess.run([program, "--help"], check=True, capture_output=True, text=True).stdout
    assert set(re.findall(r"^  (--[a-z-]+)", told, re.MULTILINE)) == OPTIONS | {"--help"}
