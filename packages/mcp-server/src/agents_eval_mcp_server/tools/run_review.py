"""The tool `run_review`."""

from pathlib import Path
from typing import Annotated

from mcp.server.mcpserver import Context
from mcp.types import ToolAnnotations
from pydantic import Field

from agents_eval_core.errors import UsageError
from agents_eval_core.paper_files.own_paper import is_paper_file
from agents_eval_core.ports import Progress
from agents_eval_core.use_cases import run_review as reviewing
from agents_eval_mcp_server.replies import EvaluationReply, evaluation_reply
from agents_eval_mcp_server.root import Root
from agents_eval_mcp_server.session import Session, correctable, relayed

ANNOTATIONS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=True)


async def run_review(
    paper: Annotated[
        str,
        Field(
            description="id in the dataset, e.g. sparse-gates; or a paper's file, relative to the root", max_length=300
        ),
    ],
    ctx: Context[Session],
    *,
    dataset: Annotated[
        str | None, Field(description="sample (built in, the default) or peerread (the default with data_dir)")
    ] = None,
    data_dir: Annotated[str | None, Field(description="folder of the venues, relative to the root")] = None,
    composition: Annotated[str, Field(description="manager, manager+researcher, …, full")] = "full",
    provider: Annotated[str | None, Field(description="offline needs no key; default is the user's setting")] = None,
    model: Annotated[str | None, Field(description="default is the provider's")] = None,
    critic: Annotated[bool, Field(description="let a critic challenge the draft")] = False,
    query: Annotated[str, Field(description="what else the agents are asked", max_length=4000)] = "",
) -> EvaluationReply:
    """Let a team of agents review a scientific paper, and score the review and how the team worked.

    Writes a run directory under the server's root. The offline provider takes about a second; a language model minutes
    and money. Returns the scorecard in short; null scores say why they are missing.
    """
    session = ctx.request_context.lifespan_context
    with correctable():
        folder = session.root.inside(data_dir) if data_dir else None
        own = _own_file(paper, session.root) if dataset is None and folder is None else None
        async with session.limit, relayed(ctx) as tell:
            done = await reviewing.run_review(
                own or paper,
                settings=session.root.settings,
                dataset=None if own else dataset or ("peerread" if folder else "sample"),
                data_dir=folder,
                composition=composition,
                provider=provider,
                model=model,
                critic=critic,
                query=query,
                on_progress=lambda progress: tell(_line(progress)),
            )
        return evaluation_reply(
            done,
            session.root,
            next_step=f"compare_runs this run with another of the same paper; its id is {done.run.id}",
        )


def _own_file(paper: str, root: Root) -> Path | None:
    """Return the file of the root that a paper is, or None where it can only be an id."""
    if not is_paper_file(paper) and not (root.path / paper).is_file():
        return None
    path = root.inside(paper)
    if not path.is_file():
        raise UsageError(f"{paper!r} is not a file under the root; give a paper's file or an id of a dataset")
    return path


def _line(progress: Progress) -> str:
    return f"{progress.agent} {progress.action}".strip()
