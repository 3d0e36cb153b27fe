"""The tool `submit_judgement`."""

from typing import Annotated, Any, Final

from mcp.server.mcpserver import Context
from mcp.types import ToolAnnotations
from pydantic import Field

from agents_eval_core.claude_code_sessions import is_pointer
from agents_eval_core.errors import UsageError
from agents_eval_core.settings import Settings
from agents_eval_core.visible_text import visible
from agents_eval_mcp_server.evaluation_reply import EvaluationReply, evaluation_reply
from agents_eval_mcp_server.session import Session
from agents_eval_mcp_server.sources import confined_source

ANNOTATIONS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
TITLE = "Hand in a judgement"
LEAST_TOKENS, USUAL_TOKENS, MOST_TOKENS = 1_000, 6_000, 48_000
LARGEST_RUBRIC: Final = 64 * 2**10
JudgeTokens = Annotated[
    int,
    Field(
        ge=LEAST_TOKENS,
        le=MOST_TOKENS,
        description="with judge caller: how much of the run the caller reads, the same when it hands its verdict in",
    ),
]
JudgeRubric = Annotated[
    str | None,
    Field(
        description="what the output is judged by: a shipped rubric's name or a TOML file under the root; default is "
        "that of the task",
        max_length=500,
    ),
]


async def submit_judgement(
    ctx: Context[Session],
    *,
    source: Annotated[str, Field(description="as it was given to evaluate_trace", max_length=500)],
    verdict: Annotated[
        dict[str, Any], Field(description="for each question's key an object of its answer_schema; quote word for word")
    ],
    trace_id: Annotated[str | None, Field(description="as it was given to evaluate_trace", max_length=500)] = None,
    rubric: JudgeRubric = None,
    judge_tokens: JudgeTokens = USUAL_TOKENS,
    declared: Annotated[str, Field(description="who you are, such as your model", max_length=100)] = "",
) -> EvaluationReply:
    """Hand in your judgement of a run, after evaluate_trace with judge caller asked for it.

    Quotations that do not occur in the material are dropped and counted. The scores are kept as given by the caller.
    You cannot judge your own session unless the user who started the server allows it.
    """
    from agents_eval_core.use_cases.evaluate_trace import load_run  # noqa: PLC0415  start fast
    from agents_eval_core.use_cases.judging_packet import accept_about  # noqa: PLC0415  start fast

    session = ctx.request_context.lifespan_context
    refuse_own_session(source, session)
    settings = with_rubric(rubric, session)
    with confined_source(source, None, session) as found:
        async with session.work():
            loaded = await session.read(
                lambda: load_run(found.path, settings=settings, trace_id=trace_id, root=found.root)
            )
            done = await accept_about(
                loaded, verdict, settings=settings, declared=visible(declared), context_tokens=judge_tokens
            )
    return evaluation_reply(done, session.root, next_step="tell the user that the judge of tier 2 was you")


def with_rubric(rubric: str | None, session: Session) -> Settings:
    """Return the settings with a rubric that a client names: a shipped one, or a file under the root.

    Raises:
        UsageError: It names a file that may not be read.
    """
    settings = session.root.settings
    if rubric is None:
        return settings
    named = str(session.root.file(rubric, LARGEST_RUBRIC)) if rubric.endswith(".toml") else rubric
    return settings.changed(judge_rubric=named)


def refuse_own_session(source: str, session: Session) -> None:
    """Refuse that an agent judges itself, unless that is allowed.

    Raises:
        UsageError: It would.
    """
    if is_pointer(source) and not session.options.self_judgement:
        raise UsageError(
            f"{source!r} is a session of the agent that asks; it may judge itself only if the server was started with "
            "--self-judgement"
        )
