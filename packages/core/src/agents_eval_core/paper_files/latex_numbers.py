"""The numbers that LaTeX gives to sections, floats, formulas and theorems, and the labels that stand for them."""

import re
from collections import Counter
from typing import Final

OPEN, MIDDLE, CLOSE = "\ue001", "\ue003", "\ue002"  # the source has no such letters: they were left out of it
MARKED: Final = re.compile(f"{OPEN}([^{OPEN}{MIDDLE}{CLOSE}]*){MIDDLE}([^{OPEN}{MIDDLE}{CLOSE}]*){CLOSE}")
LONGEST_LABEL: Final = 200


class Numbers:
    """Counts what is numbered, in the order of the source."""

    def __init__(self) -> None:
        self._sections = [0, 0, 0]
        self._counts: Counter[str] = Counter()
        self._labels: dict[str, tuple[str, str]] = {}
        self._last = ("Section", "")
        self._is_appendix = False

    def begin_appendix(self) -> None:
        """Count sections anew, with letters."""
        self._is_appendix, self._sections = True, [0, 0, 0]

    def next_section(self, level: int) -> str:
        """Return the number of the next section of a level, such as `2.1` or `A`."""
        self._sections[level] += 1
        self._sections[level + 1 :] = [0] * (2 - level)
        first, *rest = self._sections[: level + 1]
        letter = chr(ord("A") + (first - 1) % 26) if self._is_appendix and first else str(first)
        number = ".".join((letter, *map(str, rest)))
        self._last = ("Appendix" if self._is_appendix else "Section", number)
        return number

    def next(self, kind: str) -> str:
        """Return the next number of a kind."""
        self._counts[kind] += 1
        self._last = (kind, str(self._counts[kind]))
        return self._last[1]

    def label(self, name: str) -> None:
        """Let a label stand for what was numbered last."""
        self._labels.setdefault(name.strip()[:LONGEST_LABEL], self._last)

    def mark(self, command: str, labels: str) -> str:
        """Return what stands for a reference until all labels are known."""
        name = labels.replace(OPEN, "").replace(MIDDLE, "").replace(CLOSE, "")
        return f"{OPEN}{command}{MIDDLE}{name}{CLOSE}"

    def resolved(self, text: str) -> str:
        """Return a text with the numbers in place of the marks; a label that stands for nothing is shown as it is."""
        return MARKED.sub(lambda found: self._shown(found[1], found[2]), text)

    def _shown(self, command: str, labels: str) -> str:
        shown = [self._one(command, name.strip()) for name in labels.split(",")]
        return ", ".join(shown)

    def _one(self, command: str, name: str) -> str:
        kind, number = self._labels.get(name[:LONGEST_LABEL], ("", ""))
        if not number:
            return f"[{name}]"
        if command in ("autoref", "cref", "Cref", "vref"):
            return f"{kind} ({number})" if kind == "Equation" else f"{kind} {number}"
        return f"({number})" if command == "eqref" else number
