"""What a review says in its own words: without what it copied from the paper and without what it said before."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from agents_eval_evaluators.text.paper_subject import PaperSubject
from agents_eval_evaluators.text.shared_runs import Run, runs_in, shared_words
from agents_eval_evaluators.text.words import sentences, words

SHORTEST_TITLE: Final = 3
FRAME_WORDS: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnSentence:
    """A sentence, its own words, and whether it quotes the paper within a frame of four or more of them."""

    text: str
    own: tuple[str, ...]
    quotes: bool

    def is_about(self, subject: PaperSubject) -> bool:
        """Whether its own words name something the paper is about."""
        return not subject.terms.isdisjoint(self.own)

    def weight_about(self, subject: PaperSubject) -> float:
        """Return 1 for own words about the paper, 0.5 for a framed quotation, else 0."""
        if self.is_about(subject):
            return 1.0
        return 0.5 if self.quotes else 0.0


def own_sentences(parts: Iterable[str], subject: PaperSubject) -> tuple[tuple[OwnSentence, ...], ...]:
    """Return the sentences of each part with their own words; a sentence that was said before is left out.

    Own are the words outside of runs of six that the paper has too or that an earlier sentence had, and outside of
    the paper's title given word for word (where the title has three words or more: a name must be usable). What
    was copied is looked for across line ends, what was repeated within sentences.
    """
    seen: set[tuple[str, ...]] = set()
    said_runs: set[Run] = set()
    result: list[tuple[OwnSentence, ...]] = []
    for part in parts:
        texts = sentences(part)
        said = [words(text) for text in texts]
        flat = [word for sentence in said for word in sentence]
        marks = iter(zip(shared_words(flat, subject.text.runs), _in_title(flat, subject.title), strict=True))
        kept: list[OwnSentence] = []
        for text, sentence in zip(texts, said, strict=True):
            marked = list(islice(marks, len(sentence)))
            if sentence and sentence not in seen:
                kept.append(_own_sentence(text, sentence, marked, shared_words(sentence, said_runs)))
            seen.add(sentence)
            said_runs |= set(runs_in(sentence))
        result.append(tuple(kept))
    return tuple(result)


def _own_sentence(
    text: str, said: Sequence[str], marks: Sequence[tuple[bool, bool]], repeated: Sequence[bool]
) -> OwnSentence:
    own = tuple(
        word
        for word, (is_copied, is_title), is_repeated in zip(said, marks, repeated, strict=True)
        if not (is_copied or is_title or is_repeated)
    )
    is_quoting = any(is_copied and not is_title for is_copied, is_title in marks)
    return OwnSentence(text=text, own=own, quotes=is_quoting and len(own) >= FRAME_WORDS)


def _in_title(said: Sequence[str], title: tuple[str, ...]) -> list[bool]:
    marked = [False] * len(said)
    length = len(title)
    if length < SHORTEST_TITLE:
        return marked
    for start in range(len(said) - length + 1):
        if tuple(said[start : start + length]) == title:
            marked[start : start + length] = [True] * length
    return marked
