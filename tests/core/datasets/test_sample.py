import json
import re
from importlib.resources import files
from itertools import combinations
from pathlib import Path

import pytest

from agents_eval_core import registry
from agents_eval_core.datasets.sample import SampleDataset
from agents_eval_core.errors import UnknownNameError
from agents_eval_core.review import Scale

DATASET = SampleDataset()
FOLDER = files("agents_eval_core.datasets") / "sample"
IDS = sorted(file.name.removesuffix(".json") for file in FOLDER.iterdir() if file.name.endswith(".json"))


def test_the_registry_finds_it() -> None:
    assert isinstance(registry.dataset("sample"), SampleDataset)


def test_at_least_eight_papers_in_as_many_fields_are_listed_by_id(tmp_path: Path) -> None:
    entries = list(DATASET.entries(None))
    assert [entry.id for entry in entries] == IDS
    assert len(entries) >= 8
    assert {(entry.venue, entry.usable_references, entry.has_full_text) for entry in entries} == {("sample", 3, True)}
    assert len({paper.keywords[0] for entry in entries if (paper := DATASET.case(entry.id, None).paper)}) == len(IDS)
    assert list(DATASET.entries(tmp_path)) == entries


@pytest.mark.parametrize("paper_id", IDS)
def test_each_paper_is_a_short_whole_paper(paper_id: str) -> None:
    paper = DATASET.case(f"sample/{paper_id}", None).paper
    assert paper is not None
    assert (paper.id, paper.venue, paper.dataset, paper.text_source) == (paper_id, "sample", "sample", "sample")
    assert 5 <= len(paper.sections) <= 7
    assert 500 <= sum(len(section.text.split()) for section in paper.sections) <= 900
    assert any(mark in paper.text for mark in ("Table 1", "Table 2", "Table 3"))
    assert paper.title
    assert paper.abstract


@pytest.mark.parametrize("paper_id", IDS)
def test_each_paper_has_three_reviews_that_differ(paper_id: str) -> None:
    case = DATASET.case(paper_id, None)
    assert (case.id, case.needs_tools, case.decision) == (f"sample/{paper_id}", True, None)
    assert case.rating_scale == Scale(lowest=1, highest=10)
    assert all(80 <= len(review.text.split()) <= 180 for review in case.references)
    assert len({review.rating.value for review in case.references if review.rating}) >= 2
    assert all(review.confidence and review.confidence.scale.highest == 5 for review in case.references)
    for first, second in combinations(case.references, 2):
        assert not _runs(first.text) & _runs(second.text)


@pytest.mark.parametrize("paper_id", IDS)
def test_agents_see_nothing_of_the_reviews(paper_id: str) -> None:
    case = DATASET.case(paper_id, None)
    told = _runs(*(review.text for review in case.references))
    shown = _runs(case.for_agents().model_dump_json().replace("\\n", " "))
    source = json.loads((FOLDER / f"{paper_id}.json").read_text(encoding="utf-8"))
    own = _runs(source["abstract"], *(section["text"] for section in source["sections"]))
    assert told
    assert own <= shown
    assert not (told & shown) - own


@pytest.mark.parametrize("paper_id", IDS)
def test_each_file_says_that_it_is_no_real_paper(paper_id: str) -> None:
    text = (FOLDER / f"{paper_id}.json").read_text(encoding="utf-8")
    assert '"provenance": "written for Agents-eval; not a real paper"' in text
    assert '"schema": "agents-eval/sample-paper/1"' in text
    assert '"licence": "CC0-1.0"' in text


def test_the_folder_says_that_nothing_in_it_is_real() -> None:
    assert "None is a real paper" in (FOLDER / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("paper_id", ["sparse-gate", "../peerread", "", "sample/sample/sparse-gates", "x" * 100_000])
def test_an_unknown_paper_is_named(paper_id: str) -> None:
    with pytest.raises(UnknownNameError, match="no sample paper named") as problem:
        DATASET.case(paper_id, None)
    assert len(str(problem.value)) < 600


def _runs(*texts: str) -> set[tuple[str, ...]]:
    found: set[tuple[str, ...]] = set()
    for text in texts:
        words = re.findall(r"\w+", text.lower())
        found.update(zip(*(words[start:] for start in range(8)), strict=False))
    return found
