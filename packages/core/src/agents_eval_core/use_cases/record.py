"""Record what another program does: it is given a place to send its OpenTelemetry spans to, and they are kept."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from agents_eval_core.errors import StorageError, UsageError
from agents_eval_core.otlp_endpoint import listening
from agents_eval_core.redaction import redact_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """What was recorded: how the program ended, and the file with its spans.

    Attributes:
        exit_code: Negative where a signal ended it, as in `subprocess`.
    """

    file: Path
    spans: int
    exit_code: int


def record(command: Sequence[str], out: Path, environment: Mapping[str, str] | None = None) -> Recording:
    """Run a program with `OTEL_EXPORTER_OTLP_ENDPOINT` set to a place on this machine, and keep the spans it sends.

    Standard input and output stay the program's own. Each export is a line of OTLP JSON, without secrets, written as it
    comes, so that nothing is lost when the program is killed.

    Raises:
        UsageError: The command is empty or cannot be started, or the file is there already.
        StorageError: The file cannot be written.
    """
    if not command:
        raise UsageError("there is no command to record; give one after '--', such as: record -- python my_agents.py")
    try:
        kept = out.open("xb")
    except FileExistsError:
        raise UsageError(f"{out} is there already; give another name with --out") from None
    except OSError as problem:
        raise StorageError(f"{out} cannot be written: {problem.strerror or problem}; give another place") from problem
    with kept, listening(lambda line: kept.write(redact_bytes(line)) and kept.flush()) as endpoint:
        variables = {**(os.environ if environment is None else environment), **_exporter(endpoint.url)}
        try:
            exit_code = subprocess.run(command, env=variables, check=False).returncode  # noqa: S603  the user's command
        except OSError as problem:
            raise UsageError(f"{command[0]!r} cannot be started: {problem.strerror or problem}") from problem
    return Recording(file=out, spans=endpoint.spans, exit_code=exit_code)


def _exporter(url: str) -> dict[str, str]:
    return {
        "OTEL_EXPORTER_OTLP_ENDPOINT": url,
        "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": f"{url}/v1/traces",
        "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf",
        "OTEL_TRACES_EXPORTER": "otlp",
    }
