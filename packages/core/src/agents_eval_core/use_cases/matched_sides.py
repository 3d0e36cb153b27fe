"""Two sides with their runs paired by declared identity, and who has no partner."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from agents_eval_core.run import RunRecord
from agents_eval_core.statistics.paired import Pairing, pair_runs, paper_of
from agents_eval_core.use_cases.evaluated_side import EvaluatedSide
from agents_eval_core.use_cases.paired_series import Pair


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchedSides:
    """A baseline and a candidate.

    Attributes:
        pairs: Of all runs that have a partner, complete or not.
        alone: Why a complete run is in no pair with two scorecards, by run id, for each side.
    """

    baseline: EvaluatedSide
    candidate: EvaluatedSide
    pairs: tuple[Pair, ...]
    alone: tuple[Mapping[str, str], Mapping[str, str]]

    @property
    def labels(self) -> tuple[str, str]:
        """The names of the two sides."""
        return self.baseline.side.label, self.candidate.side.label


def matched_sides(baseline: EvaluatedSide, candidate: EvaluatedSide) -> MatchedSides:
    """Pair the runs of two sides by dataset, paper and repetition.

    Runs that failed keep their place, so that what they lack is counted. A pair whose runs both repeat word for word
    what another pair of the same paper gave is marked.
    """
    pairing = pair_runs(baseline.records, candidate.records)
    return MatchedSides(
        baseline=baseline,
        candidate=candidate,
        pairs=tuple(_pairs(pairing, baseline, candidate)),
        alone=(
            dict(_alone(baseline, candidate, pairing.pairs, pairing.unmatched_first)),
            dict(_alone(candidate, baseline, [(b, a) for a, b in pairing.pairs], pairing.unmatched_second)),
        ),
    )


def _pairs(pairing: Pairing, baseline: EvaluatedSide, candidate: EvaluatedSide) -> Iterator[Pair]:
    seen: set[tuple[tuple[str, str], str, str]] = set()
    for one, other in pairing.pairs:
        marks = baseline.fingerprints.get(one.id), candidate.fingerprints.get(other.id)
        key = None if marks[0] is None or marks[1] is None else (paper_of(one), marks[0], marks[1])
        cards = baseline.scorecards.get(one.id), candidate.scorecards.get(other.id)
        yield Pair(
            paper=paper_of(one),
            baseline=cards[0],
            candidate=cards[1],
            baseline_absence="" if cards[0] else baseline.why_absent(one),
            candidate_absence="" if cards[1] else candidate.why_absent(other),
            repeats=key in seen,
        )
        if key is not None:
            seen.add(key)


def _alone(
    side: EvaluatedSide,
    other_side: EvaluatedSide,
    pairs: Sequence[tuple[RunRecord, RunRecord]],
    unmatched: Mapping[str, str],
) -> Iterator[tuple[str, str]]:
    complete = set(side.side.runs)
    for run, other in pairs:
        if run.id not in complete:
            continue
        if run.id in side.missing:
            yield run.id, side.missing[run.id]
        elif other.id not in other_side.scorecards:
            yield run.id, f"its partner {other.id} has no scorecard ({other_side.why_absent(other)})"
    yield from ((run, side.missing.get(run, why)) for run, why in unmatched.items() if run in complete)
