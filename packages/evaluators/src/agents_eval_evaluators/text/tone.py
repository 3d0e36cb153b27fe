"""Sentences of a review that are harsh, and praise that gives no reason."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Evidence, Finding, Measure, Tier
from agents_eval_evaluators.text.cues import gives_reason
from agents_eval_evaluators.text.language import other_language
from agents_eval_evaluators.text.point_marks import point_marks
from agents_eval_evaluators.text.words import plain, sentences, words

FEW_WORDS: Final = 15
MOST_QUOTED: Final = 6
_HARSH: Final = re.compile(
    r"\b(?:ridiculous\w*|laughabl\w+|absurd\w*|nonsens\w*|garbage|rubbish|stupid\w*|idiotic|dumb|pathetic\w*|embarrass\w+"
    r"|atrocious\w*|terribl[ey]|horribl[ey]|awful\w*|appalling\w*|shameful\w*|disgrac\w+|insult\w*"
    r"|incompeten\w+|clueless|ignorant|lazy|sloppy|worthless|crap\w*|bullshit|joke|silly|moron\w*|childish|hopeless\w*"
    r"|waste of (?:my |our |the reader\W?s? )?time|complete (?:mess|failure)"
    r"|do(?:es)? not deserve|do(?:es)?n't deserve|have no idea|has no idea|did you even|do(?:es)? not even understand"
    r"|i (?:am|was) (?:appalled|shocked|disgusted|bored)|painful to read|unreadable"
    r"|makes no sense (?:whatsoever|at all))\b"
)
_GENERIC_PRAISE: Final = re.compile(
    r"\b(?:well[ -](?:written|organi[sz]ed|structured)|easy to (?:read|follow)"
    r"|(?:good|nice|interesting|great|solid|excellent|important|strong) "
    r"(?:paper|work|idea|contribution|results?|topic|problem)|(?:clear|good|nice) (?:writing|presentation|exposition)"
    r"|(?:paper|work|idea|approach|method|topic|problem) is (?:very |quite |really )?"
    r"(?:good|nice|novel|interesting|clear|great|solid|important))\b"
)


def is_harsh(sentence: str) -> bool:
    """Whether a sentence has a word or phrase that a chair would strike out.

    References:
        What it finds is mostly rude, and it misses most of what is rude: see `agents-eval validate tone`.

    >>> is_harsh("This is a waste of my time."), is_harsh("The baseline is missing.")
    (True, False)
    """
    return _HARSH.search(plain(sentence)) is not None


def is_generic_praise(sentence: str) -> bool:
    """Whether a short sentence praises in words that fit any paper, and gives no reason, place or example.

    >>> is_generic_praise("The paper is well written."), is_generic_praise("It is well written; see Section 2.")
    (True, False)
    """
    return (
        _GENERIC_PRAISE.search(plain(sentence)) is not None
        and len(words(sentence)) <= FEW_WORDS
        and not gives_reason(sentence)
        and not point_marks(sentence).places
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Tone:
    """Flags harsh sentences and praise without a reason; gives no score, since raters do not agree on tone."""

    name: str = "tone"
    version: str = "0"
    tier: Tier = 1
    metrics: tuple[str, ...] = ()

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Look through the review's sentences; another language than English is not looked at."""
        if run.case.task != "peer_review" or other_language(run.text) is not None:
            return Evaluation()
        said = tuple(dict.fromkeys(sentences(run.text)))
        harsh = tuple(sentence for sentence in said if is_harsh(sentence))
        praise = tuple(sentence for sentence in said if is_generic_praise(sentence))
        return Evaluation(
            measures=(
                Measure(name="harsh_sentences", value=len(harsh), unit="sentences"),
                Measure(name="generic_praise", value=len(praise), unit="sentences"),
            ),
            findings=tuple(_findings(harsh, praise)),
        )


def _findings(harsh: tuple[str, ...], praise: tuple[str, ...]) -> Iterator[Finding]:
    if harsh:
        yield Finding(
            name="harsh_tone",
            severity="warning",
            sentence=f"{len(harsh)} sentences are worded harshly",
            evidence=Evidence(quotes=harsh[:MOST_QUOTED]),
        )
    if praise:
        yield Finding(
            name="generic_praise",
            severity="info",
            sentence=f"{len(praise)} sentences praise in words that fit any paper and give no reason",
            evidence=Evidence(quotes=praise[:MOST_QUOTED]),
        )
