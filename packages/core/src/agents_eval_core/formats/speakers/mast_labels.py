"""What the MAST data sets say about a run, beside its trajectory: labels, which no judge may see.

`other_data` holds the answers and whether they were right, `note` the annotators' form. A form without a text and
without a single yes was never filled in, and is no annotation.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from agents_eval_core.formats.chat.content_parts import text_of
from agents_eval_core.formats.json_text.json_values import as_record, as_text, shortened
from agents_eval_core.trace import Annotation, Outcome

ANNOTATORS: Final = "MAST annotators"
ANSWERS: Final = {"yes": True, "no": False}


def is_mast_run(value: Any) -> bool:
    """Whether an object is a run as MAST has them, whatever its trajectory looks like."""
    run = as_record(value)
    return "trajectory" in run and bool({"problem_statement", "other_data"} & run.keys()) and "instance_id" in run


def annotations(run: Mapping[str, Any]) -> Iterator[Annotation]:
    """Yield the labels of a run.

    >>> [label.name for label in annotations({"note": {"text": ["x"], "options": {"Step repetition": "yes"}}})]
    ['note', 'Step repetition']
    """
    for key in ("problem_statement", "other_data"):
        if run.get(key) is not None:
            value = run[key] if isinstance(run[key], dict) else text_of(run[key])
            yield Annotation(name=key, value=shortened(value, None, {}, key))
    note = as_record(run.get("note"))
    options, text = as_record(note.get("options")), as_text(text_of(note.get("text")))
    if text is None and "yes" not in options.values():
        return
    if text is not None:
        yield Annotation(name="note", value=text, by=ANNOTATORS)
    for mode, answer in options.items():
        value = ANSWERS.get(answer, answer) if isinstance(answer, str) else answer
        yield Annotation(name=mode, value=shortened(value, None, {}, mode), by=ANNOTATORS)


def outcome(run: Mapping[str, Any]) -> Outcome | None:
    """Return whether the run's answer was right, where that is told by one truth value."""
    correct = as_record(run.get("other_data")).get("correct")
    return Outcome(success=correct) if isinstance(correct, bool) else None
