"""Labelled texts: a file of JSON lines, each a text and what people say of it."""

import json
from collections import Counter
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field, ValidationError

from agents_eval_core.case import Case
from agents_eval_core.errors import UnreadableError, UsageError
from agents_eval_core.frozen import Frozen
from agents_eval_core.paper import Paper

LARGEST_BYTES: Final = 64 * 2**20
LABELLED: Final = "labelled text"


class LabelledText(Frozen):
    """A text that a judge grades, with what people say of it.

    Attributes:
        label: Their grade from 0 to 1, higher is better; None where nobody said.
        levels: Their levels by criterion of the rubric, 1 the lowest.
        task: `peer_review`, or a name of the user's own.
        title: The title of the paper that a review is about.
        abstract: Its abstract.
        prompt: What was asked for, for other tasks.
    """

    id: str
    text: str
    label: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] | None = None
    levels: dict[str, int] = Field(default_factory=dict[str, int])
    task: str = "peer_review"
    title: str = ""
    abstract: str = ""
    prompt: str = ""

    @property
    def case(self) -> Case:
        """What the text is an answer to."""
        has_paper = bool(self.title or self.abstract)
        paper = Paper(id=self.id, dataset=LABELLED, title=self.title, abstract=self.abstract) if has_paper else None
        return Case(id=self.id, task=self.task, dataset=LABELLED, paper=paper, prompt=self.prompt)


def read_labels(path: Path) -> tuple[LabelledText, ...]:
    r"""Return the texts of a file, in their order.

    Raises:
        UsageError: There is no such file, it is too large, or it has no text, or one id twice.
        UnreadableError: A line of it does not fit.

    >>> file = Path("labels.jsonl")
    >>> _ = file.write_text('{"id": "a", "text": "Fine.", "label": 0.4}\n{"id": "b", "text": "Hm."}\n')
    >>> [text.label for text in read_labels(file)]
    [0.4, None]
    """
    if not path.is_file():
        raise UsageError(f"there is no file {path}; give a file of JSON lines with id, text and label")
    if path.stat().st_size > LARGEST_BYTES:
        raise UsageError(f"{path} is larger than {LARGEST_BYTES // 2**20} MiB; a few hundred labelled texts are enough")
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as problem:
        raise UnreadableError(f"{path} is not UTF-8: {problem}") from problem
    texts = tuple(_text(path, number, line) for number, line in enumerate(lines, start=1) if line.strip())
    if not texts:
        raise UsageError(f"{path} has no line; each is an object such as {json.dumps({'id': 'a', 'text': '…'})}")
    doubled = [name for name, count in Counter(text.id for text in texts).items() if count > 1]
    if doubled:
        raise UsageError(f"{path} has the id {doubled[0]!r} more than once; a text counts once")
    return texts


def _text(path: Path, number: int, line: str) -> LabelledText:
    try:
        return LabelledText.model_validate_json(line)
    except ValidationError as problem:
        first = problem.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "it"
        raise UnreadableError(f"{path}, line {number}: {place}: {first['msg']}") from problem
