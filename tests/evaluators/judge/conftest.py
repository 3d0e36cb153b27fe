"""A judge that follows a script, and a context with it."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from agents_eval_core.errors import UnreadableReplyError
from agents_eval_core.judging import Budget, JudgeLedger, JudgeRules
from agents_eval_core.ports.chat_model import ChatLimits, ChatMessage, Reply
from agents_eval_core.ports.evaluator import EvaluationContext, Evaluator, Judge
from agents_eval_core.run import Run
from agents_eval_core.score import Score
from agents_eval_core.trace import Span, Trace

CRITERION = re.compile(r"^- ([a-z][a-z0-9_]*) \(1 to \d+\):", re.MULTILINE)
Answer = Mapping[str, Any] | str | Exception
Script = Callable[[Sequence[ChatMessage], int], Answer]


def answer_of(level: int | None = 4, **more: Any) -> Script:
    """Give every criterion of the question the same level."""

    def script(messages: Sequence[ChatMessage], number: int) -> Answer:
        one: dict[str, Any] = {"evidence": list[str](), "reason": "so", "level": level} | more
        return {"answers": [{"criterion": name, **one} for name in CRITERION.findall(messages[0].text)]}

    return script


@dataclass(kw_only=True)
class ScriptedJudge:
    """Answers as the script says; a text is an answer in no form, an exception a failure."""

    script: Script = field(default_factory=answer_of)
    name: str = "scripted"
    context_tokens: int | None = None
    usd_per_token: float | None = None
    after_seconds: float = 0.0
    asked: list[Sequence[ChatMessage]] = field(default_factory=list[Sequence[ChatMessage]])

    def price_usd(self, input_tokens: int, output_tokens: int) -> float | None:
        return None if self.usd_per_token is None else self.usd_per_token * (input_tokens + output_tokens)

    async def complete(self, messages: Sequence[ChatMessage], schema: type[Any], limits: ChatLimits) -> Reply[Any]:  # noqa: ARG002  the port's shape
        self.asked.append(messages)
        await asyncio.sleep(self.after_seconds)
        said = self.script(messages, len(self.asked))
        if isinstance(said, Exception):
            raise said
        if isinstance(said, str):
            raise UnreadableReplyError("it is not in form", text=said)
        return Reply(
            value=schema.model_validate(said), model="scripted-1", input_tokens=10, output_tokens=5, cost_usd=0.001
        )


def always(said: Answer) -> Script:
    """Give the same answer to everything."""

    def script(messages: Sequence[ChatMessage], number: int) -> Answer:
        return said

    return script


@pytest.fixture
def scripted() -> Callable[..., ScriptedJudge]:
    return ScriptedJudge


@pytest.fixture
def levels() -> Callable[..., Script]:
    return answer_of


@pytest.fixture
def saying() -> Callable[[Answer], Script]:
    return always


@pytest.fixture
def judged_by() -> Callable[..., EvaluationContext]:
    """Return a context with these judges, rules and budgets; a script stands for a judge that follows it."""

    def build(*judges: ScriptedJudge | Script, budget: Budget | None = None, **changes: Any) -> EvaluationContext:
        names = {"repeats", "rubric", "seconds", "sees_measurements"} & changes.keys()
        rules = JudgeRules(**{name: changes.pop(name) for name in names})
        models = [one if isinstance(one, ScriptedJudge) else ScriptedJudge(script=one) for one in judges]
        members = tuple(Judge(provider="script", model=model) for model in models)
        return EvaluationContext(judges=members, judge_rules=rules, ledger=JudgeLedger(budget), **changes)

    return build


@pytest.fixture
def scored(
    score_of: Callable[..., Awaitable[Score]], judged_by: Callable[..., EvaluationContext]
) -> Callable[..., Awaitable[Score]]:
    """Return the one score that an evaluator gives a run with these judges."""

    async def evaluate(evaluator: Evaluator, run: Run, *judges: ScriptedJudge | Script, **changes: Any) -> Score:
        return await score_of(evaluator, run, judged_by(*judges, **changes))

    return evaluate


@pytest.fixture
def reading_run(a_run: Callable[..., Run], a_trace: Callable[..., Trace], call: Callable[..., Span]) -> Run:
    """Return a run with one tool call."""
    return a_run(trace=a_trace(call("read", {"section": 1}, "The gain is 0.4 points.")))
