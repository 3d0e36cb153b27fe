"""Runs pair by what they declare, and a constant difference is not a certain one."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.run import RunRecord
from agents_eval_core.statistics.clustered import clustered_mean
from agents_eval_core.statistics.paired import pair_runs, paired_difference

START = datetime(2026, 1, 1, tzinfo=UTC)


def a_run(
    run_id: str, paper: str = "p1", *, repetition: int = 0, dataset: str = "sample", minute: int = 0
) -> RunRecord:
    return RunRecord(
        id=run_id,
        directory=f"runs/{run_id}",
        status="complete",
        engine="mas",
        composition="manager",
        dataset=dataset,
        paper=paper,
        repetition=repetition,
        created_at=START + timedelta(minutes=minute),
    )


def ids(pairs: tuple[tuple[RunRecord, RunRecord], ...]) -> list[tuple[str, str]]:
    return [(one.id, other.id) for one, other in pairs]


def test_runs_pair_by_paper_and_not_by_position() -> None:
    pairing = pair_runs([a_run("a1", "p1"), a_run("a2", "p2")], [a_run("b2", "p2"), a_run("b1", "p1")])
    assert ids(pairing.pairs) == [("a1", "b1"), ("a2", "b2")]
    assert not pairing.unmatched_first
    assert not pairing.unmatched_second


def test_repetitions_pair_with_their_own_number() -> None:
    first = [a_run("a0", repetition=0), a_run("a1", repetition=1)]
    second = [a_run("b1", repetition=1), a_run("b2", repetition=2)]
    pairing = pair_runs(first, second)
    assert ids(pairing.pairs) == [("a1", "b1")]
    assert pairing.unmatched_first == {"a0": "the other side has no run left of sample p1, repetition 0"}
    assert list(pairing.unmatched_second) == ["b2"]


def test_the_same_paper_id_in_two_datasets_is_two_papers() -> None:
    assert not pair_runs([a_run("a", dataset="sample")], [a_run("b", dataset="peerread")]).pairs


def test_several_runs_of_the_same_identity_pair_in_time_order_and_the_rest_is_left() -> None:
    first = [a_run("late", minute=2), a_run("early", minute=1)]
    second = [a_run("x", minute=5), a_run("y", minute=6), a_run("z", minute=7)]
    pairing = pair_runs(first, second)
    assert ids(pairing.pairs) == [("early", "x"), ("late", "y")]
    assert list(pairing.unmatched_second) == ["z"]


def test_runs_that_name_no_paper_are_not_taken_for_the_same_one() -> None:
    pairing = pair_runs([a_run("a", "", dataset="")], [a_run("b", "", dataset="")])
    assert not pairing.pairs
    assert pairing.unmatched_first == {"a": "it names no paper to pair it by"}
    assert list(pairing.unmatched_second) == ["b"]


records = st.lists(st.tuples(st.sampled_from(["p1", "p2", ""]), st.integers(0, 1), st.integers(0, 3)), max_size=8)


@given(records, records)
def test_every_run_is_in_one_pair_or_unmatched(
    first: list[tuple[str, int, int]], second: list[tuple[str, int, int]]
) -> None:
    sides = [
        [a_run(f"{side}{i}", paper, repetition=rep, minute=when) for i, (paper, rep, when) in enumerate(rows)]
        for side, rows in (("a", first), ("b", second))
    ]
    pairing = pair_runs(*sides)
    for index, unmatched in enumerate((pairing.unmatched_first, pairing.unmatched_second)):
        found = [pair[index].id for pair in pairing.pairs] + list(unmatched)
        assert sorted(found) == sorted(run.id for run in sides[index])
    assert all((a.dataset, a.paper, a.repetition) == (b.dataset, b.paper, b.repetition) for a, b in pairing.pairs)


def test_the_difference_has_the_clustered_interval() -> None:
    values, papers = [0.1, 0.2, 0.15, 0.3], ["a", "a", "b", "c"]
    assert paired_difference(values, papers) == clustered_mean(values, papers)


@pytest.mark.parametrize("value", [0.0, 0.1, 0.30000000000000004 - 0.2, -0.7])
@pytest.mark.parametrize("papers", [2, 6, 12])
def test_the_same_difference_in_every_paper_is_not_certainty(value: float, papers: int) -> None:
    noise = [value + 1e-17 * index for index in range(papers)]
    estimate = paired_difference(noise, range(papers))
    assert estimate.low < value < estimate.high
    assert estimate.high - estimate.low > 2 / papers


def test_repetitions_that_cancel_in_every_paper_are_not_certainty_either() -> None:
    estimate = paired_difference([0.0, 0.2] * 6, [paper for paper in range(6) for _ in range(2)])
    assert estimate.low < 0 < estimate.high


def test_the_interval_of_a_difference_of_scores_stays_within_what_is_possible() -> None:
    estimate = paired_difference([0.9, -0.2], ["a", "b"])
    assert (estimate.low, estimate.high) == (-1.0, 1.0)


def test_one_paper_has_no_interval() -> None:
    with pytest.raises(UndefinedMetricError):
        paired_difference([0.1, 0.2], ["a", "a"])
