"""Short verbatim quotations that read well: whole clauses, no debris, no instructions."""

import re

from agents_eval_agents.providers.extractive.sentences import is_instruction

_SHORTEST, _LONGEST = 6, 32  # words
_WINDOW = 600  # characters that are looked at
_ODD = re.compile(
    r"[^\w\s,.;:'\u2019()%/\u2013-]|_|[\u0370-\u03ff]|: \d"  # citations, mathematics, quotation marks, markup
    r"|\( | \)|https?:|www\.|\s/[a-z]|\bet al\b|\b(?:e\.g|i\.e)\b|\(cf|ﬁ|ﬂ"
    r"|\b\w+- [a-z]|\b[b-zB-HJ-Z] [b-z]\b|\b[b-zB-HJ-Z] ?[=,]"  # broken words and loose symbols
    r"|\. \d{1,3} (?=[A-Z])|\b[a-z]+\d{2,3}\b|\d \. \d| [.,;'] |\d{1,3} \d{1,3}\b|\s[-\u2013]\s?[a-z]"
    r"|(?<=[a-z,;] )\d{2,3}(?= [a-z])(?! (?:\w+s|million|billion|percent)\b)"  # line numbers
)
_CAPTION = re.compile(r"(?:Figure|Fig\.|Table|Tab\.|Algorithm)\s*\d+\s*[:.|]")
_SPEAKER = re.compile(r"(?i)(?:we|our|this)\b")
_CITATION = re.compile(r"\s*\[\d[\d, \u2013-]*\]\.?$")
_END = re.compile(r"[.!?][\"')]*$")
_BREAK = re.compile(
    r"[;:]\s|,? (?=(?:which|while|whereas|because|although|thereby|so that|such as|where)\s)"
    r"|, (?=(?:and|but|yet) (?:we|it|this|they|that|the|is|are|can)\b)"
)
_PARTS = "Limitations?|Future|Broader|Conclusions?|Discussion|Baselines?|Contributions?|Summary|Impacts?|Works?"
_RUN_IN = re.compile(  # a heading that stands in the same line
    rf"(?:{_PARTS})(?:\s+(?:and|of|Research|Directions?|{_PARTS}))*[.:]?\s+(?=[A-Z])"
    r"|[^,;:.]{3,60}?[a-z]\s(?=(?:We|To|In|Our|The|This|For|As|Here|When|By)\s[a-z])"
)


def quotation(text: str, cue: re.Match[str]) -> str:
    """Return a quotation that holds what a cue found in a sentence, or nothing where none reads well.

    It is the sentence, or else what follows a cue such as `we propose`; cut before a subordinate clause
    where it is long or holds mathematics, brackets or quotation marks further on. Captions and broken lines give none.

    >>> def quoted(text: str) -> str:
    ...     return quotation(text, re.search("propose", text))
    >>> quoted("Here we propose a fast parser for trees, which needs no more than $n$ labels.")
    'Here we propose a fast parser for trees'
    >>> quoted("Like Foo [3], we propose that."), quoted("We propose to accept this paper at once.")
    ('', '')
    """
    if is_instruction(text) or _CAPTION.match(text) or text.count("|") > 1:
        return ""
    heading = _RUN_IN.match(text)
    starts = [heading.end() if heading else 0] if text[:1].isupper() else []
    starts += [cue.start()] if _SPEAKER.match(cue[0]) else []
    word = cue[cue.lastindex or 0]
    found = (_clause(text[start : start + _WINDOW]) for start in starts)
    return next((quote for quote in found if word in quote), "")


def _clause(text: str) -> str:
    odd = _ODD.search(text)
    plain = _closed(text[: odd.start()] if odd else text)
    is_whole = _END.search(plain) or (odd and _CITATION.fullmatch(text, len(plain.rstrip())))
    if not is_whole or len(plain.split()) > _LONGEST:
        ends = [end.start() for end in _BREAK.finditer(plain) if len(plain[: end.start()].split()) <= _LONGEST]
        plain = _closed(plain[: ends[-1]]) if ends else ""
    return plain.rstrip(" ,;:.!?\u2013-") if len(plain.split()) >= _SHORTEST else ""


def _closed(text: str) -> str:
    """Cut before a bracket that stays open."""
    while text.count("(") > text.count(")"):
        text = text[: text.rindex("(")]
    return text
