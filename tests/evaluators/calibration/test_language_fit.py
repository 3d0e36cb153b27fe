import pytest

from agents_eval_evaluators.calibration.agreement_table import shipped_table
from agents_eval_evaluators.calibration.language_fit import negation_rates, word_order
from agents_eval_evaluators.text.words import sentence_words

REVIEW = "The paper is well written, but I do not see why the results are better than those of the baseline."


def test_words_in_their_order_inform_and_words_in_alphabetical_order_do_not() -> None:
    order = shipped_table().order
    in_order = order.information(sentence_words(REVIEW))
    sorted_words = order.information([sorted(sentence_words(REVIEW)[0])])
    assert in_order is not None
    assert sorted_words is not None
    assert in_order > 0.3 > -0.4 > sorted_words


def test_a_single_word_has_no_neighbour() -> None:
    assert shipped_table().order.information([("paper",)]) is None


def test_pairs_seen_once_are_left_out_of_the_table() -> None:
    table = word_order([[("a", "b"), ("a", "b"), ("b", "a")]])
    assert dict(zip(table.classes, table.followers, strict=True)) == {"a": (1, 2), "b": ()}


def test_more_negations_than_expected_are_an_excess_and_none_at_all_is_a_lack() -> None:
    rates = negation_rates([[("it", "is", "new")] * 9 + [("it", "isn't", "new")]])
    assert rates.share["is"] == pytest.approx((1 + 4 * 2 / 12) / 14, abs=1e-6)
    assert rates.excess([("it", "is", "not", "new")] * 4) > 3
    assert rates.excess([("it", "is", "new")] * 4) < 0
    assert rates.excess([("no", "verb")]) == 0
