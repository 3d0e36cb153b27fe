"""The Logfire projects that the user's own configuration names."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import logfire
import msgspec
from msgspec import Struct

from agents_eval_agents.recorder import SERVICE

CREDENTIALS: Final = "logfire_credentials.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class LogfireProject:
    """Where a project takes spans, and the token that allows it."""

    base_url: str
    token: str


class Credentials(Struct):
    """What `logfire projects use` leaves in `.logfire/`."""

    token: str
    logfire_api_url: str


@cache
def logfire_projects() -> tuple[LogfireProject, ...]:
    """Return the projects that spans are to be sent to; none without a token.

    Tokens and the server come from where logfire has them from: `LOGFIRE_TOKEN`, `LOGFIRE_BASE_URL`, `pyproject.toml`
    and `.logfire/` of the working directory. They are read once a process.

    Only the configuration is logfire's, and it is told to send nothing. So its scrubbing (which would rewrite tool
    arguments and results) and its host names never touch a span, and its check of the token, which can hold up the end
    of the process for ten seconds, does not take place.
    """
    configured = logfire.configure(
        local=True,
        send_to_logfire=False,
        console=False,
        metrics=False,
        scrubbing=False,
        inspect_arguments=False,
        add_baggage_to_attributes=False,
        distributed_tracing=True,
        service_name=SERVICE,
    )
    try:
        found = configured.config.token or ()
        tokens = (found,) if isinstance(found, str) else tuple(found)
        address = configured.config.advanced.generate_base_url
        projects = tuple(LogfireProject(base_url=address(token).rstrip("/"), token=token) for token in tokens)
        return projects or _of_the_folder(Path(configured.config.data_dir))
    finally:
        configured.shutdown(timeout_millis=0, flush=False)


def _of_the_folder(folder: Path) -> tuple[LogfireProject, ...]:
    path = folder / CREDENTIALS
    if not path.is_file():
        return ()
    kept = msgspec.json.decode(path.read_bytes(), type=Credentials)
    return (LogfireProject(base_url=kept.logfire_api_url.rstrip("/"), token=kept.token),)
