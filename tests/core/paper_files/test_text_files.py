"""Markdown and plain text."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from agents_eval_core.paper import Paper
from agents_eval_core.paper_files.own_paper import own_paper

Write = Callable[..., Path]


@pytest.fixture
def read(write: Write) -> Callable[[str, str | bytes], Paper]:
    """Return a function that writes a file and reads it as a paper."""

    def paper_of(name: str, content: str | bytes) -> Paper:
        paper = own_paper(write(name, content)).paper
        assert paper is not None
        return paper

    return paper_of


Read = Callable[[str, str | bytes], Paper]


def test_markdown_has_its_first_heading_as_title(read: Read) -> None:
    paper = read(
        "a.md",
        "# On Rivers\n\nAda Lovelace, Charles Babbage\n\n## Abstract\n\nWe **measure**.\n\n"
        "## 1 Introduction\n\nSee [the source](https://a.b) and ![Figure 1: A river.](river.png)\n<!-- hidden -->\n\n"
        "| Model | F1 |\n|---|---|\n| Ours | 9 |\n\n```\n# no heading\n```\n\nMethod\n------\n\nWe do.\n",
    )
    assert (paper.text_source, paper.title, paper.abstract) == ("markdown", "On Rivers", "We measure.")
    assert paper.authors == ("Ada Lovelace", "Charles Babbage")
    assert [part.heading for part in paper.sections] == ["1 Introduction", "Method"]
    assert paper.sections[0].text.startswith("See the source and Figure 1: A river.")
    assert "| Ours | 9 |" in paper.sections[0].text
    assert "# no heading" in paper.sections[0].text
    assert "hidden" not in paper.text


def test_markdown_front_matter_gives_title_authors_and_abstract(read: Read) -> None:
    authors = "author:\n  - Ada Lovelace\n  - name: C. Babbage\n"
    front = f"---\ntitle: 'On Rivers'\n{authors}abstract: |\n  We measure\n  them.\n---\n"
    paper = read("a.md", f"{front}\n# Introduction\nWhy?\n\n# Method\nSo.\n")
    assert (paper.title, paper.abstract) == ("On Rivers", "We measure them.")
    assert paper.authors == ("Ada Lovelace", "C. Babbage")
    assert [part.heading for part in paper.sections] == ["Introduction", "Method"]


def test_a_heading_of_a_section_is_no_title(read: Read) -> None:
    paper = read("my_draft.md", "# Introduction\nWhy?\n\n# Method\nSo.\n")
    assert paper.title == "my draft"
    assert [part.heading for part in paper.sections] == ["Introduction", "Method"]


def test_plain_text_has_its_first_paragraph_as_title(read: Read) -> None:
    paper = read(
        "a.txt",
        "On the Flow\nof Rivers\n\nAda Lovelace\n\nAbstract\nWe measure how riv-\ners flow.\n\n1 Introduction\n\n"
        "Rivers flow\nand flow.\n\nSo we say.\n\n12\n\n2 Method\nWe look.\n\nReferences\n[1] A. Author. A book.\n",
    )
    assert (paper.text_source, paper.title, paper.abstract) == (
        "text",
        "On the Flow of Rivers",
        "We measure how rivers flow.",
    )
    assert paper.authors == ("Ada Lovelace",)
    assert [part.heading for part in paper.sections] == ["1 Introduction", "2 Method", "References"]
    assert paper.sections[0].text == "Rivers flow and flow.\n\nSo we say."


def test_text_without_any_heading_is_one_section(read: Read) -> None:
    paper = read("notes.txt", "Rivers flow and flow, " * 40)
    assert (paper.title, [part.heading for part in paper.sections]) == ("notes", [""])


def test_numbered_lists_are_no_headings(read: Read) -> None:
    paper = read(
        "a.txt", "Title\n\n1 Introduction\nWe show that:\n1. All rivers flow\n2. Some do not\n\n2 Method\nSo.\n"
    )
    assert [part.heading for part in paper.sections] == ["1 Introduction", "2 Method"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_common_encodings_are_understood(encoding: str, read: Read) -> None:
    paper = read("a.txt", "Über Flüsse\n\nAbstract\nDie Höhe zählt.\n".encode(encoding))
    assert (paper.title, paper.abstract) == ("Über Flüsse", "Die Höhe zählt.")


@pytest.mark.parametrize("name", ["a.md", "a.txt"])
@pytest.mark.parametrize(
    "piece",
    ["![", "[a](", "**a", "# ", "#" * 50 + " ", " \t", "<!--", "- ", "a-\n", "---\n", "A. B, ", "1.1 A\n", "a\n\n"],
)
def test_hostile_text_ends_soon(piece: str, name: str, read: Read) -> None:
    before = time.process_time()
    read(name, "Words first.\n" + piece * (200_000 // len(piece)) + "\nand words last.")
    assert time.process_time() - before < 5
