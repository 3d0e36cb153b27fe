"""A paper of one's own as a case: recognised by content, with its references, and refused where it cannot be read."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from agents_eval_core.errors import PaperError, UnreadableError
from agents_eval_core.paper_files.own_paper import own_paper

Write = Callable[..., Path]
TEXT = "On Rivers\n\nAbstract\nWe measure rivers.\n\n1 Introduction\nRivers flow.\n"
MARKDOWN = "# On Rivers\n\n## Abstract\nWe measure rivers.\n"
LATEX = r"\documentclass{article}\title{On Rivers}\begin{document}\section{A}Rivers flow.\end{document}"
PARSED = json.dumps(
    {
        "name": "7.pdf",
        "metadata": {
            "title": "On Rivers",
            "authors": ["Ada Lovelace"],
            "abstractText": "We measure rivers.",
            "sections": [{"heading": None, "text": "Front."}, None, {"heading": "1 Introduction", "text": "Flow."}],
            "references": [{"title": "A dataset", "author": ["D. Kang"], "venue": "NAACL", "year": 2018}],
        },
    }
)
SCIENCE_PARSE = json.dumps(
    {"title": "On Rivers", "authors": [{"name": "Ada Lovelace"}], "sections": [{"heading": "A", "text": "Flow."}]}
)
REVIEWS = json.dumps(
    {
        "title": "On Rivers",
        "abstract": "We measure rivers.",
        "reviews": [{"comments": "Good work.", "RECOMMENDATION": "4"}, {"comments": "good  work."}, {"comments": ""}],
    }
)


@pytest.mark.parametrize(
    ("content", "source"),
    [(TEXT, "text"), (MARKDOWN, "markdown"), (LATEX, "latex"), (PARSED, "parsed_json"), (REVIEWS, "abstract")],
)
@pytest.mark.parametrize("name", ["paper", "paper.txt"])
def test_the_kind_of_file_is_seen_from_its_content(content: str, source: str, name: str, write: Write) -> None:
    case = own_paper(write(name, content))
    assert case.paper is not None
    assert (case.paper.text_source, case.paper.title) == (source, "On Rivers")


def test_a_case_has_the_dataset_file_and_an_id_of_name_and_content(write: Write) -> None:
    case = own_paper(write("My draft (v2).txt", TEXT))
    other = own_paper(write("other/My draft (v2).txt", TEXT + "More."))
    assert case.dataset == "file"
    assert case.id.startswith("My-draft-v2-")
    assert case.paper is not None
    assert (case.paper.id, case.paper.dataset, case.paper.venue) == (case.id, "file", "")
    assert case.rating_scale is None
    assert case.id != other.id
    assert own_paper(write("third/My draft (v2).txt", TEXT)).id == case.id


def test_parsed_json_gives_its_sections_and_the_list_of_references(write: Write) -> None:
    paper = own_paper(write("7.pdf.json", PARSED)).paper
    assert paper is not None
    assert paper.id.startswith("7-")
    assert [part.heading for part in paper.sections] == ["", "1 Introduction", "References"]
    assert paper.sections[-1].text == "D. Kang. A dataset. NAACL. 2018"
    assert own_paper(write("s.json", SCIENCE_PARSE)).paper is not None


def test_reviews_beside_a_parsed_paper_are_its_references_and_no_part_of_it(write: Write) -> None:
    case = own_paper(write("7.json", REVIEWS))
    assert [review.text for review in case.references] == ["Good work."]
    assert case.references[0].rating is None
    assert case.paper is not None
    assert "Good work" not in case.paper.model_dump_json()
    assert case.for_agents().references == ()


def test_references_are_read_from_text_and_json_each_once(write: Write) -> None:
    files = [
        write("one.txt", "The paper is clear, but small.\n"),
        write("two.md", "# Review\n\nThe paper is unclear."),
        write("three.json", json.dumps({"reviews": [{"comments": "Fine.", "RECOMMENDATION": 7}]})),
        write("four.json", json.dumps({"text": "The paper  is clear, but SMALL."})),
        write("five.json", json.dumps([{"review": "So so."}])),
    ]
    case = own_paper(write("paper.txt", TEXT), files)
    assert [review.text for review in case.references] == [
        "The paper is clear, but small.",
        "# Review\n\nThe paper is unclear.",
        "Fine.",
        "So so.",
    ]
    assert [review.id for review in case.references] == ["review-1", "review-2", "review-3", "review-4"]
    assert all(review.rating is None for review in case.references)


@pytest.mark.parametrize("score", ["I cannot rate this paper", "not 5, rather 2", 7, "4"])
def test_no_score_is_made_of_a_reference_whose_scale_is_unknown(score: object, write: Write) -> None:
    reference = write("r.json", json.dumps({"comments": "Fine.", "RECOMMENDATION": score}))
    assert own_paper(write("paper.txt", TEXT), [reference]).references[0].rating is None


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.txt", b"", "is empty"),
        ("a.txt", b" \n\t ", "is empty"),
        ("a.txt", b"... !!! ---", "has no words"),
        ("a.docx", b"PK\x03\x04" + b"\0" * 50, "ZIP archive, such as a Word"),
        ("a.doc", b"\xd0\xcf\x11\xe0" + b"\0" * 50, "an old Word document"),
        ("a.png", b"\x89PNG\r\n\x1a\n" + b"\0" * 50, "a PNG picture"),
        ("a.bin", b"ab\0cd" * 50, "is no text: it has zero bytes"),
        ("a.pdf", b"<!DOCTYPE html><html>Log in</html>", "is no PDF: it is a web page"),
        ("a.html", b"<html>Log in</html>", "is no PDF: it is a web page"),
        ("a.pdf", b"Just some words", "is no PDF"),
        ("a.json", b"Just some words", "is not JSON: it begins with 'Just some words'"),
        ("a.json", b'{"title": "T"}', "has no text to review: looked for 'abstract'"),
        ("a.md", b"# Only a title\n", "has no text to review, only a title"),
    ],
)
def test_what_is_no_paper_is_refused_with_what_to_do(name: str, content: bytes, words: str, write: Write) -> None:
    with pytest.raises(PaperError, match=words):
        own_paper(write(name, content))


@pytest.mark.parametrize("content", [b'{"title": ', b"[" * 100_000, b'{"sections": 3}', b'{"title": "\xff"}'])
def test_json_that_cannot_be_understood_is_refused(content: bytes, write: Write) -> None:
    with pytest.raises(UnreadableError, match=r"a\.json is not JSON of the expected shape"):
        own_paper(write("a.json", content))


def test_pipes_folders_links_and_missing_files_are_refused_at_once(write: Write, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.pdf")
    (tmp_path / "folder.pdf").mkdir()
    (tmp_path / "link.pdf").symlink_to(write("paper.txt", TEXT))
    for name, words in [
        ("pipe.pdf", "is no plain file"),
        ("folder.pdf", "is no plain file"),
        ("link.pdf", "is a symbolic link"),
        ("missing.pdf", "there is no file"),
    ]:
        with pytest.raises(PaperError, match=words):
            own_paper(tmp_path / name)
    with pytest.raises(PaperError, match="is no plain file"):
        own_paper(Path("/dev/zero"))


def test_a_large_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    with path.open("wb") as file:
        file.truncate(100 * 1024 * 1024 * 1024)
    with pytest.raises(PaperError, match="more than the"):
        own_paper(path)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"{}", "has no review with text"),
        (b"[]", "has no review with text"),
        (b"[1]", "has no review"),
        (b"", "is empty"),
    ],
)
def test_a_reference_without_a_review_is_refused(content: bytes, words: str, write: Write) -> None:
    with pytest.raises(PaperError, match=words):
        own_paper(write("paper.txt", TEXT), [write("r.json", content)])


def test_hidden_characters_are_left_out(write: Write) -> None:
    paper = own_paper(write("a.txt", "On Rivers\n\nAbstract\nWe\u200b mea\u202esure\x07 ri\u00advers.\ue001\n")).paper
    assert paper is not None
    assert paper.abstract == "We measure rivers."
