"""The SQL of lists of runs: filters and orders as conditions with their values, never as text of others."""

from typing import Final, get_args

from agents_eval_core.run_list import RunField, RunFilter, RunOrder, SortField
from agents_eval_core.store.rows import Value

SEARCHED: Final = ("id", "paper", "venue", "composition", "model", "sweep", "problem", "engine", "dataset")
HAYSTACK: Final = " || char(10) || ".join(f"coalesce({field}, '')" for field in SEARCHED)


def where(wanted: RunFilter) -> tuple[str, list[Value]]:
    """Return the condition of a filter, and the values of its places; it is true of all runs where nothing is asked.

    >>> where(RunFilter(having={"engine": "mas"}))
    ('engine = ?', ['mas'])
    """
    known = get_args(RunField)
    parts = [f"{field} = ?" for field in wanted.having if field in known]
    values: list[Value] = [value for field, value in wanted.having.items() if field in known]
    for word in wanted.words.split():
        parts.append(f"instr(lower({HAYSTACK}), ?) > 0")
        values.append(word.lower())
    return " and ".join(parts) or "true", values


def ordering(order: RunOrder) -> str:
    """Return the order of a list; what has no value comes last.

    >>> ordering(RunOrder())
    'created_at desc, id desc'
    """
    field = order.by if order.by in get_args(SortField) else "created_at"
    way = "desc" if order.descending else "asc"
    if field == "created_at":
        return f"created_at {way}, id {way}"
    return f"{field} is null, {field} {way}, created_at desc, id desc"
