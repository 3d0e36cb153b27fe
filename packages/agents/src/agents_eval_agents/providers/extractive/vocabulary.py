"""The words that make a paper this paper: its own name, its data, its rivals and its recurring phrases."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from agents_eval_agents.providers.extractive import words
from agents_eval_agents.providers.extractive.lines import LABEL, Lines
from agents_eval_agents.providers.extractive.sentences import is_instruction

COMPARES = (
    r"(?i)\bbaselines?\b|\bcompar(?:e[sd]?|ing|ison)\b.{0,40}\b(?:with|to|against|methods?|approach|models?|of)\b"
    r"|\boutperform|\b(?:over|than|new|surpass\w*|beat\w*|achiev\w*|match\w*) (?:the )?state[- ]of[- ]the[- ]art"
    r"|\bcompetitive (?:with|results|performance)\b|\bcompetitors?\b"
)
_TOKEN = re.compile(r"(?<![\w/@.-])[A-Za-z0-9]+(?:-[A-Za-z0-9]+|\.\d[A-Za-z0-9]*)*\+?(?![\w/@])")
_TITLE_CASE = re.compile(r"[A-Z]?[a-z]+(?:-[A-Z]?[a-z]+)*")
_VARIANT = re.compile(r"(?:[.-]?\d[\w.-]*|-(?:[a-z]+|[A-Z])|s)$")
_ODD = re.compile(r"[A-Z]{3,}'?\d\d|\w*[A-Z]s")  # conferences, plurals
_DATA_ENDING = re.compile(r"Bench(?:-\w+)?$|[a-zA-Z]QA$|Eval$|Corpus$")
_MARKED = re.compile(
    r"(?P<name>[A-Za-z0-9][\w.+-]*)(?:\s?\[[\d, ]+\]|\s\([^()]{2,40}\))?\s+(?:[a-z-]+\s){0,2}?"
    r"(?:data ?sets?|benchmarks?|corpus|corpora|test set|leaderboard)\b"
)
_COINED = re.compile(
    r"\b(?:[Ww]e|paper|work|article|study)\b.{0,25}?\b(?:propos|introduc|present|develop|design|call|dub|term|nam|coin|"
    r"releas|construct|creat|build|describ)\w*(?P<object>[^.;:]{0,110})"
)
_OPENING = re.compile(r"^\W*([\w+-]{3,24})(?: \d[\d.]*| [A-Z]\w+)?\s*:")
_PART = re.compile(r"[^\W\d_](?:[^\W\d_]|['\u2019-])*(?<!['\u2019-])|\S")
_CONTENT = re.compile(r"[^\W\d_](?:[^\W\d_]|-){2,23}")
_LETTERS, _LONGEST, _OFTEN = 3, 24, 3
_WORDS = (2, 3)  # of a phrase


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """The names and phrases of a paper.

    Attributes:
        own: The name it gives to its own work; empty where there is none.
        data: Data sets and benchmarks, the most used first.
        rivals: Names it compares with, the most used first.
        phrases: Its recurring phrases, the most used first.
        places: For each heading and each table, figure or theorem, the text that stands there or refers to it.
    """

    own: str
    data: tuple[str, ...]
    rivals: tuple[str, ...]
    phrases: tuple[str, ...]
    places: Mapping[str, str]

    def near(self, place: str | None, most: int = 4) -> list[str]:
        """Return the phrases that stand at a place most often, or those of the whole paper."""
        text = self.places.get(place or "", "")
        counts = {phrase: text.count(phrase.lower()) for phrase in self.phrases}
        found = sorted((phrase for phrase in self.phrases if counts[phrase]), key=lambda phrase: -counts[phrase])
        return (found or list(self.phrases))[:most]


def read_vocabulary(title: str, lines: Lines) -> Vocabulary:
    """Gather the vocabulary of a paper."""
    counts = Counter(name for line in lines.read for name in names_in(line.text))
    own = _own_name(title, lines, counts)
    data = _data_names(lines, counts, own)
    places: dict[str, list[str]] = {}
    for line in lines.read:
        for place in {line.anchor or "", *LABEL.findall(line.text)}:
            places.setdefault(place, []).append(line.text.lower())
    return Vocabulary(
        own=own,
        data=tuple(data[:8]),
        rivals=tuple(_rivals(lines, {own, *data})[:4]),
        phrases=tuple(key_phrases(title, lines)),
        places={place: " ".join(texts) for place, texts in places.items()},
    )


def is_data_name(name: str) -> bool:
    """Tell whether a name is a known data set or a variant of one.

    >>> [is_data_name(name) for name in ("MNIST", "ImageNet-256", "CIFAR10", "OddBench", "FooNet")]
    [True, True, True, True, False]
    """
    known = not words.DATA_NAMES.isdisjoint({name, _VARIANT.sub("", name), name.split("-", maxsplit=1)[0]})
    return known or _DATA_ENDING.search(name) is not None


@lru_cache(maxsize=50_000)
def is_name(token: str) -> bool:
    """Tell whether a token is written like a name: capitals or digits inside, and no ordinary word.

    >>> [is_name(token) for token in ("PartCrafter", "LP-FT", "SQuAD", "Fine-Tuning", "GPU-based", "LSTMs", "12B")]
    [True, True, True, False, False, False, False]
    """
    if token in words.DATA_NAMES:
        return True
    letters = sum(letter.isalpha() for letter in token)
    is_odd = token[0].isdigit() or token[1:2] == "-" or token.lower() in words.STOP_WORDS or _ODD.fullmatch(token)
    is_plain = _TITLE_CASE.fullmatch(token) or (token.isupper() and words.PAPER_WORD.fullmatch(token.lower()))
    if letters < _LETTERS or len(token) > _LONGEST or is_odd or is_plain:
        return False
    capitals = sum(letter.isupper() for letter in token)
    is_marked = capitals > 1 or (capitals == 1 and any(letter.isdigit() for letter in token))
    return is_marked and words.GENERIC_NAMES.isdisjoint({token, _VARIANT.sub("", token)})


def names_in(text: str) -> list[str]:
    """Return the names of a text in order, with repetitions.

    >>> names_in("COPA beats GAN-based methods on CIFAR-10.")
    ['COPA', 'CIFAR-10']
    """
    return [token for token in _TOKEN.findall(text) if is_name(token)]


def _own_name(title: str, lines: Lines, counts: Counter[str]) -> str:
    """Return what the title opens with before a colon, or else what "we propose ..." proposes most often."""
    texts = [line.text for line in lines.of("abstract", "introduction", "conclusion")]
    objects = [found["object"] for text in texts for found in _COINED.finditer(text)]
    coined = Counter(name for proposed in objects for name in names_in(proposed)[:1])
    opening = _OPENING.match(title)
    if opening and (is_name(opening[1]) or any(name.lower().startswith(opening[1].lower()) for name in coined)):
        return opening[1]
    enough = _OFTEN if lines.is_full_text else 1
    kept = [name for name in coined if counts[name] >= enough and not is_data_name(name)]
    return min(kept, key=lambda name: (-coined[name] - counts[name], name), default="")


def _data_names(lines: Lines, counts: Counter[str], own: str) -> list[str]:
    """Return known data sets, and names that are at least once called a data set, benchmark or corpus."""
    marked = {match["name"] for line in lines.read for match in _MARKED.finditer(line.text)}
    kept = [name for name in counts if name in marked or is_data_name(name)]
    return sorted((name for name in kept if name.lower() != own.lower()), key=lambda name: (-counts[name], name))


def _rivals(lines: Lines, known: set[str]) -> list[str]:
    """Return the names that stand most often in sentences of comparison, unless they look like a known one."""
    cue = re.compile(COMPARES)
    stems = {name.lower()[:5] for name in known}
    texts = [line.text for line in lines.of("abstract", "experiments", "method", "conclusion") if cue.search(line.text)]
    counts = Counter(name for text in texts for name in set(names_in(text)))
    kept = [name for name in counts if name.lower()[:5] not in stems and not is_data_name(name)]
    return sorted(kept, key=lambda name: (-counts[name], name))


def key_phrases(title: str, lines: Lines, *, most: int = 8) -> list[str]:
    """Return phrases of two or three words from title and abstract, the most repeated in the paper first.

    A phrase is a run of words between small words, common paper words and marks; it counts once for each sentence it
    occurs in, and twice more when the title has it. It is written in lower case if it ever is in the paper. Phrases of
    the whole field come last; those that share a word with a better one are left out.

    >>> from agents_eval_agents.providers.extractive.lines import read_lines
    >>> abstract = "We study tree kernels. Tree kernels need dependency labels."
    >>> key_phrases("Tree Kernels for Parsing", read_lines("", abstract, []))
    ['tree kernels', 'dependency labels']
    """
    in_title = [] if is_instruction(title) else list(_runs(title))
    candidates = in_title + [run for line in lines.of("abstract") for run in _runs(line.text)]
    counts = Counter(in_title)
    written: dict[str, Counter[str]] = {phrase: Counter() for phrase in candidates}
    for text in (title, *(line.text for line in lines.read)):
        parts = _PART.findall(text)
        grams = {" ".join(parts[i : i + n]) for n in _WORDS for i in range(len(parts) - n + 1)}
        for gram in grams:
            if gram.lower() in written:
                counts[gram.lower()] += 1
                written[gram.lower()][gram] += 1
    first = {phrase: index for index, phrase in reversed(list(enumerate(candidates)))}
    common = {phrase for phrase in first if words.COMMON_PHRASE.fullmatch(phrase)}
    ranked = sorted(first, key=lambda phrase: (phrase in common, -counts[phrase], first[phrase]))
    best = list(_unlike(ranked))[:most]
    return [phrase if phrase in written[phrase] else max(written[phrase] or [phrase]) for phrase in best]


def _runs(text: str) -> Iterator[str]:
    """Yield the phrases of a text in lower case; a participle in front of three words or behind any is left out."""
    run: list[str] = []
    for token in [*_PART.findall(text.lower()), "."]:
        if _CONTENT.fullmatch(token) and token not in words.STOP_WORDS and not words.PAPER_WORD.fullmatch(token):
            run.append(token)
            continue
        start = 1 if len(run) == _WORDS[1] and run[0].endswith("ing") else 0
        end = len(run) - 1 if run and run[-1].endswith("ed") else len(run)
        if end - start in _WORDS:
            yield " ".join(run[start:end])
        run = []


def _unlike(phrases: Iterable[str]) -> Iterator[str]:
    taken: set[str] = set()
    for phrase in phrases:
        stems = {word.rstrip("s") for word in phrase.split()}
        if not stems & taken:
            taken |= stems
            yield phrase
