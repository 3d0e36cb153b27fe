"""How much of a text was copied: from the paper, from a human review, or from itself."""

import re
from functools import lru_cache
from typing import Final

from agents_eval_evaluators.text.paper_subject import paper_text
from agents_eval_evaluators.text.shared_runs import Run, runs_in, runs_of, shared_words
from agents_eval_evaluators.text.words import sentence_words, words

_QUOTATION: Final = re.compile(r"\u201c[^\u201d]*\u201d|\"[^\"\n]*\"|\u00ab[^\u00bb]*\u00bb")


def copied_from_paper(text: str, paper: str) -> float:
    """Return the share of a text's words that stand in runs of six or more words of the paper, unmarked.

    What stands in quotation marks is no copying. An empty text copies nothing.

    >>> copied_from_paper("We train a net on noisy labels.", "We train a net on noisy labels.")
    1.0
    >>> copied_from_paper('They say: "We train a net on noisy labels."', "We train a net on noisy labels.")
    0.0
    """
    written = words(text)
    source = paper_text(paper).runs
    if source.isdisjoint(runs_of(text)):
        return 0.0
    marked = sum(sum(shared_words(words(part), source)) for part in _QUOTATION.split(text))
    return marked / len(written) if written else 0.0


def copied_from_reference(text: str, reference: str, paper: str = "") -> float:
    """Return the share of a text's words that stand in runs of six or more words of a reference, quoted or not.

    Nobody may quote what nobody was shown. Runs that the paper has too are no copy of the reference.

    >>> copied_from_reference("They forgot to tune the baseline, sadly.", "They forgot to tune the baseline.")
    0.8571428571428571
    """
    own = _runs_outside(reference, paper)
    if own.isdisjoint(runs_of(text)):
        return 0.0
    written = words(text)
    return sum(shared_words(written, own)) / len(written)


@lru_cache(maxsize=64)  # the references of a paper are the same for all its runs
def _runs_outside(reference: str, paper: str) -> frozenset[Run]:
    return runs_of(reference) - paper_text(paper).runs


def taken_from_paper(text: str, paper: str) -> float:
    """Return the share of a text's words that stand in runs of the paper, quoted or not.

    >>> taken_from_paper('They say: "We train a net on noisy labels."', "We train a net on noisy labels.")
    0.7777777777777778
    """
    source = paper_text(paper).runs
    if source.isdisjoint(runs_of(text)):
        return 0.0
    written = words(text)
    return sum(shared_words(written, source)) / len(written)


def repeated_share(text: str) -> float:
    """Return the share of a text's words that stand in runs of six or more that an earlier sentence had.

    >>> repeated_share("We train a net on noisy labels. We train a net on noisy labels.")
    0.5
    """
    seen: set[Run] = set()
    repeated = total = 0
    for said in sentence_words(text):
        repeated += sum(shared_words(said, seen))
        total += len(said)
        seen.update(runs_in(said))
    return repeated / total if total else 0.0
