"""Faults of the output that no number may hide: what is no review, or none of this paper, or was not written here."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from agents_eval_core.paper import Paper
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Evidence, Finding, Measure, Severity, Tier
from agents_eval_evaluators.calibration.agreement_table import AgreementTable, venue_table
from agents_eval_evaluators.text.copying import (
    copied_from_paper,
    copied_from_reference,
    repeated_share,
    taken_from_paper,
)
from agents_eval_evaluators.text.language import other_language
from agents_eval_evaluators.text.output_similarity import human_texts, raw_similarity
from agents_eval_evaluators.text.paper_subject import paper_text
from agents_eval_evaluators.text.resemblance import resemblance
from agents_eval_evaluators.text.shared_runs import shared_words
from agents_eval_evaluators.text.words import sentence_words, words

FEWEST_WORDS: Final = 15
FEWEST_KNOWN: Final = 0.6
MOST_FROM_PAPER: Final = 0.8
MOST_FROM_REFERENCE: Final = 0.3
LEAST_REVIEW_LIKE: Final = 0.45
MUCH_FROM_PAPER: Final = 0.25
MUCH_FROM_REFERENCE: Final = 0.15
MUCH_REPEATED: Final = 0.1
ENOUGH_REFERENCES: Final = 2
SHORTEST_TITLE: Final = 3
QUOTED: Final = 200
LANGUAGE_CHECKS: Final = ("unreadable", "shuffled", "negated", "off_paper")


def output_faults(
    text: str, paper: Paper | None, references: Sequence[str], table: AgreementTable
) -> Iterator[Finding]:
    """Yield the faults of a review, critical ones before warnings; a text that is no prose has no further faults.

    Critical: `empty` (fewer than 15 words, or fewer beside quotations of the paper), `copied` (at least 80 % from the
    paper without quotation marks, at least 30 % from a reference, or sentences that read like a paper's), `unreadable`
    (fewer than 60 % of the words occur in human reviews), `shuffled` (neighbouring words have nothing to do with one
    another), `negated` (far more negations than humans write), `off_paper` (nearer to other papers than humans come).
    Warnings: `quotes`, `near_reference`, `repeated`, `generic`. What cannot be told is told by `unchecked`.

    References:
        Thresholds are percentiles of human reviews, in the table; false alarms are measured by `agents-eval validate`.

    >>> [finding.name for finding in output_faults("Nice.", None, [], venue_table("iclr_2017"))]
    ['empty']
    """
    language = other_language(text)
    if language is not None:
        yield _finding(
            "other_language", f"the review is in {language}; what depends on English is not measured", "warning"
        )
        return
    ending = next(chain(_empty(text, paper), _unreadable(text, table)), None)
    if ending is not None:
        yield ending
        return
    from_reference = _share_of_references(text, paper, references)
    copied = tuple(_copied(text, paper, from_reference, table))
    yield from copied
    yield from _disorder(text, table)
    off_paper = tuple(_off_paper(text, paper, references, table))
    yield from off_paper
    yield from _warnings(text, paper, from_reference, is_copied=bool(copied))
    if not off_paper and not copied:
        yield from _generic(text, paper, references, table)


def unchecked(text: str, paper: Paper | None, references: Sequence[str]) -> tuple[str, ...]:
    """Return the critical checks that apply but cannot be made.

    Whether a text was copied is unknown without the paper; whether it is off the paper, without an abstract or with
    fewer than two human reviews; and of a text in another language only emptiness and copying can be told.
    """
    missing: list[str] = [] if paper is not None else ["copied"]
    if other_language(text) is not None:
        return (*missing, *LANGUAGE_CHECKS)
    return tuple(missing) if _can_tell_subject(paper, references) else (*missing, "off_paper")


def _can_tell_subject(paper: Paper | None, references: Sequence[str]) -> bool:
    return paper is not None and bool(words(paper.abstract)) and len(references) >= ENOUGH_REFERENCES


def _empty(text: str, paper: Paper | None) -> Iterator[Finding]:
    written = words(text)
    if len(written) < FEWEST_WORDS:
        yield _finding("empty", f"the review has {len(written)} words; fewer than {FEWEST_WORDS} are no review")
        return
    if paper is None or copied_from_paper(text, paper.text) >= MOST_FROM_PAPER:
        return
    own = shared_words(written, paper_text(paper.text).runs).count(False)
    if own < FEWEST_WORDS:
        sentence = f"only {own} of the review's {len(written)} words are its own; the others quote the paper"
        yield _finding("empty", sentence)


def _unreadable(text: str, table: AgreementTable) -> Iterator[Finding]:
    written = words(text)
    known = sum(word in table.words.document_frequency or word in table.words.stop_words for word in written)
    if known < FEWEST_KNOWN * len(written):
        share = 100 * known / len(written)
        sentence = f"only {share:.0f} % of the review's words are words that human reviewers use: it cannot be read"
        yield _finding("unreadable", sentence, quote=text)


def _share_of_references(text: str, paper: Paper | None, references: Sequence[str]) -> float:
    source = paper.text if paper is not None else ""
    return max((copied_from_reference(text, other, source) for other in references), default=0.0)


def _copied(text: str, paper: Paper | None, from_reference: float, table: AgreementTable) -> Iterator[Finding]:
    source = paper.text if paper is not None else ""
    from_paper = copied_from_paper(text, source)
    likeness = table.sentences.review_likeness(sentence_words(text))
    if from_paper >= MOST_FROM_PAPER:
        sentence = f"{100 * from_paper:.0f} % of the review's words are copied from the paper without quotation marks"
        yield _finding("copied", sentence, quote=text)
    elif from_reference >= MOST_FROM_REFERENCE:
        sentence = f"{100 * from_reference:.0f} % of the review's words are those of a human review"
        yield _finding("copied", sentence, quote=text)
    elif likeness is not None and likeness < LEAST_REVIEW_LIKE:
        sentence = (
            f"its sentences read like a paper's and not like a review's (probability {likeness:.2f} of a review; "
            f"below {LEAST_REVIEW_LIKE} it is taken for copied)"
        )
        yield _finding("copied", sentence, quote=text)


def _disorder(text: str, table: AgreementTable) -> Iterator[Finding]:
    said = sentence_words(text)
    information = table.order.information(said)
    if information is not None and information < table.thresholds.word_order:
        yield _finding(
            "shuffled",
            f"neighbouring words have nothing to do with one another ({information:.2f} nats; human reviews have at "
            f"least {table.thresholds.word_order:.2f})",
            quote=text,
        )
    excess = table.negation.excess(said)
    if excess > table.thresholds.negation:
        yield _finding(
            "negated",
            f"far more of its verbs are negated than human reviewers negate ({excess:.1f} standard deviations more; "
            f"99 % of them stay below {table.thresholds.negation:.1f}): it may say the opposite of what was meant",
        )


def _off_paper(text: str, paper: Paper | None, references: Sequence[str], table: AgreementTable) -> Iterator[Finding]:
    if paper is None or not _can_tell_subject(paper, references) or _names_title(text, paper):
        return
    near = resemblance(text, paper, references, table.words)
    if near.total < table.thresholds.off_paper:
        yield _finding(
            "off_paper",
            f"the review hardly speaks of this paper (cosine {near.best:.2f} with the nearest human review and "
            f"{near.about:.2f} with the abstract; 99 % of human reviews have more than "
            f"{table.thresholds.off_paper:.2f} together)",
        )


def _names_title(text: str, paper: Paper) -> bool:
    title = words(paper.title)
    return len(title) >= SHORTEST_TITLE and f" {' '.join(title)} " in f" {' '.join(words(text))} "


def _warnings(text: str, paper: Paper | None, from_reference: float, *, is_copied: bool) -> Iterator[Finding]:
    source = paper.text if paper is not None else ""
    from_paper = taken_from_paper(text, source)
    if from_paper >= MUCH_FROM_PAPER and not is_copied:
        yield _finding("quotes", f"{100 * from_paper:.0f} % of the review's words are the paper's own", "warning")
    if from_reference >= MUCH_FROM_REFERENCE and not is_copied:
        sentence = f"{100 * from_reference:.0f} % of the review's words stand so in a human review of this paper"
        yield _finding("near_reference", sentence, "warning")
    repeated = repeated_share(text)
    if repeated >= MUCH_REPEATED:
        yield _finding("repeated", f"{100 * repeated:.0f} % of the review's words were said before in it", "warning")


def _generic(text: str, paper: Paper | None, references: Sequence[str], table: AgreementTable) -> Iterator[Finding]:
    if paper is None or not _can_tell_subject(paper, references):
        return
    match = raw_similarity(text, paper, references, table.words)
    near = resemblance(text, paper, references, table.words).best
    if match < table.thresholds.generic_match or near < table.thresholds.generic_cosine:
        sentence = "what the review says fits many papers: it shares less with human reviews than 99 % of humans do"
        yield _finding("generic", sentence, "warning")


def _finding(name: str, sentence: str, severity: Severity = "critical", *, quote: str = "") -> Finding:
    quotes = (quote[:QUOTED],) if quote else ()
    return Finding(name=name, severity=severity, sentence=sentence, evidence=Evidence(quotes=quotes))


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputFaults:
    """Looks for faults of a review; gives no score. Other tasks are not looked at.

    It measures `words_of_a_reference`: the share of the review's words that stand in runs of six or more words of one
    human review of the paper and not in the paper; by it models are watched for what they have memorised.
    """

    name: str = "output_faults"
    version: str = "2"
    tier: Tier = 1
    metrics: tuple[str, ...] = ()
    table: AgreementTable | None = None

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:
        """Look for faults, and say which checks could not be made."""
        if run.case.task != "peer_review":
            return Evaluation()
        table = self.table or venue_table(run.case.venue, context.tables)
        references = human_texts(run.case)
        share = _share_of_references(run.text, run.case.paper, references) if references and run.text else None
        return Evaluation(
            findings=tuple(output_faults(run.text, run.case.paper, references, table)),
            measures=(Measure(name="words_of_a_reference", value=share, unit="share"),),
            unchecked=unchecked(run.text, run.case.paper, references),
        )
