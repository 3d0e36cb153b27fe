"""`agents-eval trace`: what is in a trace file, of whatever format."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from agents_eval_cli.session import Session
from agents_eval_cli.views.run import shown_path
from agents_eval_cli.views.standard_output import write_result
from agents_eval_cli.views.trace import (
    outcome_words,
    skeleton_view,
    span_object,
    span_view,
    trace_list_view,
    trace_object,
)
from agents_eval_cli.views.trace_stats import trace_stats_view
from agents_eval_core.claude_code_sessions import is_pointer, session_transcript
from agents_eval_core.errors import UnknownNameError, UnreadableError
from agents_eval_core.report.trace_skeleton import trace_skeleton
from agents_eval_core.trace import Span, Trace
from agents_eval_core.trace_source import read_traces
from agents_eval_core.use_cases.convert_traces import convert_traces, write_converted
from agents_eval_core.use_cases.trace_files import is_folder_of_files, trace_files
from agents_eval_core.use_cases.trace_stats import counted, trace_stats

STEPS: Final = 100
FILES: Final = 100

SourceArgument = Annotated[
    str, typer.Argument(metavar="PATH", help="A trace file, a session's folder, or claude-code:latest.")
]
FormatOption = Annotated[
    str | None, typer.Option("--format", help="The format of the file; by default it is recognised.")
]
TraceOption = Annotated[str | None, typer.Option("--trace", metavar="ID", help="Which trace of a file with several.")]

command = typer.Typer(
    help="Show what is in a trace file, count it, or convert it.", rich_markup_mode=None, add_completion=False
)


@command.command("show")
def show_trace(
    ctx: typer.Context,
    source: SourceArgument,
    *,
    span: Annotated[str | None, typer.Option(metavar="ID", help="Show this step whole.")] = None,
    trace: TraceOption = None,
    trace_format: FormatOption = None,
    skip: Annotated[int, typer.Option(min=0, help="Leave out so many steps or traces.")] = 0,
    limit: Annotated[int, typer.Option(min=0, help="Show at most so many steps or traces; 0 shows all.")] = STEPS,
) -> None:
    """Show the steps of a trace under each other; of a file with several, or of a folder of files, the list of them."""
    session = Session(ctx)
    path = _path(source)
    found, listed = _chosen(_traces(path, trace_format, session.note), path, trace)
    if found is None:
        shown = list(islice(listed, skip, skip + limit if limit else None))
        session.give("traces", {"traces": shown, "total": len(listed)}, trace_list_view(shown, len(listed)))
    elif span is not None:
        one = _span(found, span)
        session.give("span", {"trace": found.id, "span": span_object(one)}, span_view(found, one))
    else:
        figures = counted([found])
        steps = list(islice(trace_skeleton(found), skip, skip + limit if limit else None))
        session.give(
            "trace",
            {"trace": trace_object(found), "figures": figures, "steps": steps, "total": len(found.spans)},
            skeleton_view(found, figures, steps, skip),
        )


@command.command("stats")
def count_traces(
    ctx: typer.Context,
    sources: Annotated[list[str], typer.Argument(metavar="PATH…", help="Trace files, and folders of them.")],
    *,
    trace_format: FormatOption = None,
    skip: Annotated[int, typer.Option(min=0, help="Leave out so many rows.")] = 0,
    limit: Annotated[int, typer.Option(min=0, help="Show at most so many rows; 0 shows all.")] = FILES,
) -> None:
    """Count what is in each file: agents, steps, calls, failures, delegations, tokens and cost.

    Folders are walked. A file without a trace is named with the reason.
    """
    session = Session(ctx)
    rows = list(trace_stats([_path(source) for source in sources], trace_format=trace_format))
    session.give("trace-stats", {"files": rows}, trace_stats_view(rows, skip=skip, limit=limit))


@command.command("convert")
def convert(
    ctx: typer.Context,
    source: SourceArgument,
    *,
    to: Annotated[str, typer.Option(help="The format to write: otlp or native.")],
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to; default is standard output.")] = None,
    trace: TraceOption = None,
    trace_format: FormatOption = None,
) -> None:
    """Write traces in another format, with secrets taken out."""
    session = Session(ctx)
    parts = convert_traces(_path(source), to, trace_format=trace_format, trace_id=trace)
    if out is None:
        for part in parts:
            write_result(part.decode())
        return
    total = write_converted(parts, out)
    said = f"{total} trace{'s' if total != 1 else ''} as {to} in {shown_path(out)}"
    session.give("converted", {"file": out, "format": to, "traces": total}, said)


def _path(source: str) -> Path:
    return session_transcript(source) if is_pointer(source) else Path(source)


def _chosen(
    traces: Iterable[tuple[Path | None, Trace]], path: Path, wanted: str | None
) -> tuple[Trace | None, Sequence[dict[str, Any]]]:
    """Return the trace to show, or where several are there and none was chosen, what they are."""
    first: Trace | None = None
    listed: list[dict[str, Any]] = []
    for file, one in traces:
        if one.id == wanted:
            return one, listed
        first = first or one
        listed.append(
            {
                "id": one.id,
                **({} if file is None else {"file": str(file.relative_to(path))}),
                "task_id": one.task_id,
                "spans": len(one.spans),
                "agents": len(one.agents),
                "outcome": outcome_words(one.outcome),
            }
        )
    if wanted is not None:
        hint = f"'agents-eval trace show {path}' lists them"
        raise UnknownNameError("trace", wanted, [one["id"] for one in listed], hint=hint)
    return (first, listed) if len(listed) == 1 else (None, listed)


def _traces(path: Path, trace_format: str | None, tell: Callable[[str], None]) -> Iterator[tuple[Path | None, Trace]]:
    """Yield the traces of a path; of a folder that is none itself those of the files in it, with the file of each.

    A file of the folder that cannot be read to its end is told of, and the others go on.
    """
    if not is_folder_of_files(path, trace_format):
        yield from ((None, one) for one in read_traces(path, trace_format))
        return
    for file in trace_files([path], trace_format=trace_format):
        if file.trace_format is not None and file.part_of is None:
            try:
                yield from ((file.path, one) for one in read_traces(file.path, file.trace_format))
            except UnreadableError as problem:
                tell(str(problem))


def _span(trace: Trace, wanted: str) -> Span:
    found = trace.span_by_id.get(wanted)
    if found is None:
        raise UnknownNameError("step", wanted, trace.span_by_id, hint="'agents-eval trace show' has their ids")
    return found
