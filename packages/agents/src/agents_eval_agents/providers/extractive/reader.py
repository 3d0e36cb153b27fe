"""What the Reader finds in a paper without a model: claims, names, data, figures, limits, and what is absent."""

import re
from collections.abc import Iterator, Sequence

from agents_eval_agents.providers.extractive.checks import ABSTRACT_CHECKS, CLAIM, PAPER_CHECKS, Check
from agents_eval_agents.providers.extractive.facts import ABSENT, FOUND, ONLY_ABSTRACT, STATED, Finding, enumerate_names
from agents_eval_agents.providers.extractive.lines import ABSTRACT, Lines, read_lines
from agents_eval_agents.providers.extractive.quotes import quotation
from agents_eval_agents.providers.extractive.sentences import is_instruction
from agents_eval_agents.providers.extractive.vocabulary import Vocabulary, read_vocabulary
from agents_eval_agents.review_team.outputs import ResearchSummary

_FORMAL = ("Theorem", "Corollary", "Proposition", "Lemma")
_OTHERS = re.compile(
    r".{0,60}?(?:\bet al\b|\[\d|\(\d{4}\)|\b(?:prior|previous|existing|recent) (?:work|method|approach|studies))"
)
_EMPTY = re.compile(
    r"\b(?:several|some|various|many|number of|discuss (?:the|our|some)) (?:\w+ )?limitations?\b|\bfundamental limit"
    r"|\b(?:foundation|avenues?|venues?|doors?|paves?|inspires?|opens?)\b"
    r"|\b(?:promising|several|many) (?:\w+ ){0,2}directions|\b(?:explore|address|leave) (?:this|these)\b|This would"
    r"|\blimitations? of (?:current|existing|prior|previous|these|such|standard|traditional|basic)\b"
)


def read_paper(title: str, abstract: str, sections: Sequence[tuple[str, str]]) -> ResearchSummary:
    """Gather what a paper says and where, and what was looked for in vain.

    Everything rests on words that stand in the text: a fact quotes a short clause, or says what was looked for. Nothing
    is judged. Bibliographies, checklists and front matter are not read and listed as such; sentences that try to
    instruct the reader are passed over. The time is linear in the length of the text.

    Args:
        title: The paper's title.
        abstract: Its abstract; may be empty.
        sections: Heading and text of each section; may be empty, then nothing is said beyond the abstract.

    >>> summary = read_paper("T", "We propose FooNet, a network for parsing. FooNet is fast.", [])
    >>> summary.unread
    ['all sections: only the abstract was given']
    >>> [fact.quote for fact in summary.facts if fact.quote]
    ['We propose FooNet, a network for parsing']
    """
    lines = read_lines(title, abstract, sections)
    if not lines.read:
        return ResearchSummary(overview="Nothing but a title was given.", unread=[ONLY_ABSTRACT])
    vocabulary = read_vocabulary(title, lines)
    findings = [*_named(lines, vocabulary), *_examined(lines, vocabulary)]
    claims = [finding for finding in findings if finding.topic == CLAIM.topic and finding.quote]
    quoted = claims[:1] if len(claims) > 1 else []  # a claim is quoted once: here, or as a strength
    return ResearchSummary(
        overview=_overview(title, lines, vocabulary, quoted),
        facts=[finding.fact() for finding in findings if finding not in quoted],
        unread=list(lines.unread) if lines.is_full_text else [ONLY_ABSTRACT],
    )


def _overview(title: str, lines: Lines, vocabulary: Vocabulary, claims: Sequence[Finding]) -> str:
    """Return a few sentences: what it returns to, a claim, its data, and how much of it was read."""
    plain = "" if is_instruction(title) or '"' in title else title.strip().rstrip(".")
    called = vocabulary.own or (f'"{plain}"' if plain else "The paper")
    skipped = f", {len(lines.unread)} left out (front matter, references or checklist)" if lines.unread else ""
    headings = len({line.anchor for line in lines.read if line.anchor})
    parts = (
        f"{called} keeps returning to {enumerate_names(vocabulary.phrases[:3])}." if vocabulary.phrases else "",
        *(f'In the words of its authors, "{claim.quote}".' for claim in claims),
        f"Data named in it include {enumerate_names(vocabulary.data[:3])}." if vocabulary.data else "",
        f"{headings} sections were read{skipped}." if lines.is_full_text else "Only the abstract was read.",
    )
    return " ".join(part for part in parts if part)


def _named(lines: Lines, vocabulary: Vocabulary) -> Iterator[Finding]:
    """Yield names, labels and phrases."""
    home = lines.heading("experiments", "method", "abstract") or ABSTRACT
    theorems, exhibits = sorted(lines.labels(*_FORMAL)[:3]), [*lines.labels("Tab"), *lines.labels("Fig")]
    lone = [label for label in exhibits[-1:] if sum(label in line.text for line in lines.read) == 1]
    body = " ".join(line.text.lower() for line in lines.of("method", "experiments", "conclusion", "limitations"))
    thin = [phrase for phrase in vocabulary.phrases if body and phrase.lower().rstrip("s") not in body]
    named = (
        ("own name", [vocabulary.own] if vocabulary.own else [], ABSTRACT),
        ("recurring phrases", vocabulary.phrases, ABSTRACT),
        ("data", vocabulary.data, home),
        ("names compared with", vocabulary.rivals, home),
        ("theorems", theorems, theorems[0] if theorems else ABSTRACT),
        ("tables and figures", exhibits[:3], exhibits[0] if exhibits else ABSTRACT),
        ("phrases of the abstract only", thin[:2], ABSTRACT),
        ("an exhibit mentioned once", lone, lone[0] if lone else ABSTRACT),
    )
    for topic, names, anchor in named:
        if names:
            yield Finding(status=STATED, topic=topic, names=names, near=vocabulary.near(anchor), anchor=anchor)


def _examined(lines: Lines, vocabulary: Vocabulary) -> Iterator[Finding]:
    """Yield what was found and what was looked for in vain, by the checks that apply to this paper."""
    has = _properties(lines, vocabulary)
    for check in PAPER_CHECKS if lines.is_full_text else ABSTRACT_CHECKS:
        if check.cue and (not check.needs or check.needs in has):
            yield from _results(check, lines, vocabulary)
    if "practice" in has:
        status, names = (FOUND if vocabulary.data else ABSENT), vocabulary.data[:4]
        yield Finding(status=status, topic="named data", names=names, near=vocabulary.near(ABSTRACT))


def _properties(lines: Lines, vocabulary: Vocabulary) -> set[str]:
    """Return the properties of a paper on which checks depend."""
    exhibits = lines.labels("Tab", "Fig") or vocabulary.data
    measures = not lines.is_full_text or bool(any(True for _ in lines.of("experiments")) and exhibits)
    properties = {
        "measurements": measures,
        "theory": not measures or len(lines.labels(*_FORMAL)) > 1,
        "practice": not lines.is_full_text
        and not lines.says(r"(?i)\b(?:prove|proofs?|theorems?|bounds?|convergence|theor\w+)\b", "abstract"),
        "repetitions": measures and lines.says(r"±|\bseeds\b|\b[Ss]tandard (?:dev|err)|\b[Ee]rror bar", "experiments"),
        "a method": measures and lines.says(r"(?i)\bwe (?:propose|introduce|present|develop|design)", "abstract"),
        "speed": measures and lines.says(r"(?i)\b(?:efficien|fast|scalab|cheap|speed|real-time|accelerat)", "abstract"),
    }
    return {name for name, holds in properties.items() if holds}


def _results(check: Check, lines: Lines, vocabulary: Vocabulary) -> Iterator[Finding]:
    """Yield the quotable sentences that show best what a check is about, or that there is none.

    Best are those under a heading that says so, and those in the first kinds of section.
    """
    cue = re.compile(check.cue)
    found = [line for line in lines.of(*check.roles) if cue.search(line.text) or cue.search(line.anchor or "")]
    found.sort(key=lambda line: cue.search(line.anchor or "") is None)
    quotes: dict[str, str | None] = {}
    for line in found:
        match = cue.search(line.text)
        quote = quotation(line.text, match) if match and (check.is_sought or not _OTHERS.match(line.text)) else ""
        if quote and not _EMPTY.search(quote):
            quotes.setdefault(quote, line.anchor)
        if len(quotes) == check.most:
            break
    status = FOUND if check.is_sought else STATED
    for quote, anchor in quotes.items():
        yield _finding(status, check, anchor, vocabulary, quote)
    if check.is_sought and not quotes:
        home = found[0].anchor if found else lines.heading(*check.home) if lines.is_full_text else ABSTRACT
        yield _finding(FOUND if found else ABSENT, check, home, vocabulary)


def _finding(status: str, check: Check, anchor: str | None, vocabulary: Vocabulary, quote: str = "") -> Finding:
    near = vocabulary.near(anchor)
    return Finding(status=status, topic=check.topic, near=near, anchor=anchor or ABSTRACT, quote=quote)
