"""What came of a batch, and what the store holds in all."""

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from agents_eval_cli.views.page import bullets, columns, heading, pairs
from agents_eval_cli.views.sweep import duration, work_table
from agents_eval_core.batch import BatchItem, BatchOrder
from agents_eval_core.composition import composition_name
from agents_eval_core.ports.store import RunGroup
from agents_eval_core.store.journal import Entry
from agents_eval_core.work import WorkProgress

SHOWN = 20


def batch_view(progress: WorkProgress, order: BatchOrder, failed: Sequence[Entry]) -> Group:
    """Return what came of a batch, with the first failures."""
    return Group(*_batch_parts(progress, order, failed))


def _batch_parts(progress: WorkProgress, order: BatchOrder, failed: Sequence[Entry]) -> Iterator[RenderableType]:
    counts = progress.counts
    yield pairs(
        ("batch", progress.name),
        ("evaluated", f"{counts['done']:,} of {progress.total:,}"),
        ("failed", f"{counts['failed']:,}"),
        ("took", duration(progress.elapsed_seconds)),
    )
    if failed:
        yield heading("Could not be evaluated")
        yield bullets(*(f"{_what(entry)}: {entry.problem.message if entry.problem else '?'}" for entry in failed))
    if order.unread:
        yield heading(f"No trace in {len(order.unread)} files")
        yield bullets(*order.unread[:SHOWN])
    yield Text("")
    yield Text(f"'agents-eval batch report' sums up what is kept; 'agents-eval runs' lists it ({progress.name}).")


def store_view(
    groups: Sequence[RunGroup], missing: Sequence[tuple[str, str, str, int]], batches: Sequence[WorkProgress]
) -> Group:
    """Return the runs by sweep and composition, the incomplete ones by reason, what has no value, and the batches."""
    if not groups and not batches:
        return Group(Text("No run is kept here yet. 'agents-eval quickstart' makes six."))
    return Group(*_store_parts(groups, missing), *_batches(batches))


def _store_parts(groups: Sequence[RunGroup], missing: Sequence[tuple[str, str, str, int]]) -> Iterator[RenderableType]:
    table = columns("sweep", "system", "ended", "runs", "composite", right=frozenset({"runs", "composite"}))
    for group in groups:
        ended = group.status if group.problem is None else f"{group.status}: {group.problem}"
        of = "" if group.scored == group.runs else f" (of {group.scored:,})"
        table.add_row(
            Text(group.sweep or "none"),
            Text(composition_name(group.composition) or group.engine),
            Text(ended),
            f"{group.runs:,}",
            "none" if group.mean is None else f"{group.mean:.2f}{of}",
        )
    yield table
    yield Text("\n'agents-eval memorisation' says how often models repeat the human reviews they are held against")
    unmeasured = [line for line in missing if line[1] != "not_applicable"]
    if unmeasured:
        yield heading("Without a value")
        yield bullets(
            *(f"{name}: {number:,} {_why(reason, kind)}" for name, reason, kind, number in unmeasured[:SHOWN])
        )
        rest = len(unmeasured) - SHOWN
        if rest > 0:
            yield Text(f"and {rest} more; --json gives all")


def _batches(batches: Sequence[WorkProgress]) -> Iterator[RenderableType]:
    if batches:
        yield heading("Batches")
        yield work_table("batch", batches)


def _why(reason: str, kind: str) -> str:
    return reason.replace("_", " ") + (f" ({kind})" if kind else "")


def _what(entry: Entry) -> str:
    item = BatchItem.model_validate_json(entry.content)
    if item.trace is not None:
        return f"{item.trace.path} ({item.trace.trace_id})"
    return item.directory or entry.key
