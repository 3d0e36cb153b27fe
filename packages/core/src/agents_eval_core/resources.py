"""What a run took, read off its trace."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from agents_eval_core.run import Resources, Run
from agents_eval_core.trace import Span, Trace, Usage
from agents_eval_core.waits import waited_seconds

Figure = TypeVar("Figure", int, float)


def resources_of_run(run: Run) -> Resources:
    """Return what a run took, as far as its trace tells.

    Without a language model it took no tokens and no money: that is known, where a model's silence is not.
    """
    took = resources_of(run.trace) if run.trace is not None else Resources()
    if not run.system.has_language_model:
        took = took.changed(input_tokens=0, output_tokens=0, cost_usd=0.0)
    return took.changed(peak_memory_bytes=run.peak_memory_bytes)


def resources_of(trace: Trace) -> Resources:
    """Return time, model requests, tokens and cost of a trace, None where it does not tell.

    Model requests are the `chat` spans, and only their own usage is added up; what agents report about their children
    repeats it. A total is known if every request that did not fail says its part: a sum with a part missing would pass
    for the whole. Where the whole workflow declares its own total, that is the total: it includes requests that the
    trace does not show. Peak memory is not in a trace.

    >>> from agents_eval_core.trace import Source
    >>> chat = Span(id="a", seq=0, operation="chat", name="chat", status="ok", usage=Usage(input_tokens=7))
    >>> took = resources_of(Trace(id="t", source=Source(format="otlp"), spans=(chat,)))
    >>> took.model_requests, took.input_tokens, took.output_tokens
    (1, 7, None)
    """
    requests = [span for span in trace.spans if span.operation == "chat"]
    declared = declared_total(trace)
    return Resources(
        elapsed_seconds=trace.elapsed_seconds,
        waited_seconds=waited_seconds(trace) or None,
        model_requests=len(requests) or None,
        input_tokens=_total(requests, declared, lambda usage: usage.input_tokens),
        output_tokens=_total(requests, declared, lambda usage: usage.output_tokens),
        cost_usd=_total(requests, declared, lambda usage: usage.cost_usd),
    )


def declared_total(trace: Trace) -> Usage | None:
    """Return what the one workflow span above everything says that all of it took, or None where it says nothing.

    >>> from agents_eval_core.trace import Source
    >>> total = Usage(input_tokens=7, scope="subtree")
    >>> run = Span(id="a", seq=0, operation="invoke_workflow", name="run", usage=total)
    >>> declared_total(Trace(id="t", source=Source(format="otlp"), spans=(run,))) == total
    True
    """
    top = [span for span in trace.spans if span.parent_id is None]
    usage = top[0].usage if len(top) == 1 and top[0].operation == "invoke_workflow" else None
    return usage if usage is not None and usage.scope == "subtree" else None


def _total(requests: Sequence[Span], declared: Usage | None, figure: Callable[[Usage], Figure | None]) -> Figure | None:
    total = figure(declared) if declared is not None else None
    if total is not None:
        return total
    known: list[Figure] = []
    for span in requests:
        value = figure(span.usage) if span.usage is not None and span.usage.scope == "self" else None
        if value is not None:
            known.append(value)
        elif span.status != "error":
            return None
    return sum(known[1:], start=known[0]) if known else None
