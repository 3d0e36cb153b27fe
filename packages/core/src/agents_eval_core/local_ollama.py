"""The Ollama of this machine: whether it answers, and what it has."""

import json
import os
from http.client import HTTPConnection, HTTPException
from typing import Any, Final
from urllib.parse import urlsplit

DEFAULT_URL: Final = "http://127.0.0.1:11434"
SECONDS: Final = 0.5
LARGEST_BYTES: Final = 2**20
LOCAL_HOSTS: Final = frozenset({"localhost", "127.0.0.1", "::1"})


def first_local_model() -> str | None:
    """Return the first model that the Ollama of this machine lists; None where none answers or it has none."""
    return next(iter(local_models() or ()), None)


def local_models() -> tuple[str, ...] | None:
    """Return the models that the Ollama of this machine lists; None where none answers.

    Only this machine is asked, under `OLLAMA_BASE_URL` or the usual port, and waited for half a second.
    """
    url = urlsplit(os.environ.get("OLLAMA_BASE_URL") or DEFAULT_URL)
    if url.scheme != "http" or url.hostname not in LOCAL_HOSTS:
        return None
    try:
        return _names(_listed(url.hostname, url.port or 11434))
    except (OSError, HTTPException, ValueError):
        return None


def _listed(host: str, port: int) -> Any:
    connection = HTTPConnection(host, port, timeout=SECONDS)
    try:
        connection.request("GET", "/api/tags")
        return json.loads(connection.getresponse().read(LARGEST_BYTES))
    finally:
        connection.close()


def _names(listed: Any) -> tuple[str, ...]:
    models = listed.get("models") if isinstance(listed, dict) else None  # pyright: ignore[reportUnknownMemberType,reportUnknownVariableType]  a foreign answer
    if not isinstance(models, list):
        return ()
    named = (each.get("name") for each in models if isinstance(each, dict))  # pyright: ignore[reportUnknownMemberType,reportUnknownVariableType]
    return tuple(name for name in named if isinstance(name, str) and name)  # pyright: ignore[reportUnknownVariableType]
