"""One question to one judge: within its budget and time, asked a second time where the answer cannot be read."""

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from pydantic import ValidationError

from agents_eval_core.errors import BudgetSpentError, ModelError, RefusedReplyError, UnreadableReplyError
from agents_eval_core.judging import Exchange, ExchangeMessage, Outcome, Reservation
from agents_eval_core.paper import Paper
from agents_eval_core.ports.chat_model import ChatLimits, ChatMessage, PricedModel, Reply
from agents_eval_core.ports.evaluator import EvaluationContext, Judge
from agents_eval_core.score import Reason
from agents_eval_evaluators.judge.fence import Part, new_mark, question_messages
from agents_eval_evaluators.judge.judgement import CriterionAnswer, Judgement, answers_by_criterion
from agents_eval_evaluators.judge.reading import CHARACTERS_A_TOKEN, Reading, read, room
from agents_eval_evaluators.judge.rubric import Rubric

OUTPUT_TOKENS: Final = 4096
REPAIR: Final = (
    "That answer cannot be used: {problem}. Answer the same question again, in the form that was asked for and with "
    "nothing else."
)
OUTCOMES: Final[Mapping[type[Exception], Outcome]] = {
    UnreadableReplyError: "unreadable",
    RefusedReplyError: "refused",
    TimeoutError: "timeout",
    BudgetSpentError: "over_budget",
}
SCHEMA: Final[Mapping[str, Any]] = Judgement.model_json_schema()


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a judge is asked: a rubric about material.

    Attributes:
        paper: The paper that the part named `paper` is the text of.
    """

    rubric: Rubric
    parts: tuple[Part, ...]
    paper: Paper | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A judge's usable answer, with what it had read and what it took."""

    judge: Judge
    answers: Mapping[str, CriterionAnswer]
    instructions_found: Sequence[str]
    reading: Reading
    model: str | None
    input_tokens: int | None
    output_tokens: int | None
    cost_usd: float | None
    is_from_cache: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NoAnswer:
    """Why there is no usable answer."""

    judge: Judge
    reason: Reason
    error_type: str | None
    sentence: str


async def ask(
    judge: Judge, question: Question, context: EvaluationContext, *, repeat: int = 0, seconds: float
) -> Answer | NoAnswer:
    """Ask a judge; whatever goes wrong is no grade but says what it was.

    Args:
        judge: Whom.
        question: What; the judge reads as much of the material as it has room for.
        context: The ledger that every question and answer is kept in, and answers of before.
        repeat: Which of several askings of the same question this is.
        seconds: How long the answer, a repair turn included, may take.
    """
    asking = _Asking(judge, question, context, repeat)
    known = asking.known_answer()
    if known is not None:
        return known
    try:
        return await asyncio.wait_for(asking.answer(), seconds)
    except asyncio.CancelledError:
        asking.keep("timeout", "the time limit of the tier was reached")
        raise
    except Exception as problem:  # noqa: BLE001  a judge may fail in any way, and must not pass as a grade
        return asking.no_answer(problem, seconds)


class _Asking:
    """One asking: its messages, its record, and what the requests took so far."""

    def __init__(self, judge: Judge, question: Question, context: EvaluationContext, repeat: int) -> None:
        self._judge, self._rubric, self._context = judge, question.rubric, context
        self._reading = read(question.parts, room(judge.model, OUTPUT_TOKENS), question.paper)
        self._key = _key(judge, question.rubric, self._reading, repeat)
        self._messages: Sequence[ChatMessage] = question_messages(
            question.rubric.instructions, self._reading.parts, new_mark(self._reading.parts)
        )
        self._deadline_seconds = context.judge_rules.seconds
        self._replies: list[Reply[Judgement]] = []

    def known_answer(self) -> Answer | None:
        """Return the answer that was given before to the same question, if it is kept and can be read."""
        text = self._context.replies.get(self._key) if self._context.replies is not None else None
        if text is None:
            return None
        try:
            judgement = Judgement.model_validate_json(text)
            answer = self._answer(Reply(value=judgement, model="", text=text), is_from_cache=True)
        except (ValidationError, UnreadableReplyError) as problem:
            self.keep("unreadable", f"the answer that was kept cannot be read: {problem}", reply=text)
            return None
        self.keep("from_cache", reply=text)
        return answer

    async def answer(self) -> Answer:
        """Return the first usable answer of at most two.

        Raises:
            Exception: There is none.
        """
        try:
            reply = await self._request()
            answer, outcome = self._answer(reply), "answered"
        except UnreadableReplyError as problem:
            took = self._replies[-1] if self._replies else None
            self.keep("unreadable", str(problem), reply=problem.text, took=took)
            said = REPAIR.format(problem=" ".join(str(problem).split())[:400])
            turn = (
                ChatMessage(role="assistant", text=problem.text or "(nothing)"),
                ChatMessage(role="user", text=said),
            )
            self._messages = (*self._messages, *turn)
            reply = await self._request()
            answer, outcome = self._answer(reply), "repaired"
        text = reply.value.model_dump_json()
        self.keep(outcome, reply=reply.text or text, took=reply)
        if self._context.replies is not None:
            self._context.replies.put(self._key, text)
        return answer

    def no_answer(self, problem: Exception, seconds: float) -> NoAnswer:
        """Return why there is no answer, and keep it."""
        kind = next((kind for kind in OUTCOMES if isinstance(problem, kind)), None)
        sentence = (
            f"no answer within {seconds:.3g} s" if kind is TimeoutError else str(problem) or type(problem).__name__
        )
        text = problem.text if isinstance(problem, UnreadableReplyError) else ""
        self.keep(OUTCOMES[kind] if kind else "failed", sentence, reply=text)
        if isinstance(problem, BudgetSpentError):
            return NoAnswer(judge=self._judge, reason="not_measured", error_type=None, sentence=sentence)
        name = problem.error_type if isinstance(problem, ModelError) and kind is None else type(problem).__name__
        error_type = OUTCOMES[kind] if kind else name
        return NoAnswer(judge=self._judge, reason="failed", error_type=error_type, sentence=sentence)

    def keep(
        self, outcome: Outcome, problem: str = "", *, reply: str = "", took: Reply[Judgement] | None = None
    ) -> None:
        """Keep the question as it was sent, with what came of it."""
        self._context.ledger.add(
            Exchange(
                key=self._key,
                rubric=f"{self._rubric.name} {self._rubric.version}",
                judge=self._judge.name,
                provider=self._judge.provider,
                messages=tuple(ExchangeMessage(role=each.role, text=_written(each.text)) for each in self._messages),
                answer_schema=dict(SCHEMA),
                outcome=outcome,
                reply=_written(reply),
                problem=_written(problem),
                model=took.model if took else None,
                input_tokens=took.input_tokens if took else None,
                output_tokens=took.output_tokens if took else None,
                cost_usd=took.cost_usd if took else None,
                at=datetime.now(UTC),
            )
        )

    async def _request(self) -> Reply[Judgement]:
        reserved = self._reserve()
        limits = ChatLimits(seconds=self._deadline_seconds, output_tokens=OUTPUT_TOKENS)
        reply = await self._judge.model.complete(self._messages, Judgement, limits)
        self._replies.append(reply)
        self._context.ledger.settle(reserved, tokens=_total(reply), usd=reply.cost_usd)
        return reply

    def _reserve(self) -> Reservation:
        sent = sum(len(message.text.encode("utf-8", "replace")) for message in self._messages)
        tokens = sent // CHARACTERS_A_TOKEN + 1
        model = self._judge.model
        usd = model.price_usd(tokens, OUTPUT_TOKENS) if isinstance(model, PricedModel) else None
        return self._context.ledger.reserve(self._judge.provider, self._judge.name, tokens + OUTPUT_TOKENS, usd)

    def _answer(self, reply: Reply[Judgement], *, is_from_cache: bool = False) -> Answer:
        text = reply.text or reply.value.model_dump_json()
        return Answer(
            judge=self._judge,
            answers=answers_by_criterion(reply.value, self._rubric, text),
            instructions_found=reply.value.instructions_found,
            reading=self._reading,
            model=reply.model or None,
            input_tokens=_sum(one.input_tokens for one in self._replies),
            output_tokens=_sum(one.output_tokens for one in self._replies),
            cost_usd=_sum(one.cost_usd for one in self._replies),
            is_from_cache=is_from_cache,
        )


def _key(judge: Judge, rubric: Rubric, reading: Reading, repeat: int) -> str:
    identity = hashlib.sha256()
    texts = (part for each in reading.parts for part in (each.name, each.note, each.text))
    for text in (judge.name, rubric.name, rubric.version, rubric.digest, str(repeat), *texts):
        data = text.encode("utf-8", "surrogatepass")
        identity.update(b"%d:" % len(data))
        identity.update(data)
    return identity.hexdigest()


def _total(reply: Reply[Judgement]) -> int | None:
    if reply.input_tokens is None or reply.output_tokens is None:
        return None
    return reply.input_tokens + reply.output_tokens


def _sum(values: Any) -> Any:
    """Return the sum, None where one is unknown or there are none."""
    known = list(values)
    return sum(known) if known and all(value is not None for value in known) else None


def _written(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair, as models sometimes write
        return text.encode("utf-8", "replace").decode()
    return text
