"""Pairs of runs of the same case, and the mean difference between the two sides."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from agents_eval_core.run import RunRecord
from agents_eval_core.statistics.bounded_mean import bounded_mean
from agents_eval_core.statistics.clustered import ClusteredMean
from agents_eval_core.statistics.student_t import upper_tail


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """Pairs of runs, and why the others have no partner, by run id."""

    pairs: tuple[tuple[RunRecord, RunRecord], ...]
    unmatched_first: dict[str, str]
    unmatched_second: dict[str, str]


def paper_of(record: RunRecord) -> tuple[str, str]:
    """Return which paper a run is about: its collection and its id there; an id may recur in another venue."""
    return f"{record.dataset}/{record.venue}", record.paper


def pair_runs(first: Iterable[RunRecord], second: Iterable[RunRecord]) -> Pairing:
    """Pair runs by what they declare: the same dataset, paper and repetition; never by position.

    Where a side has several runs of the same declared identity (a review done again by hand), the first of them in
    time is paired with the first of the other side, and so on; what is left over is unmatched. Complete runs come
    before those that failed, so that a run done again takes the place of the failure. So no run counts twice, and a
    side that was repeated more often gets no more weight. A run that names no paper has no partner.

    >>> from datetime import UTC, datetime
    >>> run = RunRecord(id="a", directory="", status="complete", engine="mas", composition="manager", dataset="sample",
    ...                 paper="p1", created_at=datetime(2026, 1, 1, tzinfo=UTC))
    >>> pairing = pair_runs([run], [run.changed(id="b"), run.changed(id="c", paper="p2")])
    >>> [(one.id, other.id) for one, other in pairing.pairs], list(pairing.unmatched_second)
    ([('a', 'b')], ['c'])
    """
    one, other = _cells(first), _cells(second)
    rows = [row for cell in sorted(one | other) for row in zip_longest(one.get(cell, ()), other.get(cell, ()))]
    pairs = tuple((a, b) for a, b in rows if a is not None and b is not None and a.paper)
    paired = {record.id for pair in pairs for record in pair}
    return Pairing(
        pairs=pairs,
        unmatched_first={a.id: _why_alone(a) for a, _ in rows if a is not None and a.id not in paired},
        unmatched_second={b.id: _why_alone(b) for _, b in rows if b is not None and b.id not in paired},
    )


def paired_difference(
    differences: Sequence[float], clusters: Sequence[Hashable], confidence: float = 0.95
) -> ClusteredMean:
    """Return the mean of differences between scores in [0, 1], with an interval that stays within [-1, 1].

    See `bounded_mean`.

    Raises:
        UndefinedMetricError: There are fewer than two clusters.

    >>> estimate = paired_difference([0.1] * 6, ["a", "b", "c", "d", "e", "f"])
    >>> round(estimate.low, 2), round(estimate.high, 2)
    (-0.33, 0.45)
    """
    return bounded_mean(differences, clusters, lowest=-1.0, highest=1.0, confidence=confidence)


def difference_p(estimate: ClusteredMean) -> float:
    """Return the two-sided p-value that belongs to the interval of `paired_difference`.

    >>> round(difference_p(paired_difference([0.1] * 6, "abcdef")), 2)
    0.56
    """
    if estimate.is_constant:
        return (1 + abs(estimate.mean)) ** -estimate.clusters
    return min(1.0, 2 * upper_tail(abs(estimate.mean) / estimate.standard_error, estimate.clusters - 1))


def _cells(records: Iterable[RunRecord]) -> dict[tuple[str, str, int], list[RunRecord]]:
    cells: defaultdict[tuple[str, str, int], list[RunRecord]] = defaultdict(list)
    for record in sorted(records, key=lambda record: (record.status != "complete", record.created_at, record.id)):
        cells[(*paper_of(record), record.repetition)].append(record)
    return dict(cells)


def _why_alone(record: RunRecord) -> str:
    if not record.paper:
        return "it names no paper to pair it by"
    where = f"{record.dataset} {record.paper}".strip()
    return f"the other side has no run left of {where}, repetition {record.repetition}"
