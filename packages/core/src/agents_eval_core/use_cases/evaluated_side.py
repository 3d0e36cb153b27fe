"""A set of runs with what is known of each: its scorecard, or why there is none, and whether it repeats another."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from agents_eval_core.comparison import Side
from agents_eval_core.composite import SIX
from agents_eval_core.data_root import DataRoot
from agents_eval_core.errors import AgentsEvalError
from agents_eval_core.run import RunRecord
from agents_eval_core.score import Scorecard
from agents_eval_core.statistics.paired import paper_of
from agents_eval_core.store.run_directory import RunDirectory

CLOCKED = frozenset({"time_taken"})  # never twice the same, whatever was done


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluatedSide:
    """A set of runs with what is known of each.

    Attributes:
        records: All of its runs, complete or not.
        scorecards: Those of the complete runs that have one, by run id.
        missing: Why other complete runs have none, by run id.
        fingerprints: Of what came out of a run, by run id; the same for runs that repeat each other word for word.
    """

    side: Side
    records: tuple[RunRecord, ...]
    scorecards: Mapping[str, Scorecard]
    missing: Mapping[str, str] = field(default_factory=dict[str, str])
    fingerprints: Mapping[str, str] = field(default_factory=dict[str, str])

    def why_absent(self, record: RunRecord) -> str:
        """Return in a word or two why a run has no scorecard."""
        return "not evaluated" if record.status == "complete" else f"run {record.status}"


def evaluated_side(selector: str, label: str, records: Sequence[RunRecord], root: DataRoot) -> EvaluatedSide:
    """Return a set of runs with the scorecards that are kept of it."""
    complete = [record for record in records if record.status == "complete"]
    found = {record.id: _scorecard(record, root) for record in complete}
    scorecards = {run: card for run, card in found.items() if isinstance(card, Scorecard)}
    fingerprints = {
        record.id: mark for record in complete if (mark := _fingerprint(record, root, scorecards.get(record.id)))
    }
    side = Side(
        selector=selector,
        label=label,
        runs=tuple(record.id for record in complete),
        excluded={record.id: record.status for record in records if record.status != "complete"},
        identical=tuple(_repeating(complete, fingerprints)),
    )
    missing = {run: card for run, card in found.items() if isinstance(card, str)}
    return EvaluatedSide(
        side=side, records=tuple(records), scorecards=scorecards, missing=missing, fingerprints=fingerprints
    )


def metrics_of(sides: Iterable[EvaluatedSide]) -> tuple[str, ...]:
    """Return the names of all scores of the sides: the six of the composite first, then the others by name."""
    found = {score.name for side in sides for card in side.scorecards.values() for score in card.scores}
    return (*(name for name in SIX if name in found), *sorted(found.difference(SIX)))


def _scorecard(record: RunRecord, root: DataRoot) -> Scorecard | str:
    try:
        card = RunDirectory.open(root.path / record.directory).read_scorecard()
    except AgentsEvalError as problem:
        return f"its scorecard cannot be read: {problem}"
    return card or f"it was not evaluated; 'agents-eval evaluate {record.id}' does that"


def _fingerprint(record: RunRecord, root: DataRoot, card: Scorecard | None) -> str | None:
    """Return what a run has in common with its exact repetitions only; None where nothing came out of it."""
    output = RunDirectory(root.path / record.directory).output_digest()
    if card is None or output is None:
        return None
    values = sorted((score.name, score.value) for score in card.scores if score.name not in CLOCKED)
    return f"{record.engine} {record.composition} {record.model} {output} {values}"


def _repeating(records: Iterable[RunRecord], fingerprints: Mapping[str, str]) -> Iterator[str]:
    seen: set[tuple[tuple[str, str], str]] = set()
    for record in sorted(records, key=lambda record: (record.repetition, record.created_at, record.id)):
        mark = fingerprints.get(record.id)
        if mark is None or not record.paper:
            continue
        if (paper_of(record), mark) in seen:
            yield record.id
        seen.add((paper_of(record), mark))
