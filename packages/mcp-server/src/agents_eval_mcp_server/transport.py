"""How clients reach the server: over stdio, or over HTTP with a token and with Host and Origin checked."""

import hmac
import sys
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from mcp.server.auth.provider import AccessToken, TokenVerifier
from mcp.server.auth.settings import AuthSettings
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import AnyHttpUrl

from agents_eval_core.errors import UsageError
from agents_eval_core.settings import load_settings
from agents_eval_mcp_server.root import Root, open_root
from agents_eval_mcp_server.server import build_server
from agents_eval_mcp_server.session import Options

SCOPE: Final = "evaluate"
SHORTEST_TOKEN: Final = 16
TOKEN_VARIABLE: Final = "AGENTS_EVAL_MCP_TOKEN"  # noqa: S105  the name of a variable


@dataclass(frozen=True, slots=True)
class Address:
    """Where the server listens."""

    host: str
    port: int

    @classmethod
    def read(cls, text: str) -> "Address":
        """Return the address that a user means by `HOST:PORT` or `PORT`.

        Raises:
            UsageError: It is none.

        >>> Address.read("8000"), Address.read("[::1]:80").host
        (Address(host='127.0.0.1', port=8000), '::1')
        """
        host, _, port = text.rpartition(":")
        if not port.isdecimal() or not 0 < int(port) < 2**16:
            raise UsageError(f"{text!r} is no address; give HOST:PORT, such as 127.0.0.1:8000")
        return cls(host=host.strip("[]") or "127.0.0.1", port=int(port))

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach it."""
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    @property
    def url(self) -> str:
        """The address of the MCP endpoint."""
        return f"http://{self.name}/mcp"

    @property
    def name(self) -> str:
        """Host and port as a `Host` header has them."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


class OneToken(TokenVerifier):
    """Lets in whoever has the token; handles are bound to it."""

    def __init__(self, token: str, resource: str) -> None:
        self._token = token.encode()
        self._resource = resource

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return what the holder may do, or None."""
        if not hmac.compare_digest(token.encode(), self._token):
            return None
        holder = sha256(self._token).hexdigest()[:16]
        return AccessToken(token=token, client_id=holder, scopes=[SCOPE], resource=self._resource)


def serve_stdio(root: Path, options: Options) -> None:
    """Serve a root over stdio until the client goes away."""
    server = build_server(users_root(root), options)
    reconfigure: Callable[..., None] | None = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(line_buffering=True)  # a stray print then lands on stderr, never on the wire
    server.run()


def serve_http(root: Path, options: Options, address: Address, token: str | None, hosts: tuple[str, ...] = ()) -> None:
    """Serve a root over streamable HTTP until the process ends.

    Args:
        root: The folder.
        options: What is allowed.
        address: Where to listen.
        token: What clients must send as bearer token; needed beyond loopback.
        hosts: Further names under which clients reach it (`eval.example.org:8000`).

    Raises:
        UsageError: It would be open to others without a token, or the token is too short.
    """
    _refuse_open(address, token)
    checked = TransportSecuritySettings(
        allowed_hosts=[address.name, *(() if not address.is_loopback else (f"localhost:{address.port}",)), *hosts],
        allowed_origins=[f"http://{address.name}", *(f"https://{host}" for host in hosts)],
    )
    auth = None
    if token is not None:
        url = AnyHttpUrl(address.url)
        auth = AuthSettings(
            issuer_url=url, resource_server_url=url, required_scopes=[SCOPE], validate_token_resource=True
        )
    server = build_server(
        users_root(root),
        options,
        auth=auth,
        token_verifier=None if token is None else OneToken(token, address.url),
    )
    server.run("streamable-http", host=address.host, port=address.port, transport_security=checked)


def users_root(root: Path) -> Root:
    """Return the root with the settings of the user who starts the server.

    They come from the environment and the user's own configuration, never from the root: what is evaluated may not
    configure its evaluation.
    """
    return open_root(root, load_settings(Path.home() / ".config" / "agents-eval"))


def _refuse_open(address: Address, token: str | None) -> None:
    if token is None and not address.is_loopback:
        raise UsageError(
            f"{address.name} can be reached from other machines, and no token is set; set {TOKEN_VARIABLE}, or listen "
            "on 127.0.0.1"
        )
    if token is not None and len(token) < SHORTEST_TOKEN:
        raise UsageError(f"{TOKEN_VARIABLE} has {len(token)} characters; a token needs at least {SHORTEST_TOKEN}")
