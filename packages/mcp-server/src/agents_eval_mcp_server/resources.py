"""The resources: a run, its report, its trace, and the metrics, for clients that read rather than call."""

import json
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError

from agents_eval_core.errors import AgentsEvalError
from agents_eval_core.reach import is_in_reach
from agents_eval_core.visible_text import visible
from agents_eval_mcp_server.door import told
from agents_eval_mcp_server.root import Root
from agents_eval_mcp_server.session import Session
from agents_eval_mcp_server.sources import confined_selector

LARGEST_CHARACTERS: Final = 400_000
SHOWN: Final = 100
FILES: Final = {"scorecard": "scorecard.json", "report": "report.md", "trace": "trace.otlp.jsonl"}


def add_resources(server: MCPServer[Session], root: Root) -> None:
    """Offer the resources."""

    def run(run_id: str) -> str:
        """The scorecard of a run, whole."""
        return _file(run_id, "scorecard", root)

    def report(run_id: str) -> str:
        """The report of a run in Markdown."""
        return _file(run_id, "report", root)

    def trace(run_id: str) -> str:
        """The trace of a run as OTLP JSON lines; of a large one the beginning."""
        return _file(run_id, "trace", root)

    offered = (
        ("runs/{run_id}", "Scorecard of a run", "application/json", run),
        ("runs/{run_id}/report", "Report of a run", "text/markdown", report),
        ("runs/{run_id}/trace", "Trace of a run", "application/x-ndjson", trace),
        ("metrics", "Metrics", "application/json", metrics),
    )
    for place, title, mime_type, read in offered:
        server.resource(f"agents-eval://{place}", title=title, mime_type=mime_type)(read)


def metrics() -> str:
    """All metrics with every published figure of their validity."""
    from agents_eval_core.use_cases.metric_catalogue import metric_catalogue  # noqa: PLC0415  loads all evaluators

    return json.dumps([entry.model_dump(mode="json") for entry in metric_catalogue()], ensure_ascii=False)


def _file(run_id: str, kind: str, root: Root) -> str:
    from agents_eval_core.use_cases.selection import select_runs  # noqa: PLC0415  the server answers before it loads

    with _found(run_id, root):
        root.refuse_moved_home()
        confined_selector(run_id, root)
        (record, *others) = select_runs(run_id, root.data)
        if others or not record.id.startswith(run_id):
            raise ResourceNotFoundError(f"{run_id[:SHOWN]!r} names no single run; list_runs gives ids")
    path = root.data.path / record.directory / FILES[kind]
    if not path.is_file() or not is_in_reach(path, root.of_runs):
        raise ResourceNotFoundError(f"run {record.id} has no {FILES[kind]}; evaluate_trace makes scorecard and report")
    with path.open(encoding="utf-8", errors="replace") as file:
        text = file.read(LARGEST_CHARACTERS + 1)
    return root.without_places(visible(text[:LARGEST_CHARACTERS]))


@contextmanager
def _found(run_id: str, root: Root) -> Generator[None]:
    try:
        yield
    except AgentsEvalError as problem:
        raise ResourceNotFoundError(f"no run {run_id[:SHOWN]!r}: {told(problem, root)}") from problem
