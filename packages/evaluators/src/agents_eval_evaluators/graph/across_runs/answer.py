r"""What a run answered, in a form in which equal answers are equal."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from agents_eval_core.run import Run
from agents_eval_core.trace import Span
from agents_eval_evaluators.graph.across_runs.outcome import working_steps
from agents_eval_evaluators.graph.calls import call_key, tool_calls
from agents_eval_evaluators.graph.lucky_pass import runs_code
from agents_eval_evaluators.graph.tool_efficiency import only_reads

LONGEST: Final = 200
TAIL_READ: Final = 4000
FEW_WORDS: Final = 5
_BOXED: Final = re.compile(r"(?:\\b|\x08)oxed\s*\{((?:[^{}]|\{[^{}]*\})*)\}")
_MARKED: Final = re.compile(
    r"(?:\b(?:final|the) (?:answer|solution|result)(?: is\b\s*:?|\s*[:=])|####)[\s*]*(?P<said>[^\n]+)", re.IGNORECASE
)
_NUMBER: Final = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?")
_FRACTION: Final = re.compile(r"\\?[dt]?frac\s*\{(-?\d+)\}\s*\{(\d+)\}|^(-?\d+)\s*/\s*(\d+)$")
_UNIT: Final = re.compile(r"[^\W\d]*(?:\s[^\W\d]+){0,3}|\s*[^\w\s]\s*")
_WORDS: Final = re.compile(r"\\(?:text|mathrm|mathbf|textbf|left|right|quad)\b|\\[,!;:]")
_WRAPPING: Final = re.compile(r"[\s$*`'\"%\\{}]+|[.]$")


class Answer(NamedTuple):
    """What a run answered, and the span that says so (None where the answer is only the run's output).

    Attributes:
        verb: Whether it was said ("answered") or done ("did").
    """

    said: str
    span: Span | None
    verb: str = "answered"


def normal_answer(text: str) -> str:
    r"""Return an answer without layout, signs of units and case; one number, with or without its unit, as a number.

    >>> [normal_answer(text) for text in ("10.0", "$1,200", r"\text{Paris}.", "30 students", r"\frac{1}{2}", "x + 1")]
    ['10', '1200', 'paris', '30', '0.5', 'x+1']
    """
    lower = _FRACTION.sub(_quotient, _WORDS.sub(" ", text.strip().lower()))
    bare = _WRAPPING.sub(" ", lower).strip()
    numbers = _NUMBER.findall(bare)
    if len(numbers) == 1 and _UNIT.fullmatch(bare.replace(numbers[0], "", 1)):
        return _number(numbers[0])
    return "".join(bare.split())[:LONGEST]


def _quotient(found: re.Match[str]) -> str:
    above, below = [int(part) for part in found.groups() if part is not None]
    return f"{above / below:.6g}" if below else found[0]


def _number(text: str) -> str:
    return f"{float(text.replace(',', '')):.6g}"


def answers_of(runs: Sequence[Run]) -> tuple[Answer | None, ...]:
    r"""Return what each run of a task answered, by the first rule that finds something; None where none does.

    1. The last `\boxed{...}` of a working agent. 2. What follows "the final answer is", "the solution:" or "####" in
    the last text that has it. 3. Where some run of the task changed something by tools: the set of its calls that did,
    with their arguments, since what was done is then the answer; a run that changed nothing answers so. A shell's or
    interpreter's calls are text and are not compared. 4. The output, where it has at most five words; longer texts are
    not equal by chance, and not different by it.

    What stands in the trace goes before the last thing said, which may be "TERMINATE" or "You are welcome!".
    """
    said = [_boxed(run) or _marked(run) for run in runs]
    done = [None if answer else _done(run) for run, answer in zip(runs, said, strict=True)]
    rest = _nothing_done if any(done) else _output
    return tuple(one or other or rest(run) for run, one, other in zip(runs, said, done, strict=True))


def _texts(run: Run) -> Iterator[tuple[str, Span | None]]:
    if run.text:
        yield run.text[-TAIL_READ:], None
    for span in reversed(working_steps(run)):
        if span.text and span.operation in ("chat", "message"):
            yield span.text[-TAIL_READ:], span


def _boxed(run: Run) -> Answer | None:
    for text, span in _texts(run):
        if found := _BOXED.findall(text):
            return Answer(normal_answer(found[-1]), span)
    return None


def _marked(run: Run) -> Answer | None:
    for text, span in _texts(run):
        found = [match["said"] for match in _MARKED.finditer(text)]
        if found and (said := normal_answer(found[-1])):
            return Answer(said, span)
    return None


def _done(run: Run) -> Answer | None:
    calls = tool_calls(run.trace) if run.trace is not None else ()
    changes = [
        call for call in calls if not (call.has_failed or only_reads(call.tool.name) or runs_code(call.tool.name))
    ]
    if not changes:
        return None
    return Answer(
        " + ".join(sorted({call_key(call.tool.name, call.tool.arguments) for call in changes})), changes[-1].span, "did"
    )


def _nothing_done(run: Run) -> Answer | None:
    spans = run.trace.spans if run.trace is not None else ()
    return Answer("no change", spans[-1], "did") if spans else None


def _output(run: Run) -> Answer | None:
    text = run.text.strip()
    return Answer(normal_answer(text), None) if 0 < len(text.split()) <= FEW_WORDS else None
