"""A sweep while it goes on, and how far it came."""

import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any, Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from agents_eval_cli.views.live_line import LiveLine
from agents_eval_cli.views.page import columns, pairs
from agents_eval_core.counted import count
from agents_eval_core.sweep import SweepOrder
from agents_eval_core.work import WorkProgress

SECONDS_BETWEEN_LINES: Final = 10.0
MINUTE: Final = 60
HOUR: Final = 3600
PAPERS_SHOWN: Final = 5


class WorkLine(LiveLine):
    """How far a sweep or batch is; where there is no terminal, a line every ten seconds."""

    _said_at = 0.0

    def __call__(self, progress: WorkProgress) -> None:
        """Show how far it is."""
        if self.is_live:
            self.update(progress_line(progress))
        elif self.has_lines and (time.monotonic() - self._said_at > SECONDS_BETWEEN_LINES or not progress.left):
            self._said_at = time.monotonic()
            sys.stderr.write(f"{progress_line(progress)}\n")


def progress_line(progress: WorkProgress) -> str:
    """Return how far a sweep is, on one line, with when it ends and what it will have cost."""
    parts = [f"{progress.ended:,} of {progress.total:,} cells"]
    if progress.counts["failed"]:
        parts.append(f"{progress.counts['failed']:,} failed")
    if progress.remaining_seconds is not None and progress.left:
        parts.append(f"about {duration(progress.remaining_seconds)} left")
    if progress.spent.cost_usd:
        expected = f" of about {progress.expected_usd:.2f}" if progress.expected_usd is not None else ""
        parts.append(f"{progress.spent.cost_usd:.2f}{expected} USD")
    elif progress.spent.cost_usd is None:
        parts.append("cost unknown")
    return f"{progress.name}: {', '.join(parts)}"


def duration(seconds: float) -> str:
    """Return a length of time as people say it.

    >>> duration(4.2), duration(200), duration(7400)
    ('4 s', '3 min 20 s', '2 h 03 min')
    """
    if seconds < MINUTE:
        return f"{seconds:.0f} s"
    if seconds < HOUR:
        return f"{seconds // MINUTE:.0f} min {seconds % MINUTE:02.0f} s"
    return f"{seconds // HOUR:.0f} h {seconds % HOUR // MINUTE:02.0f} min"


def work_object(progress: WorkProgress) -> dict[str, Any]:
    """Return what the JSON result says about how far a sweep is."""
    return {
        "name": progress.name,
        "cells": progress.counts,
        "total": progress.total,
        "left": progress.left,
        "elapsed_seconds": progress.elapsed_seconds,
        "remaining_seconds": progress.remaining_seconds if progress.left else 0.0,
        "spent": progress.spent,
        "expected_usd": progress.expected_usd,
        "budget_exceeded": progress.exceeded or None,
        "stopped_because": progress.waits_for or None,
        "decided": progress.decided or None,
    }


def sweep_list_view(found: Sequence[WorkProgress]) -> Group:
    """Return all sweeps, a line each."""
    if not found:
        return Group(Text("No sweep was begun here yet. 'agents-eval sweep --help' says how."))
    return Group(work_table("sweep", found))


def work_table(kind: str, found: Sequence[WorkProgress]) -> Table:
    """Return sweeps or batches, a line each."""
    numbers = ("cells", "done", "failed", "left")
    table = columns(kind, *numbers, right=frozenset(numbers), whole=frozenset({kind}))
    for each in found:
        figures = (each.total, each.counts["done"], each.counts["failed"], each.left)
        table.add_row(Text(each.name), *(f"{number:,}" for number in figures))
    return table


def sweep_view(progress: WorkProgress, order: SweepOrder) -> Group:
    """Return how far a sweep is, and what it is made of."""
    return Group(*_parts(progress, order))


def _counted(progress: WorkProgress) -> Iterator[str]:
    yield f"{progress.counts['done']:,} done"
    yield f"{progress.counts['failed']:,} failed"
    yield f"{progress.left:,} left"


def _spent(progress: WorkProgress, order: SweepOrder) -> Iterator[tuple[str, str]]:
    spent = progress.spent
    if spent.tokens == 0 and not any(system.has_language_model for system in order.systems):
        yield "tokens", "none: no language model"
        return
    yield "tokens", "unknown" if spent.tokens is None else f"{spent.tokens:,}"
    yield "cost", "unknown" if spent.cost_usd is None else f"{spent.cost_usd:.4f} USD"


def _parts(progress: WorkProgress, order: SweepOrder) -> Iterator[RenderableType]:
    plan = order.plan
    yield pairs(
        ("sweep", progress.name),
        ("cells", f"{progress.total:,}: {', '.join(_counted(progress))}"),
        ("papers", f"{len(order.papers)} of {plan.dataset}; {count(plan.repetitions, 'repetition')}"),
        ("systems", str(len(order.systems))),
        ("took", duration(progress.elapsed_seconds)),
        *_spent(progress, order),
    )
    if order.left_out:
        some = ", ".join(list(order.left_out)[:PAPERS_SHOWN]) + (", …" if len(order.left_out) > PAPERS_SHOWN else "")
        yield Text(
            f"\n{len(order.left_out)} papers before those were passed over: without a text, without a usable human "
            f"review, or of an id that several have ({some}); 'agents-eval sweep status {progress.name} --json' says "
            "why for each"
        )
    if progress.exceeded:
        yield Text(f"\nThe budget was exceeded, as what a run takes is known only at its end: {progress.exceeded}.")
    if progress.waits_for:
        yield Text(f"\n{progress.waits_for}. {progress.left:,} cells are left.")
    if progress.decided:
        rest = f" {progress.left:,} cells were not needed." if progress.left else ""
        yield Text(f"\nDecided: {progress.decided}.{rest}")
    yield Text("")
    verb = "report" if progress.decided or not progress.left else "resume"
    yield Text(f"'agents-eval sweep {verb} {progress.name}' is next")
