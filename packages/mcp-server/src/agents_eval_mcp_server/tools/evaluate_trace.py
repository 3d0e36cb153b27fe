"""The tool `evaluate_trace`."""

import json
from typing import Annotated, Any, Final

from mcp.server.mcpserver import Context
from mcp.types import ToolAnnotations
from pydantic import Field

from agents_eval_core.case import Case
from agents_eval_core.claude_code_sessions import is_pointer
from agents_eval_core.errors import UsageError
from agents_eval_core.score import Tier
from agents_eval_mcp_server.evaluation_reply import EvaluationReply, evaluation_reply
from agents_eval_mcp_server.judging_reply import judging_reply
from agents_eval_mcp_server.session import Session
from agents_eval_mcp_server.sources import confined_source
from agents_eval_mcp_server.tools.submit_judgement import (
    USUAL_TOKENS,
    JudgeRubric,
    JudgeTokens,
    refuse_own_session,
    with_rubric,
)

ANNOTATIONS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
TITLE = "Evaluate a trace"
CALLER: Final = "caller"
LARGEST_CASE: Final = 4 * 2**20
MOST_REFERENCES: Final = 100


async def evaluate_trace(
    ctx: Context[Session],
    *,
    source: Annotated[
        str | None,
        Field(
            description="run id, run directory, trace file or session folder (relative to the root), or "
            "claude-code:latest where the server allows it",
            max_length=500,
        ),
    ] = None,
    trace_json: Annotated[
        dict[str, Any] | list[Any] | str | None,
        Field(description="the trace itself instead of source, in any known format; JSON, or text of JSON lines"),
    ] = None,
    trace_id: Annotated[str | None, Field(description="which trace of a file with several", max_length=500)] = None,
    tiers: Annotated[list[Tier] | None, Field(description="1 text, 2 judge, 3 behaviour; default all")] = None,
    references: Annotated[
        list[str] | None,
        Field(description="files with human reviews to hold the output against", max_length=MOST_REFERENCES),
    ] = None,
    case: Annotated[
        str | None,
        Field(description="YAML or JSON file with expected_calls and the like; then nothing is kept", max_length=500),
    ] = None,
    judge: Annotated[
        str | None,
        Field(
            description="provider:model, a panel a+b, auto, or caller: you judge; default is the user's setting",
            max_length=500,
        ),
    ] = None,
    rubric: JudgeRubric = None,
    judge_tokens: JudgeTokens = USUAL_TOKENS,
) -> EvaluationReply:
    """Score one recorded agent run, of any agent system: what came out, and how it was worked.

    Reads runs of Agents-eval, OpenTelemetry (OTLP JSON), Claude Code, chat messages and other formats, found by
    content. For a run of Agents-eval the new scorecard is written to its directory; of any other trace nothing is kept.
    Null scores say why they are missing; findings name the steps to look at with get_trace_steps. With judge caller the
    reply holds rubric and evidence: answer them with submit_judgement.
    """
    from agents_eval_core.use_cases.evaluate_trace import evaluate_loaded, load_run  # noqa: PLC0415  start fast
    from agents_eval_core.use_cases.judge_choice import resolve_judge  # noqa: PLC0415  start fast
    from agents_eval_core.use_cases.judging_packet import packet_about  # noqa: PLC0415  start fast

    session = ctx.request_context.lifespan_context
    if judge == CALLER:
        _refuse_unnamed(source, session)
    settings = with_rubric(rubric, session)
    with confined_source(source, _text(trace_json), session) as found:
        async with session.work():
            resolve_judge(judge, settings)  # one that cannot be used is said before anything is read
            loaded = await session.read(
                lambda: load_run(
                    found.path,
                    settings=settings,
                    trace_id=trace_id,
                    case=_case(case, references or [], session),
                    root=found.root,
                )
            )
            context = resolve_judge(judge, settings, loaded.run.system)
            done = await evaluate_loaded(loaded, settings=settings, context=context, tiers=tiers or None)
            asked = None
            if judge == CALLER:
                packet = await packet_about(loaded, settings=settings, context_tokens=judge_tokens)
                asked = judging_reply(packet, judge_tokens)
    next_step = _next_step(source, is_kept=done.directory is not None, is_asked=asked is not None)
    reply = evaluation_reply(done, session.root, next_step=next_step)
    return reply.model_copy(update={"self_invoked": is_pointer(source or ""), "judging": asked})


def _refuse_unnamed(source: str | None, session: Session) -> None:
    """Let only what a caller may judge, and can name again, through to a caller as the judge."""
    if source is None:
        raise UsageError(
            "judge caller needs a source that the verdict can name; put the trace into a file under the root"
        )
    refuse_own_session(source, session)


def _text(trace_json: dict[str, Any] | list[Any] | str | None) -> str | None:
    try:
        return trace_json if trace_json is None or isinstance(trace_json, str) else json.dumps(trace_json)
    except RecursionError:
        raise UsageError("trace_json nests too deep; put the trace into a file under the root") from None


def _case(case: str | None, references: list[str], session: Session) -> Case | None:
    from agents_eval_core.case_file import read_case  # noqa: PLC0415  as above
    from agents_eval_core.paper_files.human_reference import read_references  # noqa: PLC0415  as above

    stated = None if case is None else read_case(session.root.file(case, LARGEST_CASE))
    if not references:
        return stated
    read = read_references([session.root.file(reference) for reference in references])
    given = Case(id="given", task="peer_review", references=read)
    return given if stated is None else stated.changed(task="peer_review", references=read)


def _next_step(source: str | None, *, is_kept: bool, is_asked: bool) -> str:
    if is_asked:
        return "answer each question under judging by its answer_schema and hand the answers to submit_judgement"
    if is_kept:
        return "read the report among the files, or compare_runs this run with another of the same paper"
    if source is None:
        return "nothing was kept; put the trace into a file under the root to look at its steps with get_trace_steps"
    return "get_trace_steps of the same source shows the steps that the findings name; nothing was kept"
