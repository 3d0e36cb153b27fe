"""How judges are asked: the rules, the budgets, and the record of every question and answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, NamedTuple, Protocol

from pydantic import Field

from agents_eval_core.errors import BudgetSpentError
from agents_eval_core.frozen import Frozen

Outcome = Literal["answered", "repaired", "unreadable", "refused", "timeout", "failed", "from_cache", "over_budget"]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeRules:
    """What holds for every question to a judge.

    Attributes:
        repeats: How often each question is put to each judge.
        rubric: The rubric for the output in place of the task's own: the name of a shipped one, or a file's path.
        sees_measurements: Whether the judge is shown what tier 1 measured.
        seconds: How long one answer may take.
    """

    repeats: int = 1
    rubric: str | None = None
    sees_measurements: bool = False
    seconds: float = 60.0


class ExchangeMessage(Frozen):
    """One message of a question, as it was sent."""

    role: Literal["system", "user", "assistant"]
    text: str


class Exchange(Frozen):
    """One question to one judge and what came of it. None is unknown.

    Attributes:
        key: Identity of the question: judge, rubric with its version, and material; not its random marks.
        messages: As they were sent, a repair turn included.
        answer_schema: The JSON Schema of the answer that was asked for.
        reply: The answer as it came; empty where none did.
        problem: Why there is no usable answer.
    """

    key: str
    rubric: str
    judge: str
    provider: str
    messages: tuple[ExchangeMessage, ...]
    answer_schema: dict[str, Any] = Field(default_factory=dict[str, Any])
    outcome: Outcome
    reply: str = ""
    problem: str = ""
    model: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    at: datetime


class ReplyCache(Protocol):
    """Where answers are kept and found again by the identity of the question."""

    def get(self, key: str) -> str | None:
        """Return the answer as it came, or None."""
        ...

    def put(self, key: str, reply: str) -> None:
        """Keep an answer."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What judging may take; None is no limit.

    Attributes:
        usd: For all requests together.
        tokens: Of input and output together, for all requests.
        provider_tokens: The same, for the requests to one provider.
    """

    usd: float | None = None
    tokens: int | None = None
    provider_tokens: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True, kw_only=True)
class Reservation:
    """What a request may take at most."""

    provider: str
    tokens: int
    usd: float | None


class JudgeLedger:
    """Keeps the exchanges and sees to it that no budget is exceeded.

    What a request may take at most is set aside before it is sent, so that requests at the same time cannot exceed a
    budget together. Afterwards the real figures take its place; where they are unknown, it stays.
    """

    def __init__(self, budget: Budget | None = None) -> None:
        self._budget = budget or Budget()
        self._exchanges: list[Exchange] = []
        self._usd = 0.0
        self._tokens: dict[str, int] = {}

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """What was asked so far, in the order in which it ended."""
        return tuple(self._exchanges)

    def add(self, exchange: Exchange) -> None:
        """Keep what was asked and what came of it."""
        self._exchanges.append(exchange)

    def reserve(self, provider: str, judge: str, tokens: int, usd: float | None) -> Reservation:
        """Set aside what a request may take at most.

        Args:
            provider: To whom it goes.
            judge: The judge's name, for the message.
            tokens: Input and output together.
            usd: Its price; None is unknown.

        Raises:
            BudgetSpentError: There is not that much left, or a budget in USD cannot be kept without a price.

        >>> JudgeLedger(Budget(tokens=100)).reserve("openai", "openai:gpt", 120, None)
        Traceback (most recent call last):
        agents_eval_core.errors.BudgetSpentError: the token budget has 100 of 100 left and this question to openai:gpt \
may take 120; raise JUDGE_TOKEN_BUDGET
        """
        budget, used = self._budget, self._tokens
        self._refuse_dear(judge, usd)
        left_of_all = _Left(budget.tokens, sum(used.values()), "token budget", "JUDGE_TOKEN_BUDGET")
        left_of_all.refuse_long(judge, tokens)
        own = budget.provider_tokens.get(provider)
        left = _Left(own, used.get(provider, 0), f"token budget of {provider}", "JUDGE_PROVIDER_TOKEN_BUDGETS")
        left.refuse_long(judge, tokens)
        self._tokens[provider] = self._tokens.get(provider, 0) + tokens
        self._usd += usd or 0.0
        return Reservation(provider=provider, tokens=tokens, usd=usd)

    def settle(self, reserved: Reservation, *, tokens: int | None, usd: float | None) -> None:
        """Put what a request really took in the place of what was set aside; None leaves that."""
        if tokens is not None:
            self._tokens[reserved.provider] += tokens - reserved.tokens
        if usd is not None:
            self._usd += usd - (reserved.usd or 0.0)

    def _refuse_dear(self, judge: str, usd: float | None) -> None:
        budget = self._budget.usd
        if budget is None:
            return
        if usd is None:
            raise BudgetSpentError(
                f"the price of {judge} is not known, so a budget in USD cannot be kept; "
                "unset JUDGE_COST_BUDGET_USD and set JUDGE_TOKEN_BUDGET instead"
            )
        if self._usd + usd > budget:
            raise BudgetSpentError(
                f"the cost budget has {max(0.0, budget - self._usd):.4f} of {budget:g} USD left and this question to "
                f"{judge} may take {usd:.4f}; raise JUDGE_COST_BUDGET_USD"
            )


class _Left(NamedTuple):
    """What is left of a budget of tokens."""

    budget: int | None
    used: int
    what: str
    setting: str

    def refuse_long(self, judge: str, tokens: int) -> None:
        if self.budget is not None and self.used + tokens > self.budget:
            left = max(0, self.budget - self.used)
            raise BudgetSpentError(
                f"the {self.what} has {left} of {self.budget} left and this question to {judge} may take {tokens}; "
                f"raise {self.setting}"
            )
