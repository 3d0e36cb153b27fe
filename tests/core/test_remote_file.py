"""Places for downloaded files."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents_eval_core.remote_file import place_problem


@pytest.mark.parametrize(
    "path",
    [
        "acl_2017/dev/reviews/173.json",
        "arxiv.cs.ai_2007-2017/test/parsed_pdfs/0804.0188.pdf.json",
        "a b/ü.json",
        "console.txt",
    ],
)
def test_a_plain_path_is_a_place(path: str) -> None:
    assert place_problem(path) is None


@pytest.mark.parametrize(
    "path",
    [
        "", "/", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "a/./b", ".hidden", "a/.hidden", "a.", "a ", "a./b",
        "a\\b", "C:a", "a:b", "con", "CON.json", "a/lpt1.txt", "a\0", "a\nb", "\u202ea", "a*", "a?", "x" * 201,
        "a/" * 6 + "a",
    ],
)  # fmt: skip
def test_a_path_that_leads_elsewhere_is_no_place(path: str) -> None:
    assert place_problem(path) is not None


@given(st.text() | st.lists(st.sampled_from(["..", ".", "a", "/", "\\", "~", "C:", ""])).map("/".join))
def test_whatever_is_a_place_lies_under_its_folder(path: str) -> None:
    if place_problem(path) is None:
        folder = Path("/folder")
        assert folder.joinpath(*path.split("/")).resolve().is_relative_to(folder)
