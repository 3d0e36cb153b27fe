"""What Claude Code is started with: its arguments, and the few variables it needs."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from agents_eval_agents.engines.claude_code.executable import Executable

NEEDED: Final = (
    "PATH",
    "HOME",
    "USER",
    "USERPROFILE",
    "LANG",
    "LC_ALL",
    "TZ",
    "TMPDIR",
    "SSL_CERT_FILE",
    "NODE_EXTRA_CA_CERTS",
)
NEEDED_FAMILIES: Final = (
    "ANTHROPIC_",
    "CLAUDE_CONFIG_DIR",
    "CLAUDE_CODE_USE_",
    "CLAUDE_CODE_OAUTH_",
    "AWS_",
    "GOOGLE_",
)
PROXIES: Final = frozenset({"http_proxy", "https_proxy", "no_proxy"})
QUIET: Final = {
    "DISABLE_TELEMETRY": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "DISABLE_AUTOUPDATER": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """How a review is asked for.

    Attributes:
        tools: The only tools on offer; none of them writes, runs commands or reaches the network.
        agents: The named agents that may be given work, as `--agents` takes them.
        variables: Further variables, such as experimental flags.
    """

    prompt: str
    session_id: str
    tools: Sequence[str]
    model: str | None = None
    cost_usd: float | None = None
    agents: Mapping[str, Mapping[str, object]] = field(default_factory=dict[str, Mapping[str, object]])
    variables: Mapping[str, str] = field(default_factory=dict[str, str])

    def command(self, executable: Executable) -> list[str]:
        """Return the arguments, the command first.

        Settings, hooks, servers and memory of the user and of projects are left out, so that every run starts alike.
        """
        command = [str(executable.path), "-p", self.prompt, "--output-format", "stream-json", "--verbose"]
        command += ["--session-id", self.session_id, "--setting-sources", "", "--strict-mcp-config"]
        command += ["--tools", ",".join(self.tools), "--allowedTools", ",".join(self.tools)]
        if self.model is not None:
            command += ["--model", self.model]
        if self.cost_usd is not None:
            command += ["--max-budget-usd", f"{self.cost_usd:g}"]
        if self.agents:
            command += ["--agents", json.dumps(self.agents)]
        return command

    def environment(self, given: Mapping[str, str] | None = None) -> dict[str, str]:
        """Return the variables of the process: what it needs to find itself and its account, and nothing else."""
        all_of_them = os.environ if given is None else given
        kept = {name: value for name, value in all_of_them.items() if _is_needed(name)}
        return {**kept, **QUIET, **self.variables}


def _is_needed(name: str) -> bool:
    return name in NEEDED or name.lower() in PROXIES or name.startswith(NEEDED_FAMILIES)
