"""Short texts that repeat from span to span, in memory once."""

from typing import Final

from msgspec.structs import force_setattr

from agents_eval_core.formats.building.shared_cuts import SharedCuts
from agents_eval_core.trace import Span

LONGEST_SHARED: Final = 100
MOST_SHARED: Final = 10_000


class SharedTexts:
    """Keeps short texts that repeat from span to span (ids of a session, names of models) in memory once.

    >>> shared = SharedTexts()
    >>> span = Span(id="a", seq=0, operation="chat", name="chat", attributes={"k": "v", "n": 1})
    >>> shared.put_into(span)
    >>> span.attributes
    {'k': 'v', 'n': 1}
    """

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._cuts = SharedCuts()

    def put_into(self, span: Span) -> None:
        """Replace the short texts in the attributes of a span that nobody else has yet by equal ones known before."""
        if len(self._texts) > MOST_SHARED:
            self._texts.clear()
        share = self._texts.setdefault
        # a new mapping: the old one still has the room of what was taken out of it
        kept = {
            key: share(value, value) if isinstance(value, str) and len(value) <= LONGEST_SHARED else value
            for key, value in span.attributes.items()
        }
        force_setattr(span, "attributes", self._cuts.of(kept))
        for field in ("name", "model", "parent_id"):
            value = getattr(span, field)
            if value is not None:
                force_setattr(span, field, share(value, value))
