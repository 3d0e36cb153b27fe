"""How much of an answer was used by those who asked for it."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from agents_eval_core.run import Run
from agents_eval_core.trace import Span, Trace
from agents_eval_evaluators.calibration.word_counts import WordCounts
from agents_eval_evaluators.graph.content import content
from agents_eval_evaluators.graph.delegation import Delegation
from agents_eval_evaluators.graph.telling import said
from agents_eval_evaluators.text.shared_runs import RUN_WORDS, runs_in
from agents_eval_evaluators.text.words import words

ENOUGH_TAKEN_UP: Final = 5
Item = str | tuple[str, ...]


def telling_items(text: str, counts: WordCounts) -> set[Item]:
    """Return what can be recognised elsewhere: uncommon words, numbers of two digits or more, runs of six words."""
    said = words(text)
    items: set[Item] = {word for word in set(said) - counts.common if len(word) > 1}
    if len(said) >= RUN_WORDS:
        items.update(runs_in(said))
    return items


def uptake(brought: AbstractSet[Item], used: AbstractSet[Item]) -> float:
    """Return how much of what only an answer brought was used afterwards; five items are enough.

    An answer that brings nothing has nothing to use: 0.

    >>> uptake({"warmup", "41"}, {"41", "heads"})
    0.5
    """
    if not brought:
        return 0.0
    return min(1.0, len(brought & used) / min(ENOUGH_TAKEN_UP, len(brought)))


def uptakes(run: Run, trace: Trace, given: Sequence[Delegation], counts: WordCounts) -> Mapping[int, float]:
    """Return the `uptake` of each answered delegation, by its place in the trace.

    An answer brings what stands neither in the request nor in what its giver had been told before: the prompt and the
    results of earlier calls. It is used where something of it stands in a request that anybody but the receiver made
    after the answer came, or in the final output; where a trace has no output, in what the giver said later.
    """
    brought = _brought(run, trace, given, counts)
    wanted: set[Item] = {item for items in brought.values() for item in items}
    asked = _asked(run, trace, wanted, counts) if wanted else dict[Item, list[Span]]()
    final = telling_items(run.text, counts)
    result: dict[int, float] = {}
    for one in given:
        if one.span.seq in brought:
            items = brought[one.span.seq]
            used = {item for item in items if item in final or _is_used(one, asked.get(item, ()), trace)}
            result[one.span.seq] = uptake(items, used)
    return result


def _brought(
    run: Run, trace: Trace, given: Sequence[Delegation], counts: WordCounts
) -> Mapping[int, AbstractSet[Item]]:
    by_place = {one.span.seq: one for one in given}
    prompt = telling_items(run.case.prompt, counts)
    told = {one.span.agent_id: set(prompt) for one in given}
    brought: dict[int, AbstractSet[Item]] = {}
    for span in trace.spans:
        known = told.get(span.agent_id)
        if known is None:
            continue
        one = by_place.get(span.seq)
        if one is not None and one.answer is not None:
            brought[span.seq] = telling_items(one.answer, counts) - telling_items(one.request, counts) - known
        if span.tool is not None and span.tool.result:
            known |= telling_items(content(span.tool.result), counts)
    return brought


def _asked(run: Run, trace: Trace, wanted: AbstractSet[Item], counts: WordCounts) -> Mapping[Item, Sequence[Span]]:
    """Return the spans in which each wanted item is asked or, without an output, said; the latest first."""
    found: dict[Item, list[Span]] = {}
    texts = said(trace)
    for span in reversed(trace.spans):
        text = _uses(span, texts, with_said=not run.text)
        for item in telling_items(text, counts) & wanted if text else ():
            found.setdefault(item, []).append(span)
    return found


def _uses(span: Span, said: Mapping[int, tuple[str, ...]], *, with_said: bool) -> str | None:
    if span.tool is not None or span.is_delegation:
        return said[span.seq][-1] if said[span.seq] else None
    return span.text if with_said else None


def _is_used(one: Delegation, spans: Sequence[Span], trace: Trace) -> bool:
    return any(_may_use(one, span) and one.is_over_before(span, trace) for span in spans)


def _may_use(one: Delegation, span: Span) -> bool:
    is_request = span.tool is not None or span.is_delegation
    return span.agent_id != one.receiver_id if is_request else span.agent_id == one.span.agent_id
