"""The tool `submit_judgement`."""

from typing import Annotated, Any

from mcp.server.mcpserver import Context
from mcp.types import ToolAnnotations
from pydantic import Field

from agents_eval_core.claude_code_sessions import is_pointer
from agents_eval_core.errors import UsageError
from agents_eval_mcp_server.replies import EvaluationReply, evaluation_reply
from agents_eval_mcp_server.session import Session, correctable
from agents_eval_mcp_server.sources import confined_source

ANNOTATIONS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
TITLE = "Hand in a judgement"
LEAST_TOKENS, USUAL_TOKENS, MOST_TOKENS = 1_000, 6_000, 48_000
JudgeTokens = Annotated[
    int,
    Field(
        ge=LEAST_TOKENS,
        le=MOST_TOKENS,
        description="with judge caller: how much of the run the caller reads, the same when it hands its verdict in",
    ),
]


async def submit_judgement(
    ctx: Context[Session],
    *,
    source: Annotated[str, Field(description="as it was given to evaluate_trace", max_length=500)],
    verdict: Annotated[
        dict[str, Any], Field(description="for each question's key an object of its answer_schema; quote word for word")
    ],
    judge_tokens: JudgeTokens = USUAL_TOKENS,
    declared: Annotated[str, Field(description="who you are, such as your model", max_length=100)] = "",
) -> EvaluationReply:
    """Hand in your judgement of a run, after evaluate_trace with judge caller asked for it.

    Quotations that do not occur in the material are dropped and counted. The scores are kept as given by the caller.
    You cannot judge your own session unless the user who started the server allows it.
    """
    from agents_eval_core.use_cases.judging_packet import accept_verdict  # noqa: PLC0415  start fast

    session = ctx.request_context.lifespan_context
    with correctable():
        refuse_own_session(source, session)
        with confined_source(source, None, session) as found:
            async with session.limit:
                done = await accept_verdict(
                    found.path,
                    verdict,
                    settings=session.root.settings,
                    declared=declared,
                    context_tokens=judge_tokens,
                    root=found.root,
                )
        return evaluation_reply(done, session.root, next_step="tell the user that the judge of tier 2 was you")


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
