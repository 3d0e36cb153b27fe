"""Searching what is on disk."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents_eval_core.datasets.peerread import PeerReadDataset
from agents_eval_core.errors import PaperError, UsageError
from agents_eval_core.ports.dataset import PaperEntry, PaperText
from agents_eval_core.settings import Settings
from agents_eval_core.use_cases.search_papers import query_words, ranked, search_papers


def _text(paper_id: str, title: str, abstract: str = "") -> PaperText:
    entry = PaperEntry(id=paper_id, venue="v", split="s", title=title, usable_references=0, has_full_text=False)
    return PaperText(entry=entry, abstract=abstract)


def _ids(query: str, *texts: PaperText) -> list[str]:
    return [found.paper.id for found in ranked(texts, query_words(query))]


def test_papers_without_a_word_of_the_query_are_not_found() -> None:
    assert _ids("graphs", _text("1", "On graphs"), _text("2", "On trees")) == ["1"]


def test_a_word_of_the_title_counts_more_than_one_of_the_abstract() -> None:
    assert _ids("graphs", _text("1", "Trees", "graphs or so"), _text("2", "Graphs", "trees or so")) == ["2", "1"]


def test_a_rare_word_counts_more_than_a_frequent_one() -> None:
    frequent = [_text(f"f{number}", "networks") for number in range(9)]
    assert _ids("networks parsing", *frequent, _text("rare", "parsing"))[0] == "rare"


def test_more_words_of_the_query_count_more() -> None:
    assert _ids("sparse gates", _text("1", "sparse"), _text("2", "sparse gates"), _text("3", "gates"))[0] == "2"


def test_case_and_signs_do_not_matter() -> None:
    assert _ids("SPARSE, gates!", _text("1", "Sparse-Gates")) == ["1"]


def test_equals_come_in_the_order_of_the_dataset() -> None:
    assert _ids("a", _text("2", "a"), _text("1", "a"), _text("3", "a")) == ["1", "2", "3"]


@given(st.text(), st.lists(st.text(), max_size=5))
def test_any_query_over_any_titles_ranks_by_positive_numbers(query: str, titles: list[str]) -> None:
    found = ranked([_text(str(number), title) for number, title in enumerate(titles)], query_words(query))
    assert all(each.relevance > 0 for each in found)
    assert [each.relevance for each in found] == sorted((each.relevance for each in found), reverse=True)


def test_every_real_paper_is_found_first_by_its_title(peerread: Path) -> None:
    papers = list(PeerReadDataset().entries(peerread))[::25]
    firsts = [search_papers(paper.title, settings=Settings(), data_dir=peerread)[0].paper for paper in papers]
    assert firsts == papers


def test_one_venue_can_be_searched_alone(peerread: Path) -> None:
    found = search_papers("neural networks", settings=Settings(), data_dir=peerread, venue="acl_2017")
    assert {each.paper.venue for each in found} == {"acl_2017"}


def test_the_sample_papers_can_be_searched() -> None:
    found = search_papers("sparse gates", settings=Settings(), dataset="sample")
    assert found[0].paper.id == "sparse-gates"


def test_a_query_without_words_is_told() -> None:
    with pytest.raises(UsageError, match="there is no word to search for in '!!'"):
        search_papers("!!", settings=Settings(), dataset="sample")


def test_without_papers_it_says_how_to_get_some() -> None:
    with pytest.raises(PaperError, match="agents-eval papers download iclr_2017"):
        search_papers("graphs", settings=Settings())
