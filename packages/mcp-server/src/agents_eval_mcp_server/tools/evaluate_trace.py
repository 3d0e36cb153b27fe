"""The tool `evaluate_trace`."""

from typing import Annotated, Final

from mcp.server.mcpserver import Context
from mcp.types import ToolAnnotations
from pydantic import Field

from agents_eval_core.errors import UsageError
from agents_eval_core.score import Tier
from agents_eval_core.use_cases import evaluate_trace as evaluating
from agents_eval_mcp_server.replies import EvaluationReply, evaluation_reply
from agents_eval_mcp_server.session import Session, correctable

ANNOTATIONS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
LARGEST_FILE_BYTES: Final = 256 * 1024 * 1024


async def evaluate_trace(
    source: Annotated[
        str, Field(description="run id, run directory or trace file; paths are relative to the root", max_length=500)
    ],
    ctx: Context[Session],
    tiers: Annotated[list[Tier] | None, Field(description="1 text, 2 judge, 3 behaviour; default all")] = None,
    case: Annotated[
        str | None, Field(description="YAML or JSON file with expected_calls and the like; then nothing is kept")
    ] = None,
) -> EvaluationReply:
    """Score one recorded agent run: a run of Agents-eval or an OpenTelemetry trace file (OTLP JSON).

    For a run of Agents-eval the new scorecard is written to its directory. Returns the scorecard in short; null scores
    say why they are missing.
    """
    session = ctx.request_context.lifespan_context
    with correctable():
        async with session.limit:
            done = await evaluating.evaluate_trace(
                _confined(source, session),
                settings=session.root.settings,
                tiers=tiers or None,
                case=session.root.inside(case) if case else None,
                root=session.root.path,
            )
        return evaluation_reply(done, session.root, next_step=_next_step(done.directory is not None))


def _confined(source: str, session: Session) -> str:
    """Return a run id as it is, anything that may be a path as a path inside the root."""
    if source.replace("-", "").isalnum() and not (session.root.path / source).exists():
        return source
    path = session.root.inside(source)
    if not path.exists():
        raise UsageError(f"{source!r} is neither a run nor a file under the root; run_review gives run ids")
    if path.is_file() and path.stat().st_size > LARGEST_FILE_BYTES:
        raise UsageError(
            f"{source!r} is larger than {LARGEST_FILE_BYTES // 2**20} MiB; evaluate it on the command line"
        )
    return str(path)


def _next_step(is_kept: bool) -> str:
    if is_kept:
        return "read the report among the files, or compare_runs this run with another of the same paper"
    return "nothing was kept; compare_runs needs runs made by run_review"
