"""The same values as scipy and statsmodels, where they have the same test or estimate."""

import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from agents_eval_core.statistics.bootstrap import bootstrap_intervals
from agents_eval_core.statistics.equivalence import equivalence_p
from agents_eval_core.statistics.evidence import PairedValues, paired_evidence, unpaired_evidence
from agents_eval_core.statistics.mcnemar import mcnemar_p
from agents_eval_core.statistics.multiplicity import benjamini_hochberg, holm
from agents_eval_core.statistics.paired import difference_p, paired_difference
from agents_eval_core.statistics.paper_sums import paper_sums
from agents_eval_core.statistics.power import papers_needed, power
from agents_eval_core.statistics.sign_flip import sign_flip_p
from agents_eval_core.statistics.unpaired import unpaired_difference
from agents_eval_core.statistics.variance import variance_split
from agents_eval_core.statistics.wilcoxon import wilcoxon_p

SCIPY: Any = import_module("scipy.stats")  # by name: neither library has type stubs
CONTINGENCY: Any = import_module("statsmodels.stats.contingency_tables")
MANY: Any = import_module("statsmodels.stats.multitest")
POWER: Any = import_module("statsmodels.stats.power")
WEIGHTED: Any = import_module("statsmodels.stats.weightstats")


def drawn(papers: int, seed: int = 3, shift: float = 0.05) -> list[float]:
    return [float(each) for each in np.random.default_rng(seed).normal(shift, 0.1, size=papers)]


@pytest.mark.parametrize("papers", [6, 20, 150])
def test_the_interval_and_p_of_paired_differences_are_those_of_the_t_test(papers: int) -> None:
    differences = drawn(papers)
    reference = SCIPY.ttest_1samp(differences, 0.0)
    estimate = paired_difference(differences, range(papers))
    assert difference_p(estimate) == pytest.approx(reference.pvalue, rel=1e-9)
    interval = reference.confidence_interval(0.95)
    assert (estimate.low, estimate.high) == pytest.approx((interval.low, interval.high), rel=1e-9)


@pytest.mark.parametrize("papers", [6, 10, 13])
def test_the_sign_flip_test_is_the_exact_permutation_test(papers: int) -> None:
    differences = drawn(papers)
    reference = SCIPY.permutation_test((differences,), np.sum, permutation_type="samples", n_resamples=np.inf)
    assert sign_flip_p(differences) == pytest.approx(reference.pvalue, rel=1e-9)


def test_the_random_sign_flip_test_comes_close_to_the_exact_one() -> None:
    differences = drawn(18, seed=5, shift=0.03)
    reference = SCIPY.permutation_test((differences,), np.sum, permutation_type="samples", n_resamples=2**18)
    assert sign_flip_p(differences) == pytest.approx(reference.pvalue, abs=0.01)


@pytest.mark.parametrize("papers", [6, 25, 50, 51, 200])
def test_wilcoxon_without_ties(papers: int) -> None:
    differences = drawn(papers, seed=papers)
    assert wilcoxon_p(differences) == pytest.approx(SCIPY.wilcoxon(differences).pvalue, rel=1e-9)


def test_wilcoxon_with_ties_and_zeros_is_exact_for_few_and_corrected_for_many() -> None:
    few = [0.1, 0.1, 0.2, -0.1, 0.3, 0.0, 0.2, -0.2, 0.4]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert wilcoxon_p(few) == pytest.approx(SCIPY.wilcoxon([x for x in few if x]).pvalue, rel=1e-9)
        many = [round(each, 1) for each in drawn(300, shift=0.02)]
        assert wilcoxon_p(many) == pytest.approx(SCIPY.wilcoxon(many).pvalue, rel=1e-9)
    assert wilcoxon_p([0.0, 0.0]) is None


@pytest.mark.parametrize(("gained", "lost"), [(6, 1), (12, 12), (20, 4), (20, 5), (40, 12)])
def test_mcnemar(gained: int, lost: int) -> None:
    reference = CONTINGENCY.mcnemar([[10, gained], [lost, 10]], exact=gained + lost < 25, correction=True)
    assert mcnemar_p(gained, lost) == pytest.approx(reference.pvalue, rel=1e-9)


@pytest.mark.parametrize(("ours", "method"), [(holm, "holm"), (benjamini_hochberg, "fdr_bh")])
def test_corrections_for_many_questions(ours: Callable[[list[float]], list[float]], method: str) -> None:
    ps = [0.001, 0.2, 0.03, 0.04, 0.04, 0.9, 0.012]
    reference = MANY.multipletests(ps, method=method)[1]
    assert ours(ps) == pytest.approx(list(reference), rel=1e-12)
    assert ours([]) == []


def test_two_one_sided_tests() -> None:
    differences = drawn(25, shift=0.01)
    reference = WEIGHTED.DescrStatsW(differences).ttost_mean(-0.06, 0.06)
    assert equivalence_p(paired_difference(differences, range(25)), 0.06) == pytest.approx(reference[0], rel=1e-9)


def test_unpaired_sides_of_one_run_a_paper_are_welchs_test() -> None:
    one, other = drawn(12, seed=1), drawn(20, seed=2, shift=0.12)
    reference = SCIPY.ttest_ind(other, one, equal_var=False)
    found = unpaired_difference(one, range(12), other, range(20))
    assert (found.p, found.degrees) == pytest.approx((reference.pvalue, reference.df), rel=1e-9)
    interval = reference.confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high), rel=1e-9)

    def difference(x: list[float], y: list[float]) -> float:
        return float(np.mean(x) - np.mean(y))

    by_labels = SCIPY.permutation_test(
        (other, one), difference, n_resamples=20_000, vectorized=False, rng=np.random.default_rng(1)
    )
    evidence = unpaired_evidence(one, range(12), other, range(20))
    assert evidence.permutation_p == pytest.approx(by_labels.pvalue, abs=0.01)
    ranks = SCIPY.mannwhitneyu(other, one)
    assert evidence.superiority == pytest.approx(ranks.statistic / (12 * 20), rel=1e-9)


@pytest.mark.parametrize("papers", [12, 25, 80])
def test_bootstrap_intervals_of_mean_and_median(papers: int) -> None:
    differences = [each**2 for each in drawn(papers, shift=0.3)]
    (ours,) = bootstrap_intervals([paper_sums(differences, range(papers))])
    for statistic, interval in ((np.mean, ours.mean), (np.median, ours.median)):
        reference = SCIPY.bootstrap(
            (differences,), statistic, n_resamples=20_000, method="BCa", rng=np.random.default_rng(2)
        ).confidence_interval
        assert interval is not None
        width = reference.high - reference.low
        assert interval == pytest.approx((reference.low, reference.high), abs=0.1 * width)


def test_the_power_of_many_papers_is_that_of_the_t_test() -> None:
    reference = POWER.TTestPower()
    for effect, papers in ((0.3, 40), (0.5, 30), (0.2, 200)):
        assert power(effect, papers) == pytest.approx(reference.power(effect, papers, 0.05), abs=1e-4)
    assert papers_needed(0.5) == int(np.ceil(reference.solve_power(0.5, power=0.8, alpha=0.05)))


def test_the_variance_split_finds_what_was_put_in() -> None:
    generator = np.random.default_rng(9)
    papers = np.repeat(np.arange(2000), 3)
    values = np.repeat(generator.normal(0, 0.2, 2000), 3) + generator.normal(0, 0.1, 6000)
    split = variance_split(values.tolist(), papers.tolist())
    assert split is not None
    assert (split.papers, split.repetitions, split.per_paper) == pytest.approx((0.04, 0.01, 3.0), rel=0.1)
    assert split.correlation == pytest.approx(0.8, abs=0.03)
    assert split.of_paper_mean(10) == pytest.approx(0.041, rel=0.1)
    single = variance_split([0.1, 0.3], ["a", "b"])
    assert single is not None
    assert (single.repetitions, single.correlation) == (None, None)
    assert variance_split([0.1, 0.2], ["a", "a"]) is None


def test_passes_and_failures_with_one_run_a_paper_have_mcnemars_test_and_others_none() -> None:
    binary = PairedValues(values=[(0.0, 1.0)] * 7 + [(1.0, 0.0)], papers=range(8))
    repeated = PairedValues(values=binary.values, papers=[0, 0, *range(6)])
    graded = PairedValues(values=[(0.5, 1.0)] * 8, papers=range(8))
    found = paired_evidence([binary, repeated, graded])
    assert found[0].mcnemar_p == pytest.approx(mcnemar_p(7, 1))
    assert [each.mcnemar_p for each in found[1:]] == [None, None]
