"""Reviews made without a model that are hard to tell from real ones: paraphrased, reversed, extractive, fluent."""

import random
import re
from typing import Final

from agents_eval_core.paper import Paper
from agents_eval_evaluators.calibration.agreement_table import shipped_table
from agents_eval_evaluators.text.words import sentences, words

SYNONYMS: Final = {
    "paper": "manuscript",
    "authors": "writers",
    "propose": "put forward",
    "proposes": "puts forward",
    "proposed": "put forward",
    "method": "technique",
    "methods": "techniques",
    "approach": "procedure",
    "results": "findings",
    "show": "demonstrate",
    "shows": "demonstrates",
    "interesting": "intriguing",
    "good": "fine",
    "important": "relevant",
    "experiments": "trials",
    "experimental": "empirical",
    "improve": "enhance",
    "improves": "enhances",
    "novel": "new",
    "clear": "plain",
    "unclear": "vague",
    "however": "yet",
    "also": "too",
    "because": "since",
    "use": "employ",
    "uses": "employs",
    "used": "employed",
    "using": "employing",
    "many": "numerous",
    "several": "various",
    "difficult": "hard",
    "missing": "absent",
    "explain": "clarify",
    "discuss": "address",
    "compared": "contrasted",
    "comparison": "contrast",
    "performance": "quality",
    "problem": "question",
    "think": "believe",
    "seems": "appears",
    "seem": "appear",
    "section": "part",
    "work": "study",
}
REVERSALS: Final = (
    (r"\b(is|are|was|were|does|do|did|can|could|should|has|have) not\b", r"\1"),
    (r"\b(is|are|was|were|does|do|did|could|should|has|have)n't\b", r"\1"),
    (r"\blacks?\b", "offers"),
    (r"\bmissing\b", "present"),
    (r"\babsent\b", "included"),
    (r"\bfails? to\b", "manages to"),
    (r"\bshould\b", "need not"),
    (r"\bwithout\b", "with"),
    (r"\blimited\b", "broad"),
    (r"\bno\b", "every"),
    (r"\bmore\b", "fewer"),
    (r"\bhowever\b", "moreover"),
    (r"\bbut\b", "and"),
)
FRAMES: Final = (
    'The authors write "{}", and I wonder how far this holds.',
    'It is said that "{}"; more evidence for this would help.',
    'The claim "{}" is central to the paper and should be discussed.',
    'As the paper puts it, "{}"; please explain why.',
)
FLUENT: Final = (
    "This submission presents a timely contribution on {title}. The problem of {one} is well motivated, and the "
    "proposed treatment of {two} is technically sound and clearly described. The experimental section supports the "
    "main claims, and the writing is accessible to a broad audience.\n"
    "A first weakness is the limited depth of the evaluation: it remains unclear how the approach to {one} behaves "
    "under different settings, and stronger baselines for {two} would make the comparison more convincing. Second, "
    "the computational cost is not discussed in sufficient detail, which makes practical use hard to assess. Third, "
    "an ablation that isolates the effect of {three} is missing.\n"
    "Could the authors clarify how {three} was chosen, and how sensitive the results are to it? I would suggest to "
    "release the code and to extend the discussion of related work on {one}. Overall, this is a solid paper, and I "
    "lean towards acceptance."
)
STUFFING: Final = "The discussion of {} deserves particular attention."
STUFFED_WORDS: Final = 12
FRAMED_WORDS: Final = 25
MOST_FRAMED: Final = 6
_WORD: Final = re.compile(r"[A-Za-z]+")


def paraphrased(text: str) -> str:
    """Return the text with common words of reviews replaced by others that mean the same here.

    >>> paraphrased("However, the authors propose a method.")
    'Yet, the writers put forward a technique.'
    """
    return _WORD.sub(lambda found: _in_case(SYNONYMS.get(found.group().lower()), found.group()), text)


def _in_case(other: str | None, word: str) -> str:
    if other is None:
        return word
    return other.capitalize() if word[0].isupper() else other


def reversed_fluently(text: str) -> str:
    """Return the text with what it says turned round by phrases, so that it stays fluent.

    Together with swapped words of judgement this is what a careful liar would write, as far as rules can.

    >>> reversed_fluently("It is not tested and lacks a baseline.")
    'It is tested and offers a baseline.'
    """
    for pattern, other in REVERSALS:
        text = re.sub(pattern, other, text)
    return text


def extractive(paper: Paper, seed: int) -> str:
    """Return a review made of sentences of the paper, each quoted in a frame that would fit any."""
    body = "\n".join((paper.abstract, *(section.text for section in paper.sections[:3])))
    said = [sentence for sentence in sentences(body) if len(words(sentence)) > 5][:40]  # noqa: PLR2004  no headings
    draw = random.Random(seed)  # noqa: S311  a text for a test, no secret
    chosen = draw.sample(said, min(MOST_FRAMED, len(said)))
    framed = (
        FRAMES[place % len(FRAMES)].format(" ".join(sentence.rstrip(".").split()[:FRAMED_WORDS]))
        for place, sentence in enumerate(chosen)
    )
    return "\n".join(framed)


def fluent(paper: Paper, *, stuffed: bool = False) -> str:
    """Return a fluent review that knows the title only; stuffed, twelve uncommon words of the abstract as well."""
    counts = shipped_table().words
    telling = [word for word in words(paper.title) if word not in counts.stop_words] or ["the method"]
    one, two, three = (telling[place % len(telling)] for place in range(3))
    text = FLUENT.format(title=paper.title, one=one, two=two, three=three)
    if not stuffed:
        return text
    uncommon = dict.fromkeys(word for word in words(paper.abstract) if counts.is_uncommon(word) and len(word) > 3)  # noqa: PLR2004
    chosen = list(uncommon)[:STUFFED_WORDS]
    added = (STUFFING.format(" and ".join(chosen[place : place + 2])) for place in range(0, len(chosen), 2))
    return "\n".join((text, *added))
