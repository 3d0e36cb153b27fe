from itertools import permutations

import pytest

from agents_eval_agents.review_team.composition import Composition, composition_names
from agents_eval_core.errors import UnknownNameError


def test_there_are_eight_compositions_and_each_answers_to_its_own_name() -> None:
    names = composition_names()
    assert len(set(names)) == 8
    assert [Composition.named(name).name for name in names] == list(names)


def test_the_order_of_the_parts_does_not_matter() -> None:
    parts = ("manager", "researcher", "analyst", "synthesizer")
    assert {Composition.named("+".join(order)) for order in permutations(parts)} == {Composition.named("full")}


def test_none_is_the_whole_team_and_spaces_and_capitals_do_not_matter() -> None:
    assert Composition.named(None) == Composition.named(" Manager + Researcher+analyst+synthesizer ")


def test_the_critic_comes_by_name_or_by_option() -> None:
    assert Composition.named("manager+critic") == Composition.named("manager", critic=True)
    assert Composition.named("full+critic").name == "manager+researcher+analyst+synthesizer+critic"


@pytest.mark.parametrize(
    "name", ["", "researcher", "manager+", "manager+manager", "manger", "full+full", "manager,analyst"]
)
def test_another_name_is_an_error_that_says_what_there_is(name: str) -> None:
    with pytest.raises(UnknownNameError, match="no composition named"):
        Composition.named(name)
