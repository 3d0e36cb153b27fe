"""Every real PeerRead paper, against the counts in the data's README and others made apart from this code."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from agents_eval_core.case import Case
from agents_eval_core.datasets.peerread import PeerReadDataset
from agents_eval_core.errors import PaperError
from agents_eval_core.review import Scale

DATASET = PeerReadDataset()
PAPERS = {"acl_2017": 99, "conll_2016": 18, "iclr_2017": 308, "neurips_2025": 63}
# ICLR: 933 entries, one of them a copy. NeurIPS: 316 entries, 63 of them decisions.
USABLE = {"acl_2017": 200, "conll_2016": 31, "iclr_2017": 932, "neurips_2025": 253}
FEWER_THAN_TWO = {"acl_2017": 25, "conll_2016": 6, "iclr_2017": 1, "neurips_2025": 0}
RATINGS = {
    "acl_2017": {1: 6, 2: 40, 3: 49, 4: 99, 5: 6},
    "conll_2016": {2: 8, 3: 8, 4: 12, 5: 3},
    "iclr_2017": {2: 8, 3: 79, 4: 153, 5: 160, 6: 203, 7: 213, 8: 88, 9: 25, 10: 3},
    "neurips_2025": {1: 5, 2: 19, 3: 45, 4: 111, 5: 70, 6: 3},
}
HIGHEST_RATING = {"acl_2017": 5, "conll_2016": 5, "iclr_2017": 10, "neurips_2025": 6}
ACCEPTED = {"acl_2017": 0, "conll_2016": 0, "iclr_2017": 133, "neurips_2025": 31}
# The collection of these two has no abstracts, but for one paper each, and no full text.
WITH_TEXT = {"acl_2017": 1, "conll_2016": 1, "iclr_2017": 308, "neurips_2025": 63}
ASPECTS = {"acl_2017": 1400, "conll_2016": 219, "iclr_2017": 0, "neurips_2025": 759}
VENUES = sorted(PAPERS)
RUN_OF_WORDS = 8


@pytest.mark.parametrize("venue", VENUES)
def test_all_papers_and_usable_references_of_a_venue_are_found(peerread: Path, venue: str) -> None:
    entries = list(DATASET.entries(peerread / venue))
    assert len(entries) == PAPERS[venue]
    assert sum(entry.usable_references for entry in entries) == USABLE[venue]
    assert sum(entry.usable_references < 2 for entry in entries) == FEWER_THAN_TWO[venue]
    assert all(entry.title and entry.venue == venue for entry in entries)
    assert {entry.has_full_text for entry in entries} == {venue == "neurips_2025"}


@pytest.mark.parametrize("venue", VENUES)
def test_every_score_is_kept_on_the_venues_scale(peerread: Path, venue: str) -> None:
    reviews = [
        review
        for entry in DATASET.entries(peerread / venue)
        for review in DATASET.references(entry.id, peerread / venue)
    ]
    ratings = [review.rating for review in reviews if review.rating is not None]
    assert Counter(rating.value for rating in ratings) == RATINGS[venue]
    scale = Scale(lowest=1, highest=HIGHEST_RATING[venue])
    assert all(rating.scale == scale for rating in ratings)
    assert all(review.confidence and review.confidence.scale == Scale(lowest=1, highest=5) for review in reviews)
    assert sum(len(review.aspects) for review in reviews) == ASPECTS[venue]


@pytest.mark.parametrize("venue", VENUES)
def test_every_paper_is_a_case_or_says_that_it_has_no_text(peerread: Path, venue: str) -> None:
    cases: list[Case] = []
    for entry in DATASET.entries(peerread / venue):
        try:
            cases.append(DATASET.case(entry.id, peerread / venue))
        except PaperError as problem:
            assert "has no text to review" in str(problem)  # noqa: PT017  most papers must not raise
    assert len(cases) == WITH_TEXT[venue]
    assert sum(case.decision == "accepted" for case in cases) == ACCEPTED[venue]
    assert len({case.id for case in cases}) == len(cases)
    source = "parsed_json" if venue == "neurips_2025" else "abstract"
    assert {case.paper.text_source for case in cases if case.paper} == {source}


@pytest.mark.parametrize("venue", ["iclr_2017", "neurips_2025"])
def test_agents_see_nothing_of_reviews_and_decisions(peerread: Path, venue: str) -> None:
    for entry in DATASET.entries(peerread / venue):
        case = DATASET.case(entry.id, peerread / venue)
        split = peerread / venue / entry.split
        thread = _json(split / "reviews" / f"{entry.id}.json")["reviews"]
        told = _runs(*(review.text for review in case.references), *(part["comments"] for part in thread))
        shown = _runs(case.for_agents().model_dump_json().replace("\\n", " "))
        assert told, entry.id
        assert shown, entry.id
        assert not (told & shown) - _runs(*_own_words(split, entry.id)), entry.id


def test_agents_see_no_score_and_no_decision(peerread: Path) -> None:
    case = DATASET.case("neurips_2025/021PIPyOU1", peerread)
    assert case.references
    assert case.decision == "accepted"
    beside_the_paper = case.for_agents().changed(paper=None).model_dump(exclude_defaults=True)
    assert set(beside_the_paper) == {"id", "dataset", "rating_scale", "needs_tools"}


def test_entries_come_in_the_same_order_each_time(peerread: Path) -> None:
    entries = list(DATASET.entries(peerread))
    assert entries == list(DATASET.entries(peerread))
    places = [(entry.venue, entry.split, entry.id) for entry in entries]
    assert places == sorted(places)
    assert len(set(places)) == sum(PAPERS.values())


def _json(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def _own_words(split: Path, paper_id: str) -> list[str]:
    file = _json(split / "reviews" / f"{paper_id}.json")
    parsed = split / "parsed_pdfs" / f"{paper_id}.pdf.json"
    sections: list[dict[str, Any]] = _json(parsed)["metadata"]["sections"] if parsed.is_file() else []
    return [file["title"], file["abstract"], *(section["text"] or "" for section in sections)]


def _runs(*texts: str) -> set[tuple[str, ...]]:
    found: set[tuple[str, ...]] = set()
    for text in texts:
        words = re.findall(r"\w+", text.lower())
        found.update(zip(*(words[start:] for start in range(RUN_OF_WORDS)), strict=False))
    return found
