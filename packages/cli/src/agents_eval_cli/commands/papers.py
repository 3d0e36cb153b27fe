"""`agents-eval papers`: what can be reviewed, on disk and from the public repository of PeerRead."""

from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from agents_eval_cli import options
from agents_eval_cli.ending import GATE_MISSED, RUN_FAILED
from agents_eval_cli.session import Session
from agents_eval_cli.views.paper_files import (
    download_object,
    download_view,
    found_papers_view,
    verification_object,
    verification_view,
)
from agents_eval_cli.views.papers import paper_list_view, paper_object, paper_view
from agents_eval_core import registry
from agents_eval_core.ports.remote_dataset import PaperSelection
from agents_eval_core.use_cases.data_folder import data_folder
from agents_eval_core.use_cases.download import FailedFile
from agents_eval_core.use_cases.search_papers import search_papers
from agents_eval_core.use_cases.verify_papers import verify_papers

DataDirOption = Annotated[
    Path | None, typer.Option(help="The folder of venues; default is AGENTS_EVAL_DATA_DIR, else the downloads.")
]

command = typer.Typer(
    help="List, show, search, download and verify papers.", rich_markup_mode=None, add_completion=False
)


@command.command("list")
def list_papers(
    ctx: typer.Context,
    *,
    dataset: options.Dataset = "peerread",
    data_dir: DataDirOption = None,
    venue: options.Venue = None,
    limit: options.Limit = 0,
) -> None:
    """List the papers of a dataset, with the human reviews that can be used."""
    session = Session(ctx)
    entries = registry.dataset(dataset).entries(data_folder(dataset, data_dir, session.settings))
    found = [entry for entry in entries if venue is None or entry.venue == venue]
    shown = list(islice(found, limit or None))
    session.give("papers", {"papers": shown, "total": len(found)}, paper_list_view(shown, len(found)))


@command.command("show")
def show_paper(
    ctx: typer.Context,
    paper: Annotated[str, typer.Argument(help="The paper's id.")],
    *,
    dataset: options.Dataset = "peerread",
    data_dir: DataDirOption = None,
) -> None:
    """Show one paper and what is known about its human reviews."""
    session = Session(ctx)
    case = registry.dataset(dataset).case(paper, data_folder(dataset, data_dir, session.settings))
    session.give("paper", paper_object(case), paper_view(case))


@command.command("search")
def search(
    ctx: typer.Context,
    query: Annotated[str, typer.Argument(help="Words of titles and abstracts.")],
    *,
    dataset: options.Dataset = "peerread",
    data_dir: DataDirOption = None,
    venue: options.Venue = None,
    limit: options.Limit = 20,
) -> None:
    """Search titles and abstracts of the papers on disk, best match first."""
    session = Session(ctx)
    found = search_papers(query, settings=session.settings, dataset=dataset, data_dir=data_dir, venue=venue)
    shown = list(islice(found, limit or None))
    session.give("paper-search", {"papers": shown, "total": len(found)}, found_papers_view(shown, len(found)))


@command.command("download")
def download(
    ctx: typer.Context,
    venues: Annotated[list[str], typer.Argument(help="Venues, such as iclr_2017.", metavar="VENUE...")],
    *,
    split: Annotated[list[str] | None, typer.Option(help="Only this split, such as dev; may be repeated.")] = None,
    max_papers: Annotated[
        int | None, typer.Option(min=1, help="At most so many of each split; default is all.")
    ] = None,
    with_pdfs: Annotated[bool, typer.Option("--with-pdfs", help="Fetch the PDF files too.")] = False,
) -> None:
    """Download papers of PeerRead into the data root.

    Broken off, by whatever, the same command goes on where it ended. The exit code is 3 if a file did not come.
    """
    from agents_eval_cli.downloading import downloaded  # noqa: PLC0415  loads what speaks to the network

    session = Session(ctx)
    selection = PaperSelection(
        venues=tuple(venues), splits=tuple(split or ()), max_papers=max_papers, with_pdfs=with_pdfs
    )
    done = downloaded(session, selection)
    session.give("paper-download", download_object(done), download_view(done))
    if done.failed:
        raise typer.Exit(RUN_FAILED)


@command.command("verify")
def verify(
    ctx: typer.Context,
    *,
    repair: Annotated[bool, typer.Option("--repair", help="Fetch what is missing or damaged.")] = False,
) -> None:
    """Name what is missing, damaged or superfluous among the downloaded papers.

    The exit code is 1 if something is, after the repair where one was asked for.
    """
    session = Session(ctx)
    found = verify_papers(settings=session.settings)
    failed: tuple[FailedFile, ...] = ()
    if repair and not found.is_sound:
        from agents_eval_cli.downloading import repaired  # noqa: PLC0415  loads what speaks to the network

        failed = repaired(session).failed
        found = verify_papers(settings=session.settings)
    session.give("paper-verify", verification_object(found, failed), verification_view(found, failed))
    if failed or not found.is_sound:
        raise typer.Exit(RUN_FAILED if failed else GATE_MISSED)
