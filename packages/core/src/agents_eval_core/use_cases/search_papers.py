"""Search titles and abstracts of the papers on disk, best match first; needs no network."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path
from typing import Final

from agents_eval_core import registry
from agents_eval_core.errors import UsageError
from agents_eval_core.ports.dataset import PaperEntry, PaperText, SearchableDataset
from agents_eval_core.settings import Settings
from agents_eval_core.use_cases.data_folder import data_folder

WORD: Final = re.compile(r"[^\W_]+")
SATURATION: Final = 1.2
LENGTH_SHARE: Final = 0.75
TITLE_WEIGHT: Final = 3
MOST_WORDS: Final = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPaper:
    """A paper that has a word of the query, and how well it matches; the number only ranks within one search."""

    paper: PaperEntry
    relevance: float


@dataclass(frozen=True, slots=True)
class _Match:
    entry: PaperEntry
    counts: Counter[str]
    length: int


def search_papers(
    query: str,
    *,
    settings: Settings,
    dataset: str = "peerread",
    data_dir: Path | None = None,
    venue: str | None = None,
) -> tuple[FoundPaper, ...]:
    """Return the papers whose title or abstract has a word of the query, best first.

    Args:
        query: Words; a word of the title counts as three of the abstract.
        settings: Says where the papers lie, if `data_dir` does not.
        dataset: The collection.
        data_dir: Where it lies.
        venue: Only papers of this one.

    Raises:
        UsageError: The query has no word, or the dataset cannot be searched.
        PaperError: The folder is not this dataset.
    """
    words = query_words(query)
    if not words:
        raise UsageError(f"there is no word to search for in {query[:80]!r}; give one or more")
    source = registry.dataset(dataset)
    if not isinstance(source, SearchableDataset):
        raise UsageError(f"the dataset {dataset!r} cannot be searched; 'peerread' and 'sample' can")
    texts = source.texts(data_folder(dataset, data_dir, settings))
    return ranked((text for text in texts if venue in (None, text.entry.venue)), words)


def query_words(text: str) -> tuple[str, ...]:
    """Return the words by which texts are matched: without case, once each.

    >>> query_words("Sparse-Gates, sparse attention")
    ('sparse', 'gates', 'attention')
    """
    return tuple(dict.fromkeys(_words(text)))[:MOST_WORDS]


def ranked(texts: Iterable[PaperText], words: Sequence[str]) -> tuple[FoundPaper, ...]:
    """Return the papers that have one of the words, by BM25 over title and abstract; equals by venue, split and id.

    Only the papers that match are held in memory.

    References:
        S. Robertson, H. Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009.
    """
    wanted = set(words)
    matches: list[_Match] = []
    papers = total_length = 0
    for text in texts:
        found = _words(text.entry.title) * TITLE_WEIGHT + _words(text.abstract)
        papers += 1
        total_length += len(found)
        counts = Counter(word for word in found if word in wanted)
        if counts:
            matches.append(_Match(text.entry, counts, len(found)))
    in_papers = Counter(word for match in matches for word in match.counts)
    rarity = {word: log(1 + (papers - count + 0.5) / (count + 0.5)) for word, count in in_papers.items()}
    mean_length = total_length / papers if papers else 0.0
    results = [FoundPaper(paper=match.entry, relevance=_relevance(match, rarity, mean_length)) for match in matches]
    return tuple(sorted(results, key=lambda each: (-each.relevance, each.paper.venue, each.paper.split, each.paper.id)))


def _relevance(match: _Match, rarity: dict[str, float], mean_length: float) -> float:
    slack = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * match.length / mean_length)
    return sum(rarity[word] * count * (SATURATION + 1) / (count + slack) for word, count in match.counts.items())


def _words(text: str) -> list[str]:
    return WORD.findall(text.casefold())
