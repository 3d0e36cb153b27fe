"""Which sections of a paper matter most for a review, where not all can be read."""

import re
from collections import Counter
from typing import Final

from agents_eval_agents.reading.rarity import by_rarity, words
from agents_eval_core.paper import Paper

BACK_MATTER: Final = re.compile(
    r"\b(references|bibliography|acknowledge?ments?|appendix|appendices|supplement\w*|checklist|contributions of)\b",
    re.IGNORECASE,
)


def by_relevance(paper: Paper, wish: str = "") -> list[int]:
    """Return the numbers of the sections, those first that say most about what the paper is about.

    A section's worth is what it is worth for the words of title, abstract and the user's wish, see `by_rarity`.
    References, acknowledgements and appendices come last. Equals keep the paper's order.

    >>> from agents_eval_core.paper import Section
    >>> paper = Paper(id="1", dataset="d", title="Cracks", abstract="We image cracks.", sections=(
    ...     Section(heading="Appendix", text="More cracks."), Section(heading="Data", text="Alloys."),
    ...     Section(heading="Method", text="How we image cracks.")))
    >>> by_relevance(paper)
    [3, 2, 1]
    """
    wanted = set(words(f"{paper.title} {paper.abstract} {wish}"))
    worth = by_rarity(wanted, [Counter(words(f"{section.heading} {section.text}")) for section in paper.sections])
    ranked = [
        (bool(BACK_MATTER.search(section.heading)), -value, number)
        for number, (section, value) in enumerate(zip(paper.sections, worth, strict=True), 1)
    ]
    return [number for _, _, number in sorted(ranked)]
