"""The runs that are kept, one line each."""

from collections.abc import Sequence
from typing import Any, Final

from rich.console import Group
from rich.text import Text

from agents_eval_cli.views.page import columns
from agents_eval_core.composition import composition_name
from agents_eval_core.data_root import DataRoot
from agents_eval_core.run import RunRecord

OFFLINE: Final = "offline"


def record_object(record: RunRecord, root: DataRoot) -> dict[str, Any]:
    """Return what the JSON result says about a kept run."""
    fields = record.model_dump(mode="json")
    return {"id": fields.pop("id"), "dir": root.path / fields.pop("directory"), **fields}


def run_list_view(records: Sequence[RunRecord]) -> Group:
    """Return the runs as a table, newest first; a model that all have in common is said once, below."""
    if not records:
        return Group(Text("No run is kept here yet. 'agents-eval quickstart' makes six."))
    models = {_model(record) for record in records}
    table = columns("run", "paper", "composition", *(["model"] if len(models) > 1 else []), "composite")
    table.columns[-1].justify = "right"
    for column in table.columns:
        column.overflow = "fold"
    for position in (0, -1):
        table.columns[position].no_wrap = True
    for record in records:
        model = [Text(_model(record))] if len(models) > 1 else []
        table.add_row(
            Text(record.id),
            Text(record.paper),
            Text(composition_name(record.composition) or record.engine),
            *model,
            _outcome(record),
        )
    return Group(table, *([] if len(models) > 1 else [Text(f"\nmodel of all these: {models.pop()}")]))


def _model(record: RunRecord) -> str:
    if record.provider == OFFLINE:
        return "no language model"
    return record.model or "not stated"


def _outcome(record: RunRecord) -> str:
    if record.status != "complete":
        return record.status
    return "none" if record.composite is None else f"{record.composite:.2f}"
