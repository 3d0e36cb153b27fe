"""What gives scores, and what it is handed beside the run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from agents_eval_core.judging import JudgeLedger, JudgeRules, ReplyCache
from agents_eval_core.ports.chat_model import ChatModel
from agents_eval_core.ports.named import Named

if TYPE_CHECKING:
    from agents_eval_core.run import Run
    from agents_eval_core.score import Evaluation, Score, Tier


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """A model that judges, where it comes from and why it was chosen.

    Attributes:
        certificates: What was found out about it, by the rubric with its version (`review_quality 1`).
    """

    provider: str
    model: ChatModel
    chosen_because: str = "asked for"
    certificates: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def name(self) -> str:
        """Provider and model, as it is kept with each judgement."""
        return (
            self.model.name if self.model.name.startswith(f"{self.provider}:") else f"{self.provider}:{self.model.name}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationContext:
    """What an evaluator is handed beside the run.

    Attributes:
        judges: Who judges: nobody, one model, or the members of a panel.
        judge_absence: Why there is no judge.
        judge_rules: How often they are asked, by which rubric, and what they are shown.
        ledger: What was asked and answered so far, and what is left of the budgets.
        replies: Answers of before to the same questions.
        known_scores: What the tiers before this one have measured, where the judge is to see it.
        time_budget_seconds: The budget of a case that states none.
        tables: Where the user's own fitted tables lie, `<calibration>/<venue>.json`; they go before the shipped ones.
        semantic_model: The folder of the model that compares texts by meaning, or None.
    """

    judges: tuple[Judge, ...] = ()
    judge_absence: str = "no judge configured"
    judge_rules: JudgeRules = field(default_factory=JudgeRules)
    ledger: JudgeLedger = field(default_factory=JudgeLedger)
    replies: ReplyCache | None = None
    known_scores: tuple[Score, ...] = ()
    time_budget_seconds: float = 60.0
    tables: Path | None = None
    semantic_model: Path | None = None


class Metered(Named, Protocol):
    """A plug-in that gives scores."""

    @property
    def version(self) -> str:
        """Changes when the same run would get another score."""
        ...

    @property
    def tier(self) -> Tier:
        """The tier of evidence: 1 text, 2 judge, 3 behaviour."""
        ...

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names of the scores it gives; it gives each of them for every run, with or without a value."""
        ...


class Evaluator(Metered, Protocol):
    """Says how good a run is in some respect."""

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:
        """Return scores, measures and findings about the run."""
        ...


class GroupEvaluator(Metered, Protocol):
    """Says something about several runs: of one task (`group_evaluators`), or of several (`set_evaluators`)."""

    async def evaluate_group(self, runs: Sequence[Run], context: EvaluationContext) -> Evaluation:
        """Return scores, measures and findings about the runs together."""
        ...
