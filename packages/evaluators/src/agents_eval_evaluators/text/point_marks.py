"""What one point of a review has that shows it to be worth something: places, figures, requests, reasons."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from agents_eval_evaluators.text.words import plain, words

_PLACE: Final = re.compile(
    r"\b(?P<kind>sections?|sec|figures?|figs?|tables?|tab|equations?|eqs?|eqn|algorithms?|alg|theorems?|thm|lemmas?"
    r"|propositions?|corollary|definitions?|appendix|appendices|lines?|pages?|footnotes?)\b"
    r"[.\s~(#]{0,3}(?P<number>\d+(?:\.\d+)*|(?-i:[A-H])(?:\.\d+)*\b)|\u00a7\s*(?P<mark>\d+(?:\.\d+)*)"
    r"|\b(?:l|ll|p|pp|pg)\.\s?(?P<short>\d+)|\bL(?P<numbered>\d{2,4})\b",
    re.IGNORECASE,
)
_NUMBERS_SOMETHING: Final = re.compile(r"[\d\u00a7]|[A-H]\b")  # a place has one of these; most sentences have none
_NAMED_SECTION: Final = re.compile(
    r"\b(abstract|introduction|related works?|conclusions?|supplementary|supplement|appendix|references"
    r"|(?:experiments?|experimental|methods?|methodology|results?|discussion|evaluation|background) sections?)\b",
    re.IGNORECASE,
)
_CITATION: Final = re.compile(
    r"\[\d{1,3}(?:\s*[,-]\s*\d{1,3})*\]|\bet al\b|\barxiv\b|\bdoi\b|https?://|[A-Z]\w+,? \(?(?:19|20)\d\d[a-z]?\)"
)
_QUOTATION: Final = re.compile(r"[\"\u201c]([^\"\u201c\u201d\n]{10,300})[\"\u201d]|``([^\n]{10,300}?)''")
_TECHNICAL: Final = re.compile(
    r"\b(?:[A-Z]{2,}[a-z0-9]*|[A-Z]?[a-z]+[A-Z]\w*|[A-Za-z]{2,}(?:-[A-Za-z0-9]{2,})+|[A-Za-z]+\d+)\b|\$[^$\n]{1,60}\$"
    r"|[A-Za-z0-9)]\s?[=<>\u2264\u2265^]\s?[A-Za-z0-9(\\]|\\[a-z]+"
)
_NUMBER: Final = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*(?:\s?%)?(?!\w)")
_REQUEST: Final = re.compile(
    r"\b(?:please|should|suggest\w*|recommend\w*|(?:could|can|would) (?:you|the authors?|they|we)"
    r"|would (?:be|have been) (?:\w+ )?(?:useful|helpful|nice|good|great|better|interesting|beneficial|important"
    r"|valuable|appreciated|necessary|informative|worthwhile)|would like|needs? to|must|typos?|it is necessary"
    r"|may want to|might want to|i (?:wonder|encourage|urge|advise|would)|encouraged? to|missing references?)\b"
)
_IMPERATIVE: Final = re.compile(
    r"\b(?:provid(?:e|ing)|clarif(?:y|ying|ication)|compar(?:e|ing|ison)s?|explain(?:ing)?|discuss(?:ing)?|add(?:ing)?"
    r"|includ(?:e|ing)|elaborat(?:e|ing)|consider(?:ing)?|report(?:ing)?|conduct(?:ing)?|evaluat(?:e|ing)"
    r"|would (?:strengthen|improve|enhance|benefit|help|make)|could (?:strengthen|improve|enhance|benefit|help|be)"
    r"|the authors (?:could|may|might)|more (?:details?|experiments?|explanations?|discussion|analysis|results|clarity)"
    r"|further (?:details?|experiments?|explanations?|discussion|analysis))\b"
)
_REASON: Final = re.compile(
    r"\b(?:because|since|therefore|thus|hence|due to|so that|as a result|otherwise|for example|for instance|e\.g|i\.e"
    r"|given that|which (?:means|makes|implies|suggests)|implies|in contrast|whereas|while|although|though|however"
    r"|but|if|in particular|specifically|compared (?:to|with)|according to|as (?:shown|stated|mentioned|reported)"
    r"|such as)\b"
)
_FULL_KIND: Final = {
    "sec": "section", "fig": "figure", "tab": "table", "eq": "equation", "eqn": "equation", "alg": "algorithm",
    "thm": "theorem", "appendice": "appendix",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class PointMarks:
    """What stands in a point.

    Attributes:
        places: Distinct places of the paper it names (`table 3`, `line 120`, `introduction`), in order.
        citations: How many works it cites.
        quotations: Passages in quotation marks.
        technical: Distinct technical words and numbers: acronyms, CamelCase, hyphenated words, formulas, figures.
        requests: Phrases that ask or demand.
        imperatives: Verbs and phrases that say what to do.
        has_question: Whether it has a question mark.
        reasons: Connectives that argue.
        length: Words.
    """

    places: tuple[str, ...]
    citations: int
    quotations: int
    technical: int
    requests: int
    imperatives: int
    has_question: bool
    reasons: int
    length: int


@lru_cache(maxsize=512)  # the same point is read for substance, coverage and tone
def point_marks(text: str) -> PointMarks:
    """Return the marks of a point, from fixed word lists.

    >>> marks = point_marks("Why is BERT-base missing in Table 3? Please add it, because 81.5 % is too low.")
    >>> marks.places, marks.requests, marks.imperatives, marks.has_question, marks.reasons
    (('table 3',), 1, 1, True, 1)
    """
    lowered = plain(text)
    named = dict.fromkeys([*numbered_places(text), *(name.lower() for name in _NAMED_SECTION.findall(text))])
    return PointMarks(
        places=tuple(named),
        citations=len(_CITATION.findall(text)),
        quotations=len(_QUOTATION.findall(text)),
        technical=len(set(_TECHNICAL.findall(text))) + len(set(_NUMBER.findall(text))),
        requests=len(_REQUEST.findall(lowered)),
        imperatives=len(_IMPERATIVE.findall(lowered)),
        has_question="?" in text,
        reasons=len(_REASON.findall(lowered)),
        length=len(words(text)),
    )


@lru_cache(maxsize=512)
def numbered_places(text: str) -> tuple[str, ...]:
    """Return the numbered places that a text names, under one name each, lines and pages among them.

    >>> numbered_places("See Figs. 2, Sec 3.1, Eq. (4), Appendix B, L120 and p. 7; not section by section.")
    ('figure 2', 'section 3.1', 'equation 4', 'appendix b', 'line 120', 'page 7')
    """
    return tuple(_places(text)) if _NUMBERS_SOMETHING.search(text) else ()


def _places(text: str) -> Iterator[str]:
    for found in _PLACE.finditer(text):
        if found["kind"]:
            yield f"{_kind(found['kind'], found['number'])} {found['number'].lower()}"
        elif found["mark"]:
            yield f"section {found['mark']}"
        elif found["short"]:
            yield f"{'line' if found[0][0] in 'lL' else 'page'} {found['short']}"
        else:
            yield f"line {found['numbered']}"


def _kind(named: str, number: str) -> str:
    kind = named.lower().removesuffix("s")
    kind = _FULL_KIND.get(kind, kind)
    return "appendix" if kind == "section" and number[0].isalpha() else kind
