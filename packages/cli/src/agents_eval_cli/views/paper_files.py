"""Papers found, downloaded and verified."""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any, Final

from rich.console import Group
from rich.text import Text

from agents_eval_cli.views.page import bullets, columns, heading
from agents_eval_cli.views.sizes import megabytes
from agents_eval_core.use_cases.download import Download, FailedFile
from agents_eval_core.use_cases.search_papers import FoundPaper
from agents_eval_core.use_cases.verify_papers import Verification

SHOWN: Final = 20
MEANING: Final = {
    "missing": "Missing",
    "damaged": "Damaged: not what was downloaded",
    "superfluous": "Not of any download; yours to remove",
}


def found_papers_view(found: Sequence[FoundPaper], total: int) -> Group:
    """Return the papers that match as a table, best first, and how many there are."""
    table = columns("paper", "venue", "split", "reviews", "title", right=frozenset({"reviews"}))
    for column in table.columns[:4]:
        column.no_wrap = True
    for each in found:
        paper = each.paper
        title = Text(paper.title, no_wrap=True, overflow="ellipsis")
        table.add_row(Text(paper.id), Text(paper.venue), Text(paper.split), str(paper.usable_references), title)
    if not found:
        return Group(Text("No paper has a word of the query; 'agents-eval papers list' shows what there is."))
    rest = f" The best {len(found)} are shown; --limit 0 shows all." if len(found) < total else ""
    noun = "paper has" if total == 1 else "papers have"
    return Group(table, Text(f"\n{total} {noun} a word of the query.{rest}"))


def download_object(done: Download) -> dict[str, Any]:
    """Return what the JSON result says."""
    return {**{field.name: getattr(done, field.name) for field in fields(done)}, "folder": str(done.folder)}


def download_view(done: Download) -> Group:
    """Return what a download came to."""
    whole = f"{done.files - len(done.failed):,} of {done.files:,} files"
    parts = [
        Text(f"{whole} are in {done.folder} ({megabytes(done.bytes)} MB in all)."),
        Text(f"{done.fetched:,} were fetched, {done.kept:,} were there already."),
    ]
    if done.failed:
        sentences = [f"{each.path}: {each.problem}" for each in done.failed]
        return Group(*parts, heading("Did not come; the same command tries again"), bullets(*_first(sentences)))
    return Group(*parts, Text("'agents-eval papers list' shows the papers."))


def verification_object(found: Verification, failed: Sequence[FailedFile]) -> dict[str, Any]:
    """Return what the JSON result says."""
    return {
        "folder": str(found.folder),
        "is_sound": found.is_sound,
        "files": found.files,
        "missing": found.missing,
        "damaged": found.damaged,
        "superfluous": found.superfluous,
        "failed": failed,
    }


def verification_view(found: Verification, failed: Sequence[FailedFile]) -> Group:
    """Return what is missing, damaged or superfluous, by its path."""
    if found.is_sound:
        return Group(Text(f"All {found.files:,} files in {found.folder} are there and whole."))
    shown: list[Any] = []
    for kind, meaning in MEANING.items():
        paths: tuple[str, ...] = getattr(found, kind)
        if paths:
            shown += [heading(f"{meaning} ({len(paths):,})"), bullets(*_first(paths))]
    if failed:
        shown += [
            heading("Could not be fetched"),
            bullets(*_first([f"{each.path}: {each.problem}" for each in failed])),
        ]
    elif found.missing or found.damaged:
        shown.append(Text("\n'agents-eval papers verify --repair' fetches what is missing or damaged."))
    return Group(Text(f"Looked at {found.folder}."), *shown)


def _first(sentences: Sequence[str]) -> Iterator[str]:
    yield from sentences[:SHOWN]
    if len(sentences) > SHOWN:
        yield f"and {len(sentences) - SHOWN:,} more; --json gives all"
