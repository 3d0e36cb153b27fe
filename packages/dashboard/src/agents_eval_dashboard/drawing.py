"""The two things that pages draw with: tables, and text of others that cannot become markup."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import streamlit as st


def table(rows: Sequence[Mapping[str, object]]) -> None:
    """Draw rows as a table, their keys as columns."""
    cast("Any", st).dataframe(rows, width="stretch", hide_index=True)  # its types depend on what is installed


def plain(text: str) -> str:
    r"""Return text of others so that Markdown shows it as it is.

    >>> plain("![x](http://y) $a$")
    '\\!\\[x\\]\\(http\\:\\/\\/y\\) \\$a\\$'
    """
    line = " ".join(text.split())
    return "".join(character if character.isalnum() or character == " " else f"\\{character}" for character in line)
