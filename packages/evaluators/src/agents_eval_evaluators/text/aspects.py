"""Which aspect of a paper a sentence of a review is about, and how a set of reviews shares itself out among them."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import fsum, log2
from typing import Final

from agents_eval_evaluators.text.sentence_role import sentence_role
from agents_eval_evaluators.text.words import plain, sentences

_WORDS: Final[Mapping[str, str]] = {
    "meaningful_comparison": r"baselines?|compar\w+|state[ -]of[ -]the[ -]art|sota|related works?|prior works?"
    r"|previous works?|existing (?:methods?|approaches|works?)|literature|competing|cites?|cited|citations?|citing",
    "originality": r"novel\w*|original\w*|incremental|innovati\w+|new idea|new (?:method|approach|model)|not new"
    r"|already (?:been )?(?:known|proposed|done)|well[ -]known|straightforward|similar to|difference (?:to|from|with)",
    "replicability": r"reproduc\w+|replicat\w+|code|open[ -]sourc\w+|hyper-?parameters?|implement\w+|learning rate"
    r"|details? (?:of|about|on)|how (?:many|much|long|large)|number of parameters|seeds?",
    "clarity": r"clear\w*|unclear|writ(?:e|ing|ten)|read(?:s|able|ability)?|typos?|grammar\w*|confus\w+|notation\w*"
    r"|presentation|organi[sz]\w+|explain\w*|explanation|understand\w*|sentences?|paragraph|abstract|figures?|captions?"
    r"|defin(?:e|ed|ition)s?|follow|wording|misspell\w*|page|appendix|rephras\w+",
    "motivation_impact": r"motivat\w+|important|importance|impact\w*|interesting|useful\w*|relevan\w+|significan\w+"
    r"|timely|practical\w*|applications?|valuable|promising|community|real[ -]world|use ?cases?",
    "soundness": r"correct\w*|incorrect|sound\w*|wrong|error\w*|flaw\w*|assum\w+|proofs?|prov(?:e|es|ed|en)|theor\w+"
    r"|claims?|claimed|convinc\w+|justif\w+|valid\w*|rigorous\w*|principled|bias\w*|convergence|holds?|guarante\w+"
    r"|suspicious|contradict\w*|why",
    "substance": r"experiment\w*|evaluat\w+|results?|analys[ie]s|analy[sz]\w+|ablation\w*|data ?sets?|tasks?"
    r"|empirical\w*"
    r"|thorough\w*|extensive\w*|more (?:details?|complex|examples?)|limited|stud(?:y|ies)|performance|metrics?|accuracy"
    r"|statistical\w*|tests?|tested|benchmarks?|cifar|mnist|imagenet",
}
ASPECTS: Final = tuple(_WORDS)
_SAID: Final = {aspect: re.compile(rf"\b(?:{words})\b") for aspect, words in _WORDS.items()}


def aspect_of(sentence: str) -> str | None:
    """Return the aspect that most words of a sentence belong to, the first of equals; None where none does.

    The word lists were written by judgement and read against the development part of DISAPERE.

    >>> aspect_of("The idea is not novel."), aspect_of("They train a parser.")
    ('originality', None)
    """
    said = plain(sentence)
    hits = {aspect: len(pattern.findall(said)) for aspect, pattern in _SAID.items()}
    best = max(ASPECTS, key=lambda aspect: hits[aspect])
    return best if hits[best] else None


@lru_cache(maxsize=512)  # the references of a paper are looked at once for each of its runs
def aspect_counts(text: str) -> Mapping[str, int]:
    """Return how many sentences of a review that judge or ask are about each aspect."""
    judging = (sentence for sentence in sentences(text) if sentence_role(sentence) != "other")
    return Counter(aspect for sentence in judging if (aspect := aspect_of(sentence)) is not None)


def aspect_shares(counts: Iterable[Mapping[str, int]]) -> dict[str, float]:
    """Return the share of each aspect, each review counting the same; empty where no review has any.

    >>> aspect_shares([{"clarity": 2}, {"clarity": 1, "soundness": 1}])["clarity"]
    0.75
    """
    told = [(each, sum(each.values())) for each in counts if sum(each.values())]
    if not told:
        return {}
    return {aspect: fsum(each.get(aspect, 0) / total for each, total in told) / len(told) for aspect in ASPECTS}


def divergence(first: Mapping[str, float], second: Mapping[str, float]) -> float:
    """Return the Jensen-Shannon divergence of two distributions in bits: 0 for the same, 1 for nothing in common.

    References:
        Lin (1991), Divergence measures based on the Shannon entropy.

    >>> divergence({"a": 1.0}, {"b": 1.0}), divergence({"a": 0.5, "b": 0.5}, {"a": 0.5, "b": 0.5})
    (1.0, 0.0)
    """
    names = sorted(first.keys() | second.keys())
    middle = {name: (first.get(name, 0) + second.get(name, 0)) / 2 for name in names}
    return min(1.0, max(0.0, (_relative(first, middle) + _relative(second, middle)) / 2))


def _relative(shares: Mapping[str, float], middle: Mapping[str, float]) -> float:
    return fsum(share * log2(share / middle[name]) for name, share in shares.items() if share > 0 < middle[name])
