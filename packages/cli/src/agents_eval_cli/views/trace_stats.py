"""What is in trace files, one row a file."""

from collections.abc import Mapping, Sequence
from typing import Final

from rich.console import Group
from rich.text import Text

from agents_eval_cli.views.page import heading
from agents_eval_cli.views.run import shown_path, whole_line
from agents_eval_core.report.trace_skeleton import shown_text
from agents_eval_core.use_cases.trace_stats import FileStats

NUMBERS: Final = ("traces", "agents", "steps", "calls", "failed", "deleg.", "in", "out", "cost $")
REASONS: Final = 20
LONGEST_PATH: Final = 1000


def trace_stats_view(rows: Sequence[FileStats], *, skip: int, limit: int) -> Group:
    """Return a line for each file that holds traces, then why the others hold none."""
    read = [row for row in rows if row.reason is None]
    others = [row for row in rows if row.reason is not None and row.part_of is None]
    parts_of = sum(row.part_of is not None for row in rows)
    shown = read[skip : skip + limit if limit else None]
    rest = f" {_place(skip, len(shown), len(read))}" if len(shown) < len(read) else ""
    along = f" {parts_of} more files are read as part of these." if parts_of else ""
    lines = _lines(shown) if read else []
    parts = [*lines, Text(f"\n{len(read)} files with traces.{rest}{along}")]
    unread = [row for row in shown if row.unread]
    if unread:
        parts += [heading("Not understood"), *(_reason(row, _kinds(row.unread)) for row in unread[:REASONS])]
        parts += _more(len(unread))
    if others:
        parts += [heading("Without a trace"), *(_reason(row, str(row.reason)) for row in others[:REASONS])]
        parts += _more(len(others))
    return Group(*parts)


def _place(skip: int, shown: int, total: int) -> str:
    """Return which part is shown, and how the next one is got."""
    end = skip + shown
    following = f"--skip {end} shows the next, " if end < total else ""
    return f"Those from {min(skip + 1, total)} to {end} are shown; {following}--limit 0 shows all."


def _lines(rows: Sequence[FileStats]) -> list[Text]:
    """Return the rows under their headings; lines are never folded, so that they can be searched and sorted."""
    table = [("format", *NUMBERS, "file"), *(_cells(row) for row in rows)]
    widths = [max(len(line[column]) for line in table) for column in range(len(NUMBERS) + 1)]
    lines = [whole_line("  ".join(_aligned(line, widths))) for line in table]
    lines[0].stylize("bold")
    return lines


def _aligned(cells: Sequence[str], widths: Sequence[int]) -> list[str]:
    numbers = [cell.rjust(width) for cell, width in zip(cells[1:-1], widths[1:], strict=True)]
    return [cells[0].ljust(widths[0]), *numbers, cells[-1]]


def _cells(row: FileStats) -> tuple[str, ...]:
    counts = (row.traces, row.agents, sum(row.spans.values()), row.tool_calls, row.failed_calls, row.delegations)
    tokens = (_tokens(row.input_tokens), _tokens(row.output_tokens))
    cost = "?" if row.cost_usd is None else f"{row.cost_usd:.4f}"
    return (row.format or "", *map(str, counts), *tokens, cost, shown_text(shown_path(row.path), LONGEST_PATH))


def _tokens(value: int | None) -> str:
    return "?" if value is None else str(value)


def _reason(row: FileStats, why: str) -> Text:
    return whole_line(f"  {shown_text(shown_path(row.path), LONGEST_PATH)}: {shown_text(why, 300)}")


def _kinds(unread: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in unread.items())


def _more(total: int) -> list[Text]:
    return [Text(f"  … and {total - REASONS} more; --json has all")] if total > REASONS else []
