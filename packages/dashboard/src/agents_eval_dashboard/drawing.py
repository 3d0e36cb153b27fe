"""What pages draw with: text of others that cannot become markup, tables, charts with the same in words, refusals."""

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, Final, cast

import streamlit as st

from agents_eval_core.errors import AgentsEvalError, StorageError

UNTYPED: Final = cast("Any", st)  # the types of what takes data depend on what else is installed
PUNCTUATION: Final = re.compile(r"([!-/:-@\[-`{-~])")
LINKED: Final = re.compile(r"(?<=\w)(?=://|@)|(?<=www)(?=\.)", re.IGNORECASE)
JOINER: Final = "\N{WORD JOINER}"
ROWS_OF_A_PLAIN_TABLE: Final = 60
INK: Final = {False: "#1a1a1a", True: "#f0f0f0"}

Row = Mapping[str, object]


def plain(text: str) -> str:
    r"""Return text of others so that Markdown shows it as it is, on one line, and links nothing.

    A renderer looks for addresses in finished text too; an invisible character keeps it from finding any.

    >>> plain("![x](y) $a$")
    '\\!\\[x\\]\\(y\\) \\$a\\$'
    >>> plain("http://y") == "http\u2060\\:\\/\\/y"
    True
    """
    return PUNCTUATION.sub(r"\\\1", LINKED.sub(JOINER, " ".join(text.split())))


def table(rows: Sequence[Row], words: str) -> None:
    """Draw rows as a table whose cells wrap, or from 60 rows on as one that scrolls; `words` says what it is."""
    if not rows:
        return
    if len(rows) > ROWS_OF_A_PLAIN_TABLE:
        grid(rows, words)
        return
    cells = {name: [_cell(row.get(name)) for row in rows] for name in rows[0]}
    UNTYPED.table(cells, hide_index=True, alt=words)


def grid(rows: Sequence[Row], words: str, **options: Any) -> Any:
    """Draw rows as a table that scrolls and sorts, and return what was chosen in it; its cells are no markup."""
    return UNTYPED.dataframe(rows, width="stretch", hide_index=True, alt=words, placeholder="unknown", **options)


def chart(spec: Mapping[str, Any], rows: Sequence[Row], words: str, shown: Sequence[Row] | None = None) -> None:
    """Draw a chart in Vega-Lite, and below it the same as a table.

    Args:
        spec: Without data; it follows the theme.
        rows: The data.
        words: What there is to see, for who cannot see it.
        shown: The table, where it is not the data itself.
    """
    drawn(spec, rows, words)
    with st.expander("The same as a table"):
        st.caption(plain(words))
        table(rows if shown is None else shown, words)


def drawn(spec: Mapping[str, Any], rows: Sequence[Row], words: str) -> None:
    """Draw a chart in Vega-Lite without the table below it; its words and lines are as dark as the page's."""
    ink = INK[dark()]
    about = {"labelColor": ink, "titleColor": ink}
    data = {
        "data": {"values": [dict(row) for row in rows]},
        "config": {"axis": about, "legend": about, "rule": {"color": ink}},
    }
    UNTYPED.vega_lite_chart({**spec, **data}, width="stretch", alt=words)


def sentences(lines: Iterable[str]) -> None:
    """Write sentences as a list, as they are."""
    listed = [f"- {plain(line)}" for line in lines]
    if listed:
        st.markdown("\n".join(listed))


def live(words: str) -> None:
    """Write what is going on where a screen reader tells each change."""
    st.html(f'<p role="status" aria-live="polite" style="margin:0">{escape(words)}</p>')


def refusal(problem: AgentsEvalError) -> None:
    """Say in one message what cannot be shown, and what to do."""
    st.error(plain(str(problem)), icon=":material/error:")
    if isinstance(problem, StorageError):
        st.info("Nothing was changed. `agents-eval doctor` looks at the store and says more.")


def dark() -> bool:
    """Whether the reader's page is dark."""
    return cast("Any", st.context).theme.type == "dark"


def _cell(value: object) -> str:
    return plain(str(value)) if value is not None else "none"
