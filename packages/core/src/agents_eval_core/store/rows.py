"""What the database keeps of a run, as rows in the order of their tables' columns."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final

from agents_eval_core.redaction import redact
from agents_eval_core.run import RunRecord
from agents_eval_core.score import Measure, Score
from agents_eval_core.trace import Span, Trace, Usage

Value = str | int | float | None
Row = tuple[Value, ...]
RECORD_FIELDS: Final = tuple(RunRecord.model_fields)
SEPARATOR: Final = "\n\x00\n"
NO_USAGE: Final = Usage()


def record_row(record: RunRecord) -> Row:
    """Return a run's row."""
    values = record.__dict__ | {"created_at": _moment(record.created_at)}
    return tuple(values[name] for name in RECORD_FIELDS)


def record_of_row(row: Sequence[Value]) -> RunRecord:
    """Return a row's run."""
    return RunRecord.model_validate(dict(zip(RECORD_FIELDS, row, strict=True)))


def span_rows(run_id: str, trace: Trace) -> list[Row]:
    """Return the rows of a trace's spans: what is needed to list and filter them, without their long texts."""
    names = {agent.id: agent.name for agent in trace.agents}
    return [_span_row(run_id, position, span, names) for position, span in enumerate(trace.spans)]


def score_rows(record: RunRecord, scores: Iterable[Score]) -> list[Row]:
    """Return the rows of scores, each with its run's composition, by which they are asked for."""
    return [
        (
            record.id,
            position,
            record.composition,
            score.name,
            score.value,
            score.reason,
            score.error_type,
            score.label,
            score.explanation,
            score.evaluator,
            score.version,
            score.tier,
        )
        for position, score in enumerate(scores)
    ]


def measure_rows(run_id: str, measures: Iterable[Measure]) -> list[Row]:
    """Return the rows of measures; a truth value is kept as the word, for SQLite has none of its own."""
    return [
        (
            run_id,
            place,
            measure.name,
            str(measure.value) if isinstance(measure.value, bool) else measure.value,
            measure.unit,
        )
        for place, measure in enumerate(measures)
    ]


def clean(rows: list[Row]) -> list[Row]:
    """Return rows without secrets. All texts are searched at once; only where there is one, one by one.

    >>> clean([(1, "plain", None), (2, "ghp_0123456789abcdefABCD", None)])
    [(1, 'plain', None), (2, '[REDACTED]', None)]
    """
    texts = SEPARATOR.join({value for row in rows for value in row if isinstance(value, str)})
    if redact(texts) == texts:
        return rows
    return [tuple(redact(value) if isinstance(value, str) else value for value in row) for row in rows]


def _moment(moment: datetime | None) -> str | None:
    """Return a moment so that the order of the texts is the order in time."""
    return None if moment is None else moment.astimezone(UTC).isoformat(timespec="microseconds")


def _span_row(run_id: str, position: int, span: Span, names: dict[str, str]) -> Row:
    usage = span.usage or NO_USAGE
    return (
        run_id,
        position,
        span.id,
        span.parent_id,
        span.agent_id,
        names.get(span.agent_id) if span.agent_id is not None else None,
        span.operation,
        span.name,
        span.status,
        span.error_type,
        span.error_text,
        span.tool.name if span.tool else None,
        span.to_agent_id,
        span.model,
        _moment(span.started_at),
        _moment(span.ended_at),
        usage.input_tokens,
        usage.output_tokens,
        usage.cached_tokens,
        usage.cost_usd,
    )
