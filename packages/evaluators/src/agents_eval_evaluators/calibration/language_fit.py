"""Fitting what human reviews read like: how common words are, how they follow one another, where they negate."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain, pairwise
from typing import Final

from agents_eval_evaluators.calibration.negation_rates import (
    AUXILIARIES,
    PRIOR_CHANCES,
    NegationRates,
    auxiliaries,
)
from agents_eval_evaluators.calibration.stop_words import STOP_WORDS
from agents_eval_evaluators.calibration.word_counts import WordCounts
from agents_eval_evaluators.calibration.word_order_table import WordOrderTable, class_of
from agents_eval_evaluators.text.words import words

FEWEST_DOCUMENTS: Final = 2
FEWEST_PAIRS: Final = 2
COMMON_WORDS: Final = 600
DIGITS: Final = 6
Cut = Sequence[Sequence[str]]  # a review as the words of its sentences


def word_counts(reviews: Sequence[str]) -> WordCounts:
    """Return in how many reviews each word occurs, for words of two reviews or more, in alphabetical order."""
    frequency = Counter(word for review in reviews for word in set(words(review)))
    kept = sorted(word for word, count in frequency.items() if count >= FEWEST_DOCUMENTS and word not in STOP_WORDS)
    return WordCounts(
        documents=len(reviews),
        stop_words=STOP_WORDS,
        document_frequency={word: frequency[word] for word in kept},
    )


def word_order(reviews: Sequence[Cut]) -> WordOrderTable:
    """Return how classes of words stand next to one another in reviews."""
    frequency = Counter(word for review in reviews for sentence in review for word in sentence)
    ordered = sorted(frequency.items(), key=lambda item: (-item[1], item[0]))
    common = frozenset(word for word, _ in ordered[:COMMON_WORDS])
    pairs: Counter[tuple[str, str]] = Counter()
    for sentence in chain.from_iterable(reviews):
        pairs.update(pairwise([class_of(word, common) for word in sentence]))
    counts: Counter[str] = Counter()
    for (first, _), count in pairs.items():
        counts[first] += count
    classes = sorted(set(counts) | {second for _, second in pairs})
    place = {name: number for number, name in enumerate(classes)}
    rows: list[list[int]] = [[] for _ in classes]
    for (first, second), count in sorted(pairs.items()):
        if count >= FEWEST_PAIRS:
            rows[place[first]] += [place[second], count]
    return WordOrderTable(
        common=tuple(sorted(common)),
        classes=tuple(classes),
        counts=tuple(counts[name] for name in classes),
        followers=tuple(map(tuple, rows)),
    )


def negation_rates(reviews: Iterable[Cut]) -> NegationRates:
    """Return how often a negation follows each auxiliary verb; rare verbs are drawn towards the rate of all."""
    uses, negated = auxiliaries(chain.from_iterable(reviews))
    overall = (negated.total() + 1) / (uses.total() + 2)
    return NegationRates(
        share={
            verb: round((negated[verb] + PRIOR_CHANCES * overall) / (uses[verb] + PRIOR_CHANCES), DIGITS)
            for verb in sorted(AUXILIARIES)
        }
    )
