"""Which sections of a paper matter most for a review, where not all can be read."""

import re
from collections import Counter
from math import log
from typing import Final

from agents_eval_core.paper import Paper

WORD: Final = re.compile(r"\w+")
SATURATION: Final = 1.2
BACK_MATTER: Final = re.compile(
    r"\b(references|bibliography|acknowledge?ments?|appendix|appendices|supplement\w*|checklist|contributions of)\b",
    re.IGNORECASE,
)


def by_relevance(paper: Paper, wish: str = "") -> list[int]:
    """Return the numbers of the sections, those first that say most about what the paper is about.

    A section's worth is the sum over the words of title, abstract and the user's wish of log(1 + sections / sections
    with the word) times tf / (tf + 1.2): rare words that it uses often count most. References, acknowledgements and
    appendices come last. Equals keep the paper's order.

    >>> from agents_eval_core.paper import Section
    >>> paper = Paper(id="1", dataset="d", title="Cracks", abstract="We image cracks.", sections=(
    ...     Section(heading="Appendix", text="More cracks."), Section(heading="Data", text="Alloys."),
    ...     Section(heading="Method", text="How we image cracks.")))
    >>> by_relevance(paper)
    [3, 2, 1]
    """
    wanted = set(_words(f"{paper.title} {paper.abstract} {wish}"))
    found = [Counter(_words(f"{section.heading} {section.text}")) for section in paper.sections]
    spread = Counter(word for counts in found for word in wanted & counts.keys())
    worth = {word: log(1 + len(found) / count) for word, count in sorted(spread.items())}
    ranked: list[tuple[bool, float, int]] = []
    for number, (section, counts) in enumerate(zip(paper.sections, found, strict=True), 1):
        total = sum(value * counts[word] / (counts[word] + SATURATION) for word, value in worth.items())
        ranked.append((bool(BACK_MATTER.search(section.heading)), -total, number))
    return [number for _, _, number in sorted(ranked)]


def _words(text: str) -> list[str]:
    return WORD.findall(text.casefold())
