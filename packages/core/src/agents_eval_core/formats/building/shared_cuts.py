"""What is said about cut texts, in memory once where many spans of a huge trace say the same."""

from typing import Any, Final

CUT: Final = "cut"
MOST_SHARED: Final = 10_000


class SharedCuts:
    """Keeps the attribute `cut` of spans, which would take more room than a short text itself.

    >>> shared = SharedCuts()
    >>> shared.of({"cut": {"text": 6}}) is shared.of({"cut": {"text": 6}})
    True
    """

    def __init__(self) -> None:
        self._known: dict[tuple[tuple[str, int], ...], dict[str, Any]] = {}

    def of(self, attributes: dict[str, Any]) -> dict[str, Any]:
        """Return attributes that nobody changes any more, `cut` in them being the one of earlier spans that say so."""
        if CUT not in attributes:
            return attributes
        if len(self._known) > MOST_SHARED:
            self._known.clear()
        cut = attributes[CUT]
        alone = self._known.setdefault(tuple(cut.items()), {CUT: cut})
        return alone if len(attributes) == 1 else {**attributes, CUT: alone[CUT]}
