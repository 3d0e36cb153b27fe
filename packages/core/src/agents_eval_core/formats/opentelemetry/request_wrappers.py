"""Model requests that are recorded twice: by a framework, and within that by the client that sends them."""

from collections.abc import Sequence

from msgspec.structs import force_setattr, replace

from agents_eval_core.formats.building.span_draft import SpanDraft


def without_wrappers(drafts: Sequence[SpanDraft]) -> Sequence[SpanDraft]:
    """Return the drafts, chats around another chat as `other`, so that a request and its tokens are counted once.

    Around means: with no agent and no tool call between. What the outer one says about usage is that of its subtree.

    >>> from agents_eval_core.trace import Span
    >>> outer, inner = (SpanDraft(span=Span(id=own, seq=0, parent_id=above, operation="chat", name="chat"))
    ...                 for own, above in (("a", None), ("b", "a")))
    >>> [draft.span.operation for draft in without_wrappers([outer, inner])]
    ['other', 'chat']
    """
    known = {draft.span.id: draft.span for draft in drafts}
    for draft in drafts:
        if draft.span.operation != "chat":
            continue
        seen = {draft.span.id}
        above = known.get(draft.span.parent_id or "")
        while above is not None and above.id not in seen and above.operation in ("chat", "other", "message"):
            if above.operation == "chat":
                force_setattr(above, "operation", "other")
                if above.usage is not None:
                    force_setattr(above, "usage", replace(above.usage, scope="subtree"))
                break
            seen.add(above.id)
            above = known.get(above.parent_id or "")
    return drafts
