"""Scores, measures, findings, and the scorecard that gathers them."""

from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from agents_eval_core.frozen import Frozen
from agents_eval_core.run import Resources

Tier = Literal[1, 2, 3]
Reason = Literal["not_applicable", "not_measured", "failed"]
Verdict = Literal["accept", "weak_accept", "weak_reject", "reject"]
Severity = Literal["critical", "warning", "info"]
VERDICTS: tuple[Verdict, ...] = ("reject", "weak_reject", "weak_accept", "accept")
UnitInterval = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


def _number_of_key(key: object) -> object:
    return int(key) if isinstance(key, str) and key.isdecimal() else key


TierKey = Annotated[Tier, BeforeValidator(_number_of_key)]  # JSON has no keys but text


class Measure(Frozen):
    """A plain figure or class that is no grade: tokens, depth, topology. None is unknown, not zero.

    Attributes:
        reason: Why there is no value, where that is known; `explanation` says it in a sentence.
    """

    name: str
    value: float | int | str | bool | None
    unit: str = ""
    reason: Reason | None = None
    explanation: str = ""


class Evidence(Frozen):
    """What a score or finding rests on: spans of the trace and sentences of a text."""

    span_ids: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()


class Part(Frozen):
    """A piece of what was graded, and what it is worth by itself: one point of a review, one duty.

    Attributes:
        text: The piece itself, cut where it is long.
        mark: What became of it in a word (`found`, `missed`), where that is the question.
    """

    text: str
    mark: str = ""
    measures: tuple[Measure, ...] = ()


class Score(Frozen):
    """A grade in [0, 1], higher is better; or no value, and why.

    Attributes:
        reason: Why there is no value: `not_applicable` (it has no meaning here), `not_measured` (something it needs is
            missing), `failed` (it was tried; `error_type` says what happened).
        label: The grade in a word or two, where that helps.
        explanation: One or two sentences a person can check.
        measures: The raw figures the value was made of.
        parts: The pieces that were graded, in order, where there are any.
    """

    name: str
    value: UnitInterval | None = None
    reason: Reason | None = None
    error_type: str | None = None
    label: str = ""
    explanation: str = ""
    measures: tuple[Measure, ...] = ()
    parts: tuple[Part, ...] = ()
    evidence: Evidence = Evidence()
    evaluator: str
    version: str
    tier: Tier

    @model_validator(mode="after")
    def _says_why_when_absent(self) -> Self:
        if (self.value is None) != (self.reason is not None):
            raise ValueError(f"score {self.name!r} needs either a value or a reason")
        if self.reason is not None and not self.explanation:
            raise ValueError(f"score {self.name!r} has no value and does not say why")
        if (self.error_type is not None) != (self.reason == "failed"):
            raise ValueError(f"score {self.name!r}: an error type belongs to a failed score")
        return self


class Finding(Frozen):
    """Something worth knowing, in one sentence.

    Attributes:
        about: `output` is the agents' own fault; `input` is hostile or broken material they were given.
    """

    name: str
    severity: Severity
    sentence: str
    about: Literal["output", "process", "input", "evaluation"] = "output"
    evidence: Evidence = Evidence()


class Evaluation(Frozen):
    """What one evaluator says about a run.

    Attributes:
        unchecked: Names of output checks that apply but could not run.
    """

    scores: tuple[Score, ...] = ()
    measures: tuple[Measure, ...] = ()
    findings: tuple[Finding, ...] = ()
    unchecked: tuple[str, ...] = ()


class Range(Frozen):
    """A closed interval."""

    low: float
    high: float


class VerdictRange(Frozen):
    """The verdict if every missing metric were 0, and if every one were 1."""

    low: Verdict
    high: Verdict


class Quartiles(Frozen):
    """Where human reviewers lie on a metric: quartiles over `n` reviews of a venue."""

    lower: float
    median: float
    upper: float
    n: int
    venue: str


class Composite(Frozen):
    """What the scores come to, by the one rule of `agents_eval_core.composite`.

    Attributes:
        composite: Weighted mean of the measured metrics; None when none was.
        coverage: Measured share of the applicable weight.
        bounds: The value if every missing metric were 0, and if every one were 1.
        verdict: The class at the lower bound, after the caps; None for a process profile.
        caps: Why the verdict may not be higher, one sentence each.
        complete: Whether all three tiers were measured by a content metric.
        tier_agreement: Where measured tiers disagree by two verdict classes or more, one sentence each.
    """

    composite: UnitInterval | None
    coverage: UnitInterval
    bounds: Range | None
    verdict: Verdict | None
    verdict_range: VerdictRange | None
    caps: tuple[str, ...] = ()
    weights_used: dict[str, float] = Field(default_factory=dict[str, float])
    tier_scores: dict[TierKey, UnitInterval | None] = Field(default_factory=dict[Tier, float | None])
    single_agent_mode: bool = False
    complete: bool = False
    tier_agreement: tuple[str, ...] = ()


class Scorecard(Composite):
    """Everything that is known about how good a run is, what was not measured, and why.

    Attributes:
        humans: Where human reviewers lie on the same metrics.
    """

    run_id: str
    scores: tuple[Score, ...]
    measures: tuple[Measure, ...] = ()
    findings: tuple[Finding, ...] = ()
    unchecked: tuple[str, ...] = ()
    humans: dict[str, Quartiles] = Field(default_factory=dict[str, Quartiles])
    resources: Resources = Resources()

    def score(self, name: str) -> Score | None:
        """Return the score of that name, or None."""
        return next((score for score in self.scores if score.name == name), None)
