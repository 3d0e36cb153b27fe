"""How often models repeat human reviews, one line a model and one for the humans."""

from rich.console import Group
from rich.text import Text

from agents_eval_cli.views.page import columns
from agents_eval_core.memorisation import MUCH, Memorisation, Repetition


def memorisation_view(found: Memorisation) -> Group:
    """Return the table, or a sentence where no run can be looked at."""
    if not found.models:
        return Group(
            Text("No kept run of a language model has a scorecard and human reviews to be held against."),
            Text(f"Looked at: {found.left_out} runs."),
        )
    right = frozenset({"reviews", "papers", "near", "words", "most"})
    table = columns(
        "author", "reviews", "papers", "near", "95 %", "words", "most", right=right, whole=frozenset({"author"})
    )
    for row in (*found.models, *([found.humans] if found.humans else [])):
        table.add_row(*(Text(cell) for cell in _cells(row)))
    near = (
        f"Near: at least {100 * MUCH:.0f} % of the words stand in runs of six or more words of one human review. "
        "Words: the mean share of words that do."
    )
    without = "" if found.humans else " No paper here has two human reviews, so the humans' own rate is unknown."
    left = f" Left out: {found.left_out} runs without a model, a scorecard or human reviews." if found.left_out else ""
    return Group(table, Text(f"{near}{without}{left}"))


def _cells(row: Repetition) -> tuple[str, ...]:
    interval = "unknown" if row.interval is None else f"{100 * row.interval.low:.0f} to {100 * row.interval.high:.0f} %"
    near = f"{row.near} ({100 * row.share:.0f} %)"
    return (
        row.author,
        str(row.reviews),
        str(row.papers),
        near,
        interval,
        f"{100 * row.words:.1f} %",
        f"{100 * row.most:.1f} %",
    )
