from collections.abc import Sequence
from pathlib import Path

import pytest

from agents_eval_core.errors import PaperError
from agents_eval_core.paper import Paper
from agents_eval_core.ports import ValidityFigure
from agents_eval_evaluators.calibration.agreement_table import shipped_table
from agents_eval_evaluators.calibration.venue_cases import venue_cases
from agents_eval_evaluators.text.words import words
from agents_eval_evaluators.validity.known_answers import KnownAnswers
from agents_eval_evaluators.validity.known_ladder import Ladder, ladders
from agents_eval_evaluators.validity.known_texts import ALL, CHANGED, LOSING, NEGATED, Material

MATERIAL = Material(
    human="It is new. It can help. It was not tested on clear data.",
    paper=Paper(id="1", dataset="d", title="On Nets", abstract="Nets."),
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
    for name in list(CHANGED)[:3]:
        assert [name for ladder in some if ladder.made[name].mean > ladder.human.mean + 0.01] == []


def test_every_figure_has_an_interval_and_says_what_it_was_fitted_on(peerread: Path) -> None:
    found: list[ValidityFigure] = list(KnownAnswers(resamples=20, venues=("neurips_2025",)).figures([peerread]))
    assert {figure.data.split(",")[0] for figure in found} == {"neurips_2025", "acl_2017"}
    for figure in found:
        assert figure.interval is not None
        assert figure.interval[0] <= figure.value <= figure.interval[1]
        assert "tables of" in figure.data
    without_papers = {figure.measure for figure in found if figure.data.startswith("acl_2017")}
    assert "false alarms of off_paper (critical)" not in without_papers


def test_a_folder_that_is_not_the_data_is_refused(clean_place: Path) -> None:
    with pytest.raises(PaperError):
        list(KnownAnswers().figures([clean_place]))
