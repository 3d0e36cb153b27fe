"""What several metrics need of one trace, worked out once and let go with the trace."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar, cast

from agents_eval_core.trace import Trace

T = TypeVar("T")


def per_trace(build: Callable[[Trace], T]) -> Callable[[Trace], T]:
    """Return the function with its answer kept in the trace itself, as a cached property is.

    A trace never changes, and no cache of its own can outgrow it: what is kept goes when the trace goes.

    >>> from agents_eval_core.trace import Source
    >>> count = per_trace(lambda trace: [len(trace.spans)])
    >>> trace = Trace(id="t", source=Source(format="native"))
    >>> count(trace) is count(trace)
    True
    """
    key = f"{build.__module__}.{build.__qualname__}"

    @wraps(build)
    def kept(trace: Trace) -> T:
        held = vars(trace)
        if key not in held:
            held[key] = build(trace)
        return cast("T", held[key])

    return kept
