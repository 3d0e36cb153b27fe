"""What a review says in its own words: without what it copied from the paper and without what it said before."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
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
        """Whether its own words name something that the paper is about and that its title does not say."""
        return not subject.telling.isdisjoint(self.own)

    def weight_about(self, subject: PaperSubject) -> float:
        """Return 1 for own words about the paper, 0.5 for a framed quotation, else 0."""
        if self.is_about(subject):
            return 1.0
        return 0.5 if self.quotes else 0.0


def own_sentences(parts: Iterable[str], subject: PaperSubject) -> tuple[tuple[OwnSentence, ...], ...]:
    """Return the sentences of each part with their own words; a sentence that was said before is left out.

    Own are the words outside of runs of six that the paper has too or that another sentence has, and outside of
    the paper's title given word for word (where the title has three words or more: a name must be usable). What
    was copied is looked for across line ends, what was repeated within sentences. Of sentences with a run in common
    the longest keeps it, whatever their order, so that putting them in another order gains nothing.
    """
    return _own_sentences(tuple(parts), subject)


@lru_cache(maxsize=16)  # what a review shares with others and what duties it fulfils are both told by its own words
def _own_sentences(parts: tuple[str, ...], subject: PaperSubject) -> tuple[tuple[OwnSentence, ...], ...]:
    cut = [sentences(part) for part in parts]
    said = [[words(text) for text in texts] for texts in cut]
    repeated = _repeated_words([sentence for group in said for sentence in group])
    seen: set[tuple[str, ...]] = set()
    result: list[tuple[OwnSentence, ...]] = []
    for texts, group in zip(cut, said, strict=True):
        flat = [word for sentence in group for word in sentence]
        marks = iter(zip(shared_words(flat, subject.text.runs), _in_title(flat, subject.title), strict=True))
        kept: list[OwnSentence] = []
        for text, sentence in zip(texts, group, strict=True):
            marked = list(islice(marks, len(sentence)))
            if sentence and sentence not in seen:
                kept.append(_own_sentence(text, sentence, marked, repeated[sentence]))
            seen.add(sentence)
        result.append(tuple(kept))
    return tuple(result)


def _repeated_words(said: Iterable[tuple[str, ...]]) -> dict[tuple[str, ...], list[bool]]:
    """Return for each distinct sentence which of its words a longer one has said, or an equally long one before it."""
    runs: set[Run] = set()
    repeated: dict[tuple[str, ...], list[bool]] = {}
    for sentence in sorted(set(said), key=lambda words: (-len(words), words)):
        repeated[sentence] = shared_words(sentence, runs)
        runs.update(runs_in(sentence))
    return repeated


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
        if said[start] == title[0] and tuple(said[start : start + length]) == title:
            marked[start : start + length] = [True] * length
    return marked
