"""What a text says that can be recognised elsewhere: long words and figures, and the constraints it states."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from agents_eval_core.trace import Span, Trace
from agents_eval_evaluators.graph.content import content
from agents_eval_evaluators.graph.per_trace import per_trace

_TELLING: Final = re.compile(r"[a-z0-9_]*\d[a-z0-9_.]*[a-z0-9_]|[a-z_]{6,}|\d+")
_SENTENCE: Final = re.compile(r"[^.!?;\n]+(?:[.](?=\d)[^.!?;\n]+)*")
_DEMAND: Final = re.compile(
    r"\b(?:must|only|never|always|at (?:most|least)|no (?:more|less|later|earlier) than|do not|don't|without|exactly|"
    r"before|until|limit\w*|require\w*|should not|shall|constraint\w*|within|maximum|minimum)\b"
)


def telling(text: str) -> frozenset[str]:
    """Return the words of six letters or more and the figures of a text, in lower case.

    >>> sorted(telling("Book seat 14C to Ljubljana"))
    ['14c', 'ljubljana']
    """
    return frozenset(_TELLING.findall(text.lower()))


def each_telling(text: str) -> Iterator[str]:
    """Yield the same words one by one, so that who needs a few of a long text does not read all of it."""
    return (found[0] for found in _TELLING.finditer(text.lower()))


@lru_cache(maxsize=64)
def constraints(text: str) -> tuple[frozenset[str], ...]:
    """Return the telling words of each sentence that demands something ("must", "at most", "without", ...).

    >>> [sorted(words) for words in constraints("Find hotels. The price must be below 120 dollars.")]
    [['120', 'dollars']]
    """
    found = (telling(sentence) for sentence in _SENTENCE.findall(text) if _DEMAND.search(sentence.lower()))
    return tuple(words for words in found if words)


def kept(wanted: Sequence[frozenset[str]], payload: frozenset[str]) -> float:
    """Return the share of constraints of which at least half the telling words stand in a payload."""
    return sum(2 * len(words & payload) >= len(words) for words in wanted) / len(wanted)


@per_trace
def said(trace: Trace) -> Mapping[int, tuple[str, ...]]:
    """Return by its place what an agent put into each span: its words and the arguments of its calls, no results."""
    return {span.seq: tuple(_spoken(span)) for span in trace.spans}


def _spoken(span: Span) -> Iterator[str]:
    if span.text:
        yield span.text
    if span.tool is not None and span.tool.arguments is not None:
        yield content(span.tool.arguments)
