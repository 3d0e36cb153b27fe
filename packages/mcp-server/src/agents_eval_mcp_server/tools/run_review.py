"""The tool `run_review`."""

import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from mcp.server.mcpserver import Context
from mcp.types import ToolAnnotations
from pydantic import Field

from agents_eval_core.errors import UsageError
from agents_eval_core.ports.engine import Progress
from agents_eval_mcp_server.principal import principal
from agents_eval_mcp_server.review_reply import LONGEST_WAIT, ReviewReply, review_reply
from agents_eval_mcp_server.root import Root
from agents_eval_mcp_server.session import Session, relayed

if TYPE_CHECKING:
    from agents_eval_core.use_cases.evaluate_trace import EvaluatedRun

ANNOTATIONS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=True)
TITLE = "Review a paper"
SHORTEST_TEXT: Final = 200
REPLAY: Final = "replay"


async def run_review(
    ctx: Context[Session],
    *,
    paper: Annotated[
        str | None,
        Field(description="id in the dataset, e.g. sparse-gates; or a paper's file, relative to the root"),
    ] = None,
    text: Annotated[
        str | None,
        Field(description="a paper's text instead: its title as first line, Markdown headings", max_length=400_000),
    ] = None,
    dataset: Annotated[
        str | None, Field(description="sample (built in, the default) or peerread (the default with data_dir)")
    ] = None,
    data_dir: Annotated[str | None, Field(description="folder of the venues, relative to the root")] = None,
    engine: Annotated[
        str, Field(description="mas is a team of agents; direct one model call; cc-solo and cc-teams Claude Code")
    ] = "mas",
    composition: Annotated[
        str | None, Field(description="manager, manager+researcher, …, full; default is the engine's")
    ] = None,
    provider: Annotated[str | None, Field(description="offline needs no key; default is the user's setting")] = None,
    model: Annotated[str | None, Field(description="default is the provider's")] = None,
    judge: Annotated[str | None, Field(description="provider or provider:model; default is the user's setting")] = None,
    critic: Annotated[bool, Field(description="let a critic challenge the draft")] = False,
    query: Annotated[str, Field(description="what else the agents are asked", max_length=4000)] = "",
    wait_s: Annotated[
        float, Field(ge=0, le=LONGEST_WAIT, description="how long to wait for the end; then get_review goes on")
    ] = 50.0,
) -> ReviewReply:
    """Let agents review a scientific paper, and score the review and how the agents worked.

    Writes a run directory under the server's root. The offline provider takes about a second; a language model minutes
    and money. If it is not done after wait_s, the reply has status working and a review_id for get_review and
    cancel_review. Null scores say why they are missing.
    """
    session = ctx.request_context.lifespan_context
    request = _Request(
        paper=paper,
        text=text,
        dataset=dataset,
        folder=session.root.folder(data_dir) if data_dir else None,
        engine=engine,
        composition=composition,
        provider=provider,
        model=_confined(model, provider, session),
        judge=judge,
        critic=critic,
        query=query,
    )
    _refuse_unclear(request)
    review = session.reviews.begin(lambda say: _review(request, session, say), principal=principal())
    async with relayed(ctx) as tell:
        review.listeners.append(tell)
        try:
            await session.reviews.wait(review, wait_s)
        finally:
            review.listeners.remove(tell)
    if review.status == "failed" and review.done is None:
        raise UsageError(review.problem)
    return review_reply(review, session.root)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Request:
    paper: str | None
    text: str | None
    dataset: str | None
    folder: Path | None
    engine: str
    composition: str | None
    provider: str | None
    model: str | None
    judge: str | None
    critic: bool
    query: str

    @property
    def is_of_a_collection(self) -> bool:
        return self.dataset is not None or self.folder is not None


async def _review(request: _Request, session: Session, say: Callable[[str], None]) -> "EvaluatedRun":
    from agents_eval_core.use_cases import run_review as reviewing  # noqa: PLC0415  the server answers before it loads

    async with session.limit:
        with _own_paper(request, session.root) as own:
            return await reviewing.run_review(
                own or request.paper or "",
                settings=session.root.settings,
                dataset=None if own else request.dataset or ("peerread" if request.folder else "sample"),
                data_dir=request.folder,
                engine=request.engine,
                composition=request.composition,
                provider=request.provider,
                model=request.model,
                judge=request.judge,
                critic=request.critic,
                query=request.query,
                on_progress=lambda progress: say(_line(progress)),
            )


def _confined(model: str | None, provider: str | None, session: Session) -> str | None:
    """Return the model that is asked for; that of a replay is the directory of a run, which must be open to clients."""
    is_replay = (provider or session.root.settings.provider) == REPLAY
    return str(session.root.folder(model)) if model and is_replay else model


def _refuse_unclear(request: _Request) -> None:
    if (request.paper is None) == (request.text is None):
        raise UsageError("give either paper (an id or a file) or text (the paper itself), not both")
    if request.text is not None and len(request.text) < SHORTEST_TEXT:
        raise UsageError(f"text has {len(request.text)} characters; a paper needs {SHORTEST_TEXT}, or give its id")


@contextmanager
def _own_paper(request: _Request, root: Root) -> Generator[Path | None]:
    """Give the file that holds the paper, or None where it can only be an id."""
    from agents_eval_core.paper_files.own_paper import is_paper_file  # noqa: PLC0415  as above

    if request.text is not None:
        with tempfile.TemporaryDirectory(prefix="agents-eval-") as folder:
            path = Path(folder) / "paper.md"
            path.write_text(request.text, encoding="utf-8", errors="replace")
            yield path
        return
    paper = request.paper or ""
    if request.is_of_a_collection or not (is_paper_file(paper) or _is_file(paper, root)):
        yield None
        return
    yield root.file(paper)


def _is_file(paper: str, root: Root) -> bool:
    try:
        return root.inside(paper).is_file()
    except UsageError:
        return "/" in paper or "\\" in paper  # a path that may not be read, which is said when it is opened


def _line(progress: Progress) -> str:
    return f"{progress.agent} {progress.action}".strip()
