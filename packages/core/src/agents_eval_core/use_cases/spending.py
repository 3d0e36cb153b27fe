"""What work takes in money, tokens and time, and how much more of it a budget allows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import floor, inf
from typing import Final, TypeVar, cast

from agents_eval_core.judging import Exchange
from agents_eval_core.resources import resources_of_run
from agents_eval_core.run import Run
from agents_eval_core.score import Scorecard
from agents_eval_core.work import Spent

Number = TypeVar("Number", int, float)
ANSWERED: Final = ("answered", "repaired")
UNPAID: Final = ("from_cache", "over_budget")


def spent_on(run: Run, scorecard: Scorecard | None) -> Spent:
    """Return what a run took, None where it is unknown.

    Time is that of the trace, else from the run's beginning to its end.
    """
    used = scorecard.resources if scorecard else resources_of_run(run)
    whole = (run.finished_at - run.created_at).total_seconds() if run.finished_at else 0.0
    seconds = used.elapsed_seconds if used.elapsed_seconds is not None else max(0.0, whole)
    return Spent(seconds=seconds, tokens=_sum(used.input_tokens, used.output_tokens), cost_usd=used.cost_usd)


def spent_judging(spent: Spent, exchanges: Sequence[Exchange]) -> Spent:
    """Return what a run took with what its judges took; None where an answer does not say.

    Requests that brought no answer count as far as they say what they took; answers that were kept from before took
    nothing.
    """
    return spent.changed(
        judge_tokens=_total(exchanges, lambda one: _sum(one.input_tokens, one.output_tokens)),
        judge_usd=_total(exchanges, lambda one: one.cost_usd),
    )


@dataclass(slots=True, kw_only=True)
class Budget:
    """What may be spent, on runs and on those who judge them, and what was.

    The next cell is taken to cost as much as the dearest so far; so is every attempt that was lost with its worker,
    for nobody knows what it spent. Until a first cell has ended, one is done at a time.
    """

    usd: float | None = None
    tokens: int | None = None
    seconds: float | None = None
    spent: Spent = field(default_factory=lambda: Spent(tokens=0, cost_usd=0.0))
    dearest: Spent | None = None
    lost: int = 0

    def add(self, spent: Spent, seconds: float) -> None:
        """Count a cell that ended, and how long it took on the clock."""
        self.spent = Spent(
            seconds=self.spent.seconds + spent.seconds,
            tokens=_sum(self.spent.tokens, spent.all_tokens),
            cost_usd=_sum(self.spent.cost_usd, spent.all_usd),
        )
        before = self.dearest or Spent(tokens=0, cost_usd=0.0)
        self.dearest = Spent(
            seconds=max(before.seconds, seconds),
            tokens=max(before.tokens or 0, spent.all_tokens or 0),
            cost_usd=max(before.cost_usd or 0.0, spent.all_usd or 0.0),
        )

    def room(self, running: int, elapsed: float) -> int | None:
        """Return how many further cells may begin; None without a limit."""
        if self.usd is None and self.tokens is None and self.seconds is None:
            return None
        if self.unknown:
            return 0
        if self.dearest is None:
            return 0 if running else int(self.seconds is None or elapsed < self.seconds)
        under_way = running + self.lost
        money = _further(self.usd, self.spent.cost_usd, self.dearest.cost_usd, under_way)
        tokens = _further(self.tokens, self.spent.tokens, self.dearest.tokens, under_way)
        in_time = self.seconds is None or elapsed + self.dearest.seconds <= self.seconds
        most = min(money, tokens) if in_time else 0
        return None if most == inf else max(0, floor(most))

    @property
    def unknown(self) -> str:
        """Why a limit cannot be kept: what a cell took is not known; empty where it can."""
        if self.usd is not None and self.spent.cost_usd is None:
            return (
                "the price of the model or judge is not known, so a budget in money cannot be kept; give one in tokens"
            )
        if self.tokens is not None and self.spent.tokens is None:
            return "the system or the judge does not say how many tokens it used, so a budget in tokens cannot be kept"
        return ""

    @property
    def exceeded(self) -> str:
        """Which limit more was spent than; empty where none was. Nobody knows before what a run takes."""
        usd, tokens = self.spent.cost_usd or 0.0, self.spent.tokens or 0
        parts = (
            f"{usd:.4f} USD were spent, {self.usd:g} were allowed" if self.usd is not None and usd > self.usd else "",
            f"{tokens:,} tokens were used, {self.tokens:,} were allowed"
            if self.tokens is not None and tokens > self.tokens
            else "",
        )
        return "; ".join(part for part in parts if part)

    def reached(self, running: int, elapsed: float) -> str:
        """Return which limit leaves no room, in words; empty where there is room."""
        if self.room(running, elapsed) != 0:
            return ""
        return self.unknown or f"the budget allows no further run: {self._said(elapsed)}"

    def _said(self, elapsed: float) -> str:
        usd, tokens = self.spent.cost_usd or 0.0, self.spent.tokens or 0
        dearest = self.dearest or Spent()
        longest = f"a run takes up to {dearest.seconds:.1f} s" if self.dearest else "no run has ended"
        parts = (
            f"{usd:.4f} of {self.usd:g} USD is spent, a run takes up to {dearest.cost_usd or 0:.4f}"
            if self.usd
            else "",
            f"{tokens:,} of {self.tokens:,} tokens are used, a run takes up to {dearest.tokens or 0:,}"
            if self.tokens
            else "",
            f"{elapsed:.1f} of {self.seconds:g} s are over, {longest}" if self.seconds else "",
        )
        return "; ".join(part for part in parts if part)


def _sum(first: Number | None, second: Number | None) -> Number | None:
    return None if first is None or second is None else first + second


def _total(exchanges: Sequence[Exchange], figure: Callable[[Exchange], Number | None]) -> Number | None:
    asked = [(one.outcome, figure(one)) for one in exchanges if one.outcome not in UNPAID]
    if any(taken is None for outcome, taken in asked if outcome in ANSWERED):
        return None
    return sum((taken for _, taken in asked if taken is not None), cast("Number", 0))


def _further(limit: float | None, spent: float | None, each: float | None, under_way: int) -> float:
    if limit is None or not each:
        return inf
    return (limit - (spent or 0.0) - under_way * each) / each
