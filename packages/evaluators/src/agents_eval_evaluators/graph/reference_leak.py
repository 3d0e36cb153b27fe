"""Whether words of the human reviews stand in what agents were given or said: then the answer key was in sight."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from agents_eval_core.paper import Paper
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Evidence, Finding, Tier
from agents_eval_core.trace import Span, Trace
from agents_eval_evaluators.text.words import words

RUN_WORDS: Final = 12
MOST_QUOTES: Final = 3
MOST_SPANS: Final = 5
MOST_CHARACTERS: Final = 8_000_000
WordRun = tuple[str, ...]


def leaked_words(text: str, references: Sequence[str], known: str = "") -> tuple[str, ...]:
    """Return the runs of twelve consecutive words of references that a text has and what was known has not.

    Of runs that overlap, the first is given. Without references or with fewer than twelve words there is none.

    Args:
        text: What agents were given or said.
        references: The human reviews.
        known: What agents may know, the paper above all: reviews quote it.

    >>> secret = "I like the idea but the baseline is weak and no code was released"
    >>> leaked_words(f"Somebody says: {secret}.", [secret])
    ('i like the idea but the baseline is weak and no code',)
    >>> leaked_words(f"Somebody says: {secret}.", [secret], known=secret)
    ()
    """
    return tuple(_shared(text, _answer_key(references, known)))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceLeak:
    """Looks through the whole trace for words of the human reviews; what is found is a warning about the input."""

    name: str = "reference_leak"
    version: str = "0"
    tier: Tier = 3
    metrics: tuple[str, ...] = ()

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Look for the case's references in what its agents were given, and in what they said."""
        references = [review.text for review in run.case.references]
        if run.trace is None or not references:
            return Evaluation()
        key = _answer_key(references, _known(run.case.paper))
        return Evaluation(findings=tuple(_findings(run.trace, key)))


def _known(paper: Paper | None) -> str:
    return "" if paper is None else f"{paper.title}\n{paper.abstract}\n{paper.text}"


def _answer_key(references: Sequence[str], known: str) -> frozenset[WordRun]:
    return frozenset(run for text in references for run in _runs(words(text))) - frozenset(_runs(words(known)))


def _runs(said: Sequence[str]) -> Iterator[WordRun]:
    return zip(*(said[start:] for start in range(RUN_WORDS)), strict=False)


def _shared(text: str, key: frozenset[WordRun]) -> Iterator[str]:
    plain = text.replace("\\n", " ").replace('\\"', " ")  # as JSON within a text writes them
    said = words(plain)
    if key.isdisjoint(_runs(said)):
        return
    free_from = 0
    for place, run in enumerate(_runs(said)):
        if place >= free_from and run in key:
            free_from = place + RUN_WORDS
            yield " ".join(run)


def _findings(trace: Trace, key: frozenset[WordRun]) -> Iterator[Finding]:
    for where, parts in (("in what the agents were given", _given), ("in what the agents said or asked for", _said)):
        spans: list[str] = []
        quotes: dict[str, None] = {}
        seen: set[str] = set()
        left = MOST_CHARACTERS
        for span in trace.spans:
            texts = [text for text in parts(span) if text not in seen and len(text) <= left]
            seen.update(texts)
            left -= sum(map(len, texts))
            found = [run for text in texts for run in _shared(text, key)]
            quotes.update(dict.fromkeys(found))
            spans += [span.id] if found else []
        if quotes:
            yield _finding(where, spans, list(quotes))


def _finding(where: str, spans: list[str], quotes: list[str]) -> Finding:
    count = f"{len(quotes)} runs" if len(quotes) > 1 else "a run"
    return Finding(
        name="reference_leak",
        severity="warning",
        about="input",
        sentence=f"{count} of twelve words of a human review, which the paper does not have, stand {where}",
        evidence=Evidence(span_ids=tuple(spans[:MOST_SPANS]), quotes=tuple(quotes[:MOST_QUOTES])),
    )


def _given(span: Span) -> Iterator[str]:
    yield from _texts(span.tool.result if span.tool is not None else None)
    yield from _texts(dict(span.attributes))


def _said(span: Span) -> Iterator[str]:
    yield from _texts(span.tool.arguments if span.tool is not None else None)
    yield from _texts(span.text)


def _texts(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for entry in cast("dict[Any, Any]", value).values():
                yield from _texts(entry)
        case list() | tuple():
            for entry in cast("Sequence[Any]", value):
                yield from _texts(entry)
        case _:
            return
