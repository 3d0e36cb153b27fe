"""Queries over stored runs: `engine=mas,composition=full`."""

from collections.abc import Callable
from typing import Final, get_args

from agents_eval_core.composition import is_composition
from agents_eval_core.errors import UnknownNameError, UsageError
from agents_eval_core.run import RunRecord, RunStatus

FIELDS: Final = ("engine", "composition", "provider", "model", "dataset", "venue", "paper", "sweep", "status")
HINT: Final = "A query is field=value, joined by commas, such as engine=mas,composition=full"


def run_query(text: str) -> Callable[[RunRecord], bool]:
    """Return the test that a query puts to each run; a comma means "and".

    A composition matches whatever the order of its parts, and `full` stands for the whole review team.

    Raises:
        UnknownNameError: A field, or a status, does not exist.
        UsageError: A part is no `field=value`.

    >>> from datetime import UTC, datetime
    >>> run = RunRecord(id="a", directory="runs/a", status="complete", engine="mas", composition="manager+analyst",
    ...     created_at=datetime(2026, 1, 2, tzinfo=UTC))
    >>> run_query("engine=mas,composition=analyst+manager")(run), run_query("composition=full")(run)
    (True, False)
    """
    conditions = [_condition(part.strip()) for part in text.split(",") if part.strip()]
    if not conditions:
        raise UsageError(f"the query {text!r} asks for nothing. {HINT}")
    return lambda record: all(_holds(record, field, value) for field, value in conditions)


def _condition(part: str) -> tuple[str, str]:
    field, sign, value = (piece.strip() for piece in part.partition("="))
    if not sign or not value:
        raise UsageError(f"{part!r} is no condition. {HINT}")
    if field not in FIELDS:
        raise UnknownNameError("field of runs", field, FIELDS, hint=HINT)
    if field == "status" and value not in get_args(RunStatus):
        raise UnknownNameError("status of runs", value, get_args(RunStatus))
    return field, value


def _holds(record: RunRecord, field: str, value: str) -> bool:
    stored = getattr(record, field)
    return is_composition(value, stored) if field == "composition" else stored == value
