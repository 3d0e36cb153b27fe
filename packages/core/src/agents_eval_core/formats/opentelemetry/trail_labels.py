"""The labels of TRAIL: errors and scores that people gave in a file beside the trace, and GAIA's right answers.

TRAIL lays `<set>/<trace id>.json` and `…annotations…/<trace id>.json` side by side. The right answers stand in logs
within the spans; nothing else of those logs is read.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from agents_eval_core.formats.json_text.json_values import as_record, as_records, as_text
from agents_eval_core.formats.json_text.small_record import small_record
from agents_eval_core.formats.opentelemetry.raw_span import RawSpan
from agents_eval_core.reach import is_in_reach
from agents_eval_core.trace import Annotation, Trace

ANNOTATORS: Final = "TRAIL"
ANSWERS: Final = "GAIA"
ID: Final = re.compile("[0-9a-f]{32}")


class TrailLabels:
    """Gathers the labels of the traces of a file."""

    def __init__(self) -> None:
        self._answers: dict[str, Annotation] = {}
        self._tasks: dict[str, str] = {}
        self._is_trail = False

    def take(self, raw: RawSpan, record: Mapping[str, Any]) -> None:
        """Look for a right answer beside a span."""
        self._is_trail = self._is_trail or "child_spans" in record
        for log in as_records(record.get("logs")):
            arguments = as_record(as_record(log.get("body")).get("function.arguments"))
            example = as_record(arguments.get("example"))
            answer = as_text(example.get("true_answer"))
            if answer is not None:
                self._answers[raw.trace_id] = Annotation(name="true_answer", value=answer, by=ANSWERS)
            task = as_text(example.get("task_id"))
            if task is not None:
                self._tasks[raw.trace_id] = task

    def on(self, trace: Trace, source: Path, root: Path | None = None) -> Trace:
        """Return a trace with its labels, those in other files as far as they lie in a root."""
        if not self._is_trail:
            return trace
        answer = self._answers.get(trace.id)
        labels = (*([answer] if answer else ()), *_annotations(trace, label_files(trace.id, source, root)))
        return replace(trace, annotations=labels, task_id=trace.task_id or self._tasks.get(trace.id))


def label_files(trace_id: str, source: Path, root: Path | None = None) -> tuple[Path, ...]:
    """Return the files with labels of a trace: in folders beside that of its file, as far as these lie in a root."""
    if not ID.fullmatch(trace_id) or not is_in_reach(source.parent.parent, root):
        return ()
    found = source.parent.parent.glob(f"*annotations*/{trace_id}.json")
    return tuple(sorted(path for path in found if path != source and is_in_reach(path, root)))


def _annotations(trace: Trace, files: Iterable[Path]) -> Iterator[Annotation]:
    for path in files:
        told = small_record(path)
        for error in as_records(told.get("errors")):
            location = as_text(error.get("location"))
            is_known = location in trace.span_by_id
            value = {key: given for key, given in error.items() if key != "location" or not is_known}
            yield Annotation(name="error", value=value, span_id=location if is_known else None, by=ANNOTATORS)
        for score in as_records(told.get("scores")):
            yield from (Annotation(name=name, value=given, by=ANNOTATORS) for name, given in score.items())
