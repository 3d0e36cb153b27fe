"""Papers: a dataset's list, and one paper with what is known about its human reviews."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Group
from rich.text import Text

from agents_eval_cli.views.page import columns, heading, pairs
from agents_eval_core.case import Case
from agents_eval_core.ports.dataset import PaperEntry
from agents_eval_core.review import Rating


def paper_list_view(entries: Sequence[PaperEntry], total: int) -> Group:
    """Return the papers as a table, and how many there are."""
    table = columns("paper", "venue", "split", "reviews", "text", "title", right=frozenset({"reviews"}))
    for column in table.columns[:5]:
        column.no_wrap = True
    for entry in entries:
        text = "full" if entry.has_full_text else "abstract"
        title = Text(entry.title, no_wrap=True, overflow="ellipsis")
        references = str(entry.usable_references)
        table.add_row(Text(entry.id), Text(entry.venue), Text(entry.split), references, text, title)
    rest = f" The first {len(entries)} are shown; --limit 0 shows all." if len(entries) < total else ""
    return Group(table, Text(f"\n{total} papers.{rest}"))


def paper_object(case: Case) -> dict[str, Any]:
    """Return what the JSON result says about one paper: its own words, and what is known about its reviews."""
    return {
        "paper": case.paper,
        "usable_references": len(case.references),
        "ratings": [review.rating for review in case.references],
        "rating_scale": case.rating_scale,
        "decision": case.decision,
    }


def paper_view(case: Case) -> Group:
    """Return a paper's page."""
    paper = case.paper
    if paper is None:
        return Group(Text(case.id, style="bold"), Text(case.prompt))
    parts = tuple(section.heading for section in paper.sections if section.heading)
    return Group(
        Text(paper.title, style="bold"),
        pairs(*_facts(case)),
        heading("Abstract"),
        Text(paper.abstract or "none"),
        heading("Sections"),
        *(Text(f"  {part}") for part in parts or ("none: only the abstract is there",)),
    )


def _facts(case: Case) -> Iterator[tuple[str, str]]:
    paper = case.paper
    yield "paper", case.id
    if paper is not None:
        yield "text read", paper.text_source
        yield "keywords", ", ".join(paper.keywords) or "none"
    yield "human reviews", str(len(case.references)) if case.references else "none that can be used"
    ratings = [_rating(review.rating) for review in case.references if review.rating is not None]
    yield "their ratings", ", ".join(ratings) or "none"
    yield "decision", case.decision or "not known"


def _rating(rating: Rating) -> str:
    return f"{rating.value:g} of {rating.scale.highest:g}"
