"""Whether the judge that is set answers now."""

from dataclasses import dataclass
from time import perf_counter
from typing import Final

from agents_eval_core.errors import AgentsEvalError
from agents_eval_core.frozen import Frozen
from agents_eval_core.ports.chat_model import ChatLimits, ChatMessage
from agents_eval_core.ports.evaluator import Judge
from agents_eval_core.settings import Settings
from agents_eval_core.use_cases.judge_choice import resolve_judge

LIMITS: Final = ChatLimits(seconds=20.0, output_tokens=64)
QUESTION: Final = (ChatMessage(role="user", text="Is the sky above the clouds blue? Answer with JSON."),)


class Answered(Frozen):
    """The smallest answer in a shape."""

    yes: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCheck:
    """What came of asking a judge; `judge` is empty where there is none to ask."""

    judge: str
    answers: bool
    sentence: str


async def check_judges(settings: Settings, judge: str | None = None) -> tuple[JudgeCheck, ...]:
    """Ask each judge that is set one short question, which may cost what a short question costs.

    Args:
        settings: The judges that are set.
        judge: Asked in place of those.
    """
    try:
        context = resolve_judge(judge, settings)
    except AgentsEvalError as problem:
        return (JudgeCheck(judge=judge or "", answers=False, sentence=str(problem)),)
    if not context.judges:
        return (JudgeCheck(judge="", answers=False, sentence=context.judge_absence),)
    return tuple([await _asked(each) for each in context.judges])


async def _asked(judge: Judge) -> JudgeCheck:
    begun = perf_counter()
    try:
        await judge.model.complete(QUESTION, Answered, LIMITS)
    except (AgentsEvalError, TimeoutError) as problem:
        said = str(problem) or f"no answer within {LIMITS.seconds:g} s"
        return JudgeCheck(judge=judge.name, answers=False, sentence=said)
    took = perf_counter() - begun
    return JudgeCheck(judge=judge.name, answers=True, sentence=f"answered in {took:.1f} s")
