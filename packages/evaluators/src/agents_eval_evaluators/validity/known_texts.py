"""Texts made from human reviews whose place below or beside them is known, and how each is made."""

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from agents_eval_core.paper import Paper
from agents_eval_evaluators.text.words import sentences
from agents_eval_evaluators.validity.made_reviews import extractive, fluent, paraphrased, reversed_fluently

CHUNK: Final = 4
TEMPLATE: Final = (
    "This paper, {title}, is well written and tackles an important problem. The idea is interesting and the "
    "presentation is clear. However, the novelty of {title} is limited because similar ideas exist. The experiments "
    "should include more baselines and more data sets. Could the authors explain how the parameters were chosen? "
    "Please discuss the limitations and the related work in more depth. Overall, I recommend to accept the paper."
)
GIBBERISH: Final = "Qua frobnik zzyx wlop dasherit tomo kelp runtle vexos. Brasp ontiv melk drusen falto quib. " * 8
FILLER: Final = (
    "The paper is well organised and easy to follow.",
    "I enjoyed reading this submission.",
    "The topic is important and timely.",
    "The related work could be discussed in more depth.",
    "More experiments would make the paper stronger.",
    "There are some typos that should be fixed.",
    "The figures could be larger and easier to read.",
    "The motivation could be explained better.",
    "It would be nice to see results on more data sets.",
    "The conclusion repeats what was said before.",
    "The contribution is clear but somewhat limited.",
    "I am not fully convinced by the claims.",
    "The authors should release their code.",
    "Some details are missing and make the work hard to reproduce.",
    "The writing should be improved in places.",
    "Overall this is a solid piece of work.",
)
_JUDGEMENTS: Final = (
    ("good", "poor"),
    ("strong", "weak"),
    ("clear", "unclear"),
    ("clearly", "hardly"),
    ("novel", "incremental"),
    ("interesting", "boring"),
    ("convincing", "unconvincing"),
    ("accept", "reject"),
    ("accepted", "rejected"),
    ("well", "badly"),
    ("better", "worse"),
    ("best", "worst"),
    ("easy", "hard"),
    ("significant", "insignificant"),
    ("sufficient", "insufficient"),
    ("strengths", "weaknesses"),
    ("like", "dislike"),
    ("correct", "wrong"),
    ("useful", "useless"),
    ("positive", "negative"),
    ("pros", "cons"),
    ("high", "low"),
)
_SWAPS: Final = {one: other for pair in _JUDGEMENTS for one, other in (pair, pair[::-1])}
_WORD: Final = re.compile(r"[A-Za-z]+")
_VERB: Final = re.compile(r"\b(is|are|was|were|does|do|did|can|could|should|has|have)\b(?!\s+not\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """What a text is made from.

    Attributes:
        human: The human review that is tested.
        paper: The paper that it is of.
        stranger: A review of another paper.
        neighbour: A review of the paper with the nearest abstract.
    """

    human: str
    paper: Paper
    stranger: str
    neighbour: str


def shuffled_words(text: str, seed: int) -> str:
    """Return the words of a text in random order, with their punctuation."""
    said = text.split()
    random.Random(seed).shuffle(said)  # noqa: S311  a text for a test, no secret
    return " ".join(said)


def chunks_shuffled(text: str, seed: int) -> str:
    """Return the text in runs of four words, the runs in random order."""
    said = text.split()
    chunks = [said[start : start + CHUNK] for start in range(0, len(said), CHUNK)]
    random.Random(seed).shuffle(chunks)  # noqa: S311  as above
    return " ".join(word for chunk in chunks for word in chunk)


def sentences_shuffled(text: str, seed: int) -> str:
    """Return the sentences of a text in random order, one a line."""
    said = list(sentences(text))
    random.Random(seed).shuffle(said)  # noqa: S311  as above
    return "\n".join(said)


def half(text: str) -> str:
    """Return the first half of a text's sentences; of an odd number the middle one is left out, of one none is.

    >>> half("It is new. It is fast. It is small.")
    'It is new.'
    """
    said = sentences(text)
    return "\n".join(said[: max(1, len(said) // 2)])


def negated(text: str) -> str:
    """Return the text with "not" after every auxiliary verb that has none.

    >>> negated("It is new. It was not fast.")
    'It is not new. It was not fast.'
    """
    return _VERB.sub(r"\1 not", text)


def half_negated(text: str) -> str:
    r"""Return the text with every second sentence negated.

    >>> half_negated("It is new. It is fast.")
    'It is not new.\nIt is fast.'
    """
    return "\n".join(said if place % 2 else negated(said) for place, said in enumerate(sentences(text)))


def judgements_swapped(text: str) -> str:
    """Return the text with words of praise and of blame changed for one another.

    >>> judgements_swapped("Well written, but a weak idea.")
    'Badly written, but a strong idea.'
    """
    return _WORD.sub(lambda found: _swapped(found.group()), text)


def _swapped(word: str) -> str:
    other = _SWAPS.get(word.lower())
    if other is None:
        return word
    return other.capitalize() if word[0].isupper() else other


def with_filler(text: str, seed: int, share: float = 1.0) -> str:
    """Return the text with a sentence that fits every paper after each of its own, as far as there are any.

    Args:
        text: A review.
        seed: Which sentences.
        share: How many are added, as a share of its own; at least one.
    """
    own = sentences(text)
    count = min(len(FILLER), max(1, round(share * len(own))))
    added = random.Random(seed).sample(FILLER, count)  # noqa: S311  as above
    return "\n".join((*own, *added))


LOSING: Final[Mapping[str, Callable[[Material, int], str]]] = {
    "a template with the title": lambda made, _: TEMPLATE.format(title=made.paper.title),
    "a review of another paper": lambda made, _: made.stranger,
    "its own words in random order": lambda made, seed: shuffled_words(made.human, seed),
    "the abstract": lambda made, _: made.paper.abstract,
    "gibberish": lambda _, __: GIBBERISH,
    "nothing at all": lambda _, __: "",
}
NEGATED: Final = "itself with every verb negated"
HALF: Final = "the first half of itself"
FURTHER: Final[Mapping[str, Callable[[Material, int], str]]] = {
    NEGATED: lambda made, _: negated(made.human),
    HALF: lambda made, _: half(made.human),
    "sentences of the paper, quoted in frames": lambda made, seed: extractive(made.paper, seed),
    "a fluent review that knows the title": lambda made, _: fluent(made.paper),
    "the same with twelve words of the abstract": lambda made, _: fluent(made.paper, stuffed=True),
}
MISSED: Final[Mapping[str, Callable[[Material, int], str]]] = {
    "itself with every second sentence negated": lambda made, _: half_negated(made.human),
    "itself turned round fluently": lambda made, _: judgements_swapped(reversed_fluently(made.human)),
    "itself with judgement words swapped": lambda made, _: judgements_swapped(made.human),
    "itself in four-word chunks, shuffled": lambda made, seed: chunks_shuffled(made.human, seed),
    "a review of the paper with the nearest abstract": lambda made, _: made.neighbour,
}
PARAPHRASED: Final = "itself in other words"
FILLED: Final = "as many sentences of filler"
CHANGED: Final[Mapping[str, Callable[[Material, int], str]]] = {
    "itself twice": lambda made, _: f"{made.human}\n{made.human}",
    "its sentences in another order": lambda made, seed: sentences_shuffled(made.human, seed),
    PARAPHRASED: lambda made, _: paraphrased(made.human),
    "the abstract appended": lambda made, _: f"{made.human}\n{made.paper.abstract}",
    FILLED: lambda made, seed: with_filler(made.human, seed),
    "one sentence of filler": lambda made, seed: with_filler(made.human, seed, share=0.0),
}
NEED_PAPER: Final = frozenset(
    {
        "a template with the title",
        "the abstract",
        "sentences of the paper, quoted in frames",
        "a fluent review that knows the title",
        "the same with twelve words of the abstract",
        "a review of the paper with the nearest abstract",
        "the abstract appended",
    }
)
ALL: Final = {**LOSING, **FURTHER, **MISSED, **CHANGED}
