from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from sklearn.feature_extraction.text import TfidfVectorizer  # pyright: ignore[reportMissingTypeStubs]  it has none

from agents_eval_core.errors import PaperError
from agents_eval_core.paper import Paper
from agents_eval_core.ports.validation import ValidityFigure
from agents_eval_evaluators.calibration.agreement_table import shipped_table
from agents_eval_evaluators.calibration.venue_cases import venue_cases
from agents_eval_evaluators.text.edit_similarity import edit_similarity
from agents_eval_evaluators.text.words import words
from agents_eval_evaluators.validity.data_folders import reviews_among
from agents_eval_evaluators.validity.known_answers import KnownAnswers
from agents_eval_evaluators.validity.known_ladder import Ladder, ladders
from agents_eval_evaluators.validity.known_texts import ALL, CHANGED, LOSING, MISSED, NEED_PAPER, NEGATED, Material
from agents_eval_evaluators.validity.predecessor import predecessor_similarity

MATERIAL = Material(
    human="It is new. It can help. It was not tested on clear data.",
    paper=Paper(id="1", dataset="d", title="On Nets", abstract="We train nets on very much data."),
    stranger="Not this one.",
    neighbour="Nearly this one.",
)


@pytest.fixture(scope="module")
def some(peerread: Path) -> Sequence[Ladder]:
    return tuple(ladders(venue_cases(peerread, "iclr_2017")[::10], shipped_table()))


def test_every_text_is_made_again_the_same_and_is_none_of_the_others() -> None:
    made = {name: make(MATERIAL, 1) for name, make in ALL.items()}
    assert made == {name: make(MATERIAL, 1) for name, make in ALL.items()}
    assert len(set(made.values())) == len(made)


def test_the_texts_are_what_their_names_say() -> None:
    made = {name: make(MATERIAL, 1) for name, make in ALL.items()}
    assert sorted(words(made["its own words in random order"])) == sorted(words(MATERIAL.human))
    assert made[NEGATED] == "It is not new. It can not help. It was not tested on clear data."
    assert made["the first half of itself"] == "It is new."
    assert made["itself with judgement words swapped"].endswith("unclear data.")
    assert len(words(made["itself twice"])) == 2 * len(words(MATERIAL.human))


def test_the_human_review_lies_above_what_only_looks_like_one(some: Sequence[Ladder]) -> None:
    for name in (*LOSING, NEGATED):
        won = [ladder.human.rank > ladder.made[name].rank for ladder in some]
        assert sum(won) >= 0.85 * len(won), name


def test_doubling_reordering_and_copying_gain_nothing(some: Sequence[Ladder]) -> None:
    assert CHANGED.keys() >= {"itself twice", "its sentences in another order", "the abstract appended"}
    for name in ("itself twice", "its sentences in another order", "the abstract appended"):
        assert [name for ladder in some if ladder.made[name].mean > ladder.human.mean + 0.01] == []


def test_every_figure_has_an_interval_and_says_what_it_was_fitted_on(peerread: Path) -> None:
    found: list[ValidityFigure] = list(KnownAnswers(resamples=20, venues=("neurips_2025",)).figures([peerread]))
    assert {figure.data.split(",")[0] for figure in found} == {"neurips_2025", "acl_2017"}
    for figure in found:
        assert figure.interval is not None
        assert figure.interval[0] <= figure.value <= figure.interval[1]
        assert "nothing" not in (figure.fitted, figure.tuned)
    without_papers = {figure.measure for figure in found if figure.data.startswith("acl_2017")}
    assert "false alarms of off_paper (critical)" not in without_papers


def test_a_folder_that_is_not_the_data_is_refused(clean_place: Path) -> None:
    with pytest.raises(PaperError):
        list(KnownAnswers().figures([clean_place]))


def test_what_can_be_made_without_the_papers_is_a_ladder_too(peerread: Path) -> None:
    made = tuple(ladders(reviews_among([peerread], "acl_2017")[:12], shipped_table(), fewest_reviews=2))
    assert set(made[0].made) == set(ALL) - NEED_PAPER
    assert all(ladder.human.success is None for ladder in made)
    won = [ladder.human.rank > ladder.made[NEGATED].rank for ladder in made]
    assert sum(won) >= 0.85 * len(won)


def test_the_predecessor_put_the_abstract_above_many_reviews_and_we_do_not(some: Sequence[Ladder]) -> None:
    before = [(ladder.human.predecessor or 0) > (ladder.made["the abstract"].predecessor or 0) for ladder in some]
    now = [ladder.human.rank > ladder.made["the abstract"].rank for ladder in some]
    assert sum(now) > 0.95 * len(some) > 0.8 * len(some) > sum(before)


@pytest.mark.parametrize(("first", "second"), [("A cat sat on the mat", "The cat sat"), ("no", "none"), ("x y", "x y")])
def test_the_predecessors_cosine_is_scikit_learns(first: str, second: str) -> None:
    stop_words = shipped_table().words.stop_words
    vectorizer = cast("Any", TfidfVectorizer(max_features=1000, stop_words=sorted(stop_words)))
    try:
        weights = vectorizer.fit_transform([first, second])
        cosine = float((weights[0] @ weights[1].T).toarray()[0, 0])
    except ValueError:  # it has no words that are no stop words
        cosine = 0.0
    words_of = [set(text.lower().split()) for text in (first, second)]
    jaccard = len(words_of[0] & words_of[1]) / len(words_of[0] | words_of[1])
    expected = 0.5 * edit_similarity(first, second) + 0.3 * cosine + 0.2 * jaccard
    assert predecessor_similarity(first, [second], stop_words) == pytest.approx(expected)


def test_a_fluent_reversal_says_the_opposite_and_is_a_known_miss(some: Sequence[Ladder]) -> None:
    made = MISSED["itself turned round fluently"](MATERIAL, 1)
    assert made.endswith("It was tested on unclear data.")
    accused = [bool(ladder.made["itself turned round fluently"].critical) for ladder in some]
    assert sum(accused) <= 0.2 * len(some)
