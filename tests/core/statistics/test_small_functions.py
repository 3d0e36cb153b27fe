"""Multiplicity, effects, factorial designs, fronts and sequences: what holds for every input, and the edges."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.statistics.bootstrap import bootstrap_intervals
from agents_eval_core.statistics.clustered import ClusteredMean
from agents_eval_core.statistics.effect import standardised_difference, superiority
from agents_eval_core.statistics.equivalence import equivalence_p, non_inferiority_p
from agents_eval_core.statistics.factorial import factorial_effect, shapley_value, subsets
from agents_eval_core.statistics.multiplicity import benjamini_hochberg, holm
from agents_eval_core.statistics.paired import paired_difference
from agents_eval_core.statistics.paper_sums import PaperSums
from agents_eval_core.statistics.pareto import pareto_front
from agents_eval_core.statistics.pass_at_k import pass_at_k, pass_hat_k
from agents_eval_core.statistics.power import papers_needed, papers_needed_for_equivalence, power
from agents_eval_core.statistics.random_weights import first_places, flips
from agents_eval_core.statistics.sequential import ConfidenceSequence, sequential_conclusion
from agents_eval_core.statistics.settling import settling
from agents_eval_core.statistics.sign_flip import sign_flip_p
from agents_eval_core.statistics.unpaired import unpaired_difference
from agents_eval_core.statistics.variance import VarianceSplit

PS = st.lists(st.floats(0, 1), min_size=1, max_size=12)
POINTS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=8)


@given(PS)
def test_adjusted_ps_keep_their_order_and_are_never_smaller_and_holm_is_the_stricter(ps: list[float]) -> None:
    for adjusted in (holm(ps), benjamini_hochberg(ps)):
        assert all(p <= its <= 1 for p, its in zip(ps, adjusted, strict=True))
        order = sorted(range(len(ps)), key=ps.__getitem__)
        assert [adjusted[index] for index in order] == sorted(adjusted)
    assert all(strict >= loose - 1e-12 for strict, loose in zip(holm(ps), benjamini_hochberg(ps), strict=True))


@given(st.lists(st.floats(-1, 1), max_size=10))
def test_the_sign_flip_p_does_not_depend_on_who_is_the_baseline_or_on_the_order(sums: list[float]) -> None:
    p = sign_flip_p(sums)
    assert 0 < p <= 1
    assert p == sign_flip_p([-each for each in reversed(sums)])


@given(st.lists(st.floats(-1, 1), min_size=8, max_size=8))
def test_shapley_values_are_the_mean_over_all_orders_and_share_out_everything(values: list[float]) -> None:
    parts = ("a", "b", "c")
    worth = dict(zip(subsets(parts), values, strict=True))
    shapley = {part: shapley_value(worth, parts, part) for part in parts}
    assert sum(shapley.values()) == pytest.approx(worth[frozenset(parts)] - worth[frozenset()], abs=1e-9)
    for part in parts:
        orders = [order[: order.index(part)] for order in permutations(parts)]
        gains = [worth[frozenset((*before, part))] - worth[frozenset(before)] for before in orders]
        assert shapley[part] == pytest.approx(sum(gains) / len(gains), abs=1e-9)


def test_effects_of_an_additive_system_have_no_interactions() -> None:
    worth = {team: 0.1 * ("a" in team) + 0.2 * ("b" in team) for team in subsets(("a", "b", "c"))}
    effects = {of: factorial_effect(worth, ("a", "b", "c"), of) for of in subsets(("a", "b", "c")) if of}
    found = {"".join(sorted(of)): round(effect, 9) + 0.0 for of, effect in effects.items()}
    assert found == {"a": 0.1, "b": 0.2, "c": 0.0, "ab": 0.0, "ac": 0.0, "bc": 0.0, "abc": 0.0}


@given(POINTS)
def test_the_front_is_never_empty_and_nobody_on_it_is_beaten(points: list[tuple[float, ...]]) -> None:
    front = pareto_front(points)
    assert any(front)
    for point, is_on_front in zip(points, front, strict=True):
        beaten = any(other != point and all(a >= b for a, b in zip(other, point, strict=True)) for other in points)
        assert is_on_front is not beaten


def test_weights_cannot_flip_what_is_ahead_in_every_part() -> None:
    assert flips([0.1, 0.0, 0.3], [1, 1, 1]) == 0.0
    assert flips([0.0, 0.0], [1, 1]) is None
    assert flips([0.3, -0.1], [1, 1]) == pytest.approx(0.25, abs=0.02)
    assert sum(first_places([[0.1, 0.9], [0.5, 0.5], [0.9, 0.1]])) == pytest.approx(1.0)


@given(st.integers(1, 12), st.data())
def test_with_one_try_both_pass_rates_are_the_share_and_more_tries_part_them(tries: int, data: st.DataObject) -> None:
    passed = data.draw(st.integers(0, tries))
    assert pass_at_k(tries, passed, 1) == pytest.approx(passed / tries)
    assert pass_hat_k(tries, passed, 1) == pytest.approx(passed / tries)
    k = data.draw(st.integers(1, tries))
    assert pass_hat_k(tries, passed, k) <= passed / tries + 1e-12 <= pass_at_k(tries, passed, k) + 2e-12


@pytest.mark.parametrize("k", [0, 4])
def test_more_tries_than_there_are_have_no_pass_rate(k: int) -> None:
    for rate in (pass_at_k, pass_hat_k):
        with pytest.raises(UndefinedMetricError, match="cannot be drawn from 3"):
            rate(3, 1, k)


def test_equivalence_is_the_90_percent_interval_within_the_margin() -> None:
    estimate = paired_difference([0.02, -0.01, 0.01, 0.0, 0.03, -0.02, 0.01, 0.0], range(8))
    narrow = paired_difference([0.02, -0.01, 0.01, 0.0, 0.03, -0.02, 0.01, 0.0], range(8), confidence=0.9)
    reach = max(abs(narrow.low), abs(narrow.high))
    assert equivalence_p(estimate, reach + 1e-6) < 0.05 < equivalence_p(estimate, reach - 1e-6)
    assert non_inferiority_p(estimate, 0.02) < equivalence_p(estimate, 0.02) + 1e-12


def test_effect_sizes_of_few_or_equal_papers_are_not_made_up() -> None:
    assert standardised_difference([0.1, 0.2]) is None
    assert standardised_difference([0.1, 0.1, 0.1]) is None
    assert superiority([]) is None
    assert superiority([1e-17, -1e-17]) == 0.5


def test_two_papers_have_no_bootstrap_interval_and_equal_ones_have_no_width() -> None:
    assert bootstrap_intervals([PaperSums(sums=(0.1, 0.2), sizes=(1, 1))])[0].mean is None
    same = bootstrap_intervals([PaperSums(sums=(0.1,) * 5, sizes=(1,) * 5)])[0]
    assert same.mean == pytest.approx((0.1, 0.1))


def test_power_grows_with_papers_and_effect_and_the_papers_needed_are_the_first_that_suffice() -> None:
    assert power(0.5, 5) == 0.0
    found = [power(0.6, papers) for papers in (6, 8, 10, 11, 14, 20, 40)]
    assert found == sorted(found)
    for effect in (0.3, 0.9, 1.4):
        needed = papers_needed(effect)
        assert needed is not None
        assert power(effect, needed) >= 0.8
        assert needed == 6 or power(effect, needed - 1) < 0.8
    assert papers_needed_for_equivalence(0.0, 0.2) == pytest.approx(215, abs=3)


def test_repetitions_settle_it_where_they_are_what_varies_and_nothing_else_does() -> None:
    estimate = ClusteredMean(mean=0.05, standard_error=0.03, low=-0.01, high=0.11, n=20, clusters=20)
    noisy = settling(estimate, VarianceSplit(papers=0.001, repetitions=0.02, per_paper=1.0))
    assert noisy.repetitions is not None
    assert 2 <= noisy.repetitions <= 20
    assert settling(estimate, VarianceSplit(papers=0.02, repetitions=0.001, per_paper=1.0)).repetitions is None
    assert settling(estimate, VarianceSplit(papers=0.02, repetitions=None, per_paper=1.0)).repetitions is None


def test_a_margin_lets_equivalence_settle_what_a_difference_never_would() -> None:
    estimate = ClusteredMean(mean=0.0, standard_error=0.02, low=-0.04, high=0.04, n=25, clusters=25)
    split = VarianceSplit(papers=0.01, repetitions=None, per_paper=1.0)
    assert settling(estimate, split).papers is None
    assert settling(estimate, split, margin=0.05).papers == pytest.approx(36, abs=1)


def test_sides_without_any_spread_have_no_unpaired_interval() -> None:
    with pytest.raises(UndefinedMetricError, match="no paper of either side differs"):
        unpaired_difference([0.1] * 4, range(4), [0.2] * 4, range(4))


def test_a_sequence_rules_means_out_for_good_and_ends_with_each_conclusion() -> None:
    sequence = ConfidenceSequence()
    widths: list[float] = []
    for value in [0.3, 0.1, 0.2] * 40:
        sequence.add(value)
        low, high = sequence.interval
        widths.append(high - low)
    assert widths == sorted(widths, reverse=True)
    assert sequence.interval[0] <= 0.2 <= sequence.interval[1]
    assert sequence.e_value(0.0) > 20 > sequence.e_value(0.2)
    with pytest.raises(ValueError, match="possible"):
        sequence.add(1.5)
    assert sequential_conclusion([-0.3, -0.1] * 60).conclusion == "worse"
    assert sequential_conclusion([0.01, -0.01] * 200, margin=0.1).conclusion == "equivalent"
    assert sequential_conclusion([0.01, -0.01] * 200).conclusion == "not enough data"
    assert sequential_conclusion([]).papers == 0
