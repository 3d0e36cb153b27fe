"""From a question to scores: every judge asked, the answers put together, the evidence checked."""

import asyncio
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from agents_eval_core.ports.evaluator import EvaluationContext, Judge
from agents_eval_core.score import Evidence, Finding, Measure
from agents_eval_core.visible_text import visible
from agents_eval_evaluators.judge.evidence import checked
from agents_eval_evaluators.judge.fence import Part
from agents_eval_evaluators.judge.questioning import Answer, NoAnswer, Question, ask
from agents_eval_evaluators.judge.rubric import Rubric
from agents_eval_evaluators.judge.tally import Tally, tally

SHARE_OF_TIME: Final = 0.95  # a late judge is told apart from a late tier
REASON_CHARACTERS: Final = 300
QUOTES_KEPT: Final = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Grading:
    """What judges made of a question: the answers, or why there are none, and what they come to.

    Attributes:
        quotes: The quotations that occur in the material, each once.
        quotes_given: How many there were in all.
        quotes_dropped: How many do not occur.
    """

    rubric: Rubric
    answers: tuple[Answer, ...]
    failures: tuple[NoAnswer, ...]
    tally: Tally | None
    quotes: tuple[str, ...]
    quotes_given: int
    quotes_dropped: int
    instructions_found: tuple[str, ...]

    @property
    def explanation(self) -> str:
        """The criteria with their levels and reasons, what was not read, and who did not answer."""
        lines = [*self._reasons(), *self._limits()]
        return "; ".join(line.rstrip(".;") for line in lines) + "."

    @property
    def problem(self) -> str:
        """Why there is no grade, in one sentence."""
        return "; ".join(dict.fromkeys(f"the judge {each.judge.name}: {each.sentence}" for each in self.failures))

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The figures behind the value: the criteria, the judges, their agreement with themselves and each other."""
        return (*self._criterion_measures(), *self._judge_measures(), *self._agreement(), *self._cost())

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the judges say tries to instruct them, where it stands in the material."""
        if not self.instructions_found:
            return ()
        return (
            Finding(
                name="instructions_reported",
                severity="warning",
                about="evaluation",
                sentence="the judge reports text in the material that tries to instruct it",
                evidence=Evidence(quotes=self.instructions_found),
            ),
        )

    def _reasons(self) -> Iterator[str]:
        for criterion in self.rubric.criteria:
            given = [answer.answers[criterion.id] for answer in self.answers]
            levels = [str(one.level) for one in given if one.level is not None]
            said = f"{'/'.join(levels)} of {criterion.levels}" if levels else "does not apply"
            yield f"{criterion.id} {said}: {_short(given[0].reason)}"

    def _limits(self) -> Iterator[str]:
        unread = dict.fromkeys(sentence for answer in self.answers for sentence in answer.reading.unread)
        yield from (f"limits: {sentence}" for sentence in unread)
        if self.failures:
            yield f"without {len(self.failures)} of {len(self.failures) + len(self.answers)} answers ({self.problem})"

    def _criterion_measures(self) -> Iterator[Measure]:
        shares = self.tally.shares if self.tally else dict[str, float | None]()
        for criterion in self.rubric.criteria:
            yield Measure(name=f"{self.rubric.name}.{criterion.id}", value=shares.get(criterion.id), unit="share")

    def _judge_measures(self) -> Iterator[Measure]:
        judges = {answer.judge.name: answer for answer in self.answers}
        yield Measure(name="judge", value="+".join(judges))
        yield Measure(name="judge_chosen", value="; ".join(dict.fromkeys(a.judge.chosen_because for a in self.answers)))
        yield Measure(name="judge_model", value="+".join(answer.model or "kept answer" for answer in judges.values()))
        yield Measure(name="rubric", value=f"{self.rubric.name} {self.rubric.version} ({self.rubric.digest})")
        rubric = f"{self.rubric.name} {self.rubric.version}"
        known = dict.fromkeys(answer.judge.certificates.get(rubric, "none") for answer in self.answers)
        yield Measure(name="judge_certificate", value=" | ".join(known))
        yield Measure(name="quotes_given", value=self.quotes_given)
        yield Measure(name="quotes_dropped", value=self.quotes_dropped)
        read = min((a.reading for a in self.answers), key=lambda reading: reading.characters)
        yield Measure(name="material_read", value=read.characters / max(1, read.of_characters), unit="share")

    def _agreement(self) -> Iterator[Measure]:
        if self.tally is None:
            return
        yield Measure(name="judge_answers", value=len(self.answers))
        yield Measure(name="judge_failures", value=len(self.failures))
        if self.tally.flip_rate is not None:
            yield Measure(name="flip_rate", value=self.tally.flip_rate, unit="share")
        if self.tally.majority_share is not None:
            yield Measure(name="majority_share", value=self.tally.majority_share, unit="share")
            yield Measure(name="krippendorff_alpha", value=self.tally.alpha)

    def _cost(self) -> Iterator[Measure]:
        asked = [answer for answer in self.answers if not answer.is_from_cache]
        yield Measure(name="answers_from_cache", value=len(self.answers) - len(asked))
        yield Measure(name="judge_input_tokens", value=_total(one.input_tokens for one in asked), unit="tokens")
        yield Measure(name="judge_output_tokens", value=_total(one.output_tokens for one in asked), unit="tokens")
        yield Measure(name="judge_cost_usd", value=_total(one.cost_usd for one in asked), unit="USD")


async def grade(question: Question, context: EvaluationContext) -> Grading:
    """Ask every judge, each as often as the rules say, and return what they come to.

    The judges work at the same time, the repeats of one after another. Judges that did not answer cost their own
    answers only.
    """
    deadline = time.monotonic() + SHARE_OF_TIME * context.judge_rules.seconds
    asked = await asyncio.gather(*(_repeats(judge, question, context, deadline) for judge in context.judges))
    replies = [reply for of_one in asked for reply in of_one]
    answers = tuple(reply for reply in replies if isinstance(reply, Answer))
    quotes, given, dropped = _evidence(answers, question.parts)
    found = [quote for answer in answers for quote in answer.instructions_found]
    return Grading(
        rubric=question.rubric,
        answers=answers,
        failures=tuple(reply for reply in replies if isinstance(reply, NoAnswer)),
        tally=tally(question.rubric, answers) if answers else None,
        quotes=quotes,
        quotes_given=given,
        quotes_dropped=dropped,
        instructions_found=tuple(dict.fromkeys(_short(quote) for quote in _standing(found, question.parts))),
    )


async def _repeats(
    judge: Judge, question: Question, context: EvaluationContext, deadline: float
) -> Sequence[Answer | NoAnswer]:
    replies: list[Answer | NoAnswer] = []
    for repeat in range(context.judge_rules.repeats):
        seconds = max(0.0, deadline - time.monotonic())
        replies.append(await ask(judge, question, context, repeat=repeat, seconds=seconds))
        if isinstance(replies[-1], NoAnswer):  # it would most likely fail again, and cost again
            break
    return replies


def _evidence(answers: Sequence[Answer], parts: Sequence[Part]) -> tuple[tuple[str, ...], int, int]:
    """Return the quotations that occur, how many were given, and how many of these do not occur."""
    quoted = [quote for answer in answers for one in answer.answers.values() for quote in one.evidence if quote.strip()]
    kept, dropped = checked(quoted, [part.text for part in parts]) if quoted else ((), 0)
    return tuple(dict.fromkeys(map(_short, kept)))[:QUOTES_KEPT], len(quoted), dropped


def _standing(quotations: Sequence[str], parts: Sequence[Part]) -> Sequence[str]:
    return checked(quotations, [part.text for part in parts])[0]


def _short(text: str) -> str:
    said = " ".join(visible(text).split())
    return said if len(said) <= REASON_CHARACTERS else f"{said[:REASON_CHARACTERS]} …"


def _total(values: Iterable[int | float | None]) -> int | float | None:
    known = list(values)
    if any(value is None for value in known):
        return None
    return sum(value or 0 for value in known)
