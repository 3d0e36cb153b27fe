"""What the tools answer: short, typed, and with the next step."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from pydantic import BaseModel, Field

from agents_eval_core.comparison import Comparison, Contrast, MetricComparison
from agents_eval_core.composite import SIX
from agents_eval_core.report.wording import model_name, verdict_sentence
from agents_eval_core.run import Run
from agents_eval_core.score import Finding, Score, Scorecard
from agents_eval_mcp_server.clean_text import one_line
from agents_eval_mcp_server.judging_reply import JudgingReply
from agents_eval_mcp_server.root import Root

if TYPE_CHECKING:
    from agents_eval_core.use_cases.evaluate_trace import EvaluatedRun

FINDINGS_SHOWN: Final = 5
SCORES_SHOWN: Final = 24
METRICS_SHOWN: Final = 12


class ScoreLine(BaseModel):
    """One score: a value in [0, 1], or the reason why there is none."""

    name: str
    tier: int
    value: float | None = Field(description="0 is worst, 1 is best; null is not zero, see reason")
    reason: str | None = Field(default=None, description="not_applicable, not_measured or failed")
    explanation: str


class RunLine(BaseModel):
    """Which run it is about; `id` names it in the other tools."""

    id: str
    directory: str | None = Field(description="relative to the server's root")
    status: str
    case: str
    engine: str
    composition: str
    model: str


class EvaluationReply(BaseModel):
    """The scorecard of a run, in short."""

    summary: str
    next_step: str
    run: RunLine
    verdict: str | None = Field(description="the class at the lower bound; null is a process profile without verdict")
    verdict_high: str | None = Field(description="the class if every missing metric were 1")
    composite: float | None
    coverage: float | None = Field(description="measured share of the applicable weight")
    scores: list[ScoreLine]
    findings: list[str]
    files: list[str]
    judging: JudgingReply | None = Field(default=None, description="only with judge caller: what you are asked")
    self_invoked: bool = Field(default=False, description="whether this is the caller's own session, judged by itself")
    truncated: bool = Field(description="whether anything was left out here; the files hold everything")


class MetricLine(BaseModel):
    """One metric: the candidate minus the baseline, over the pairs measured on both sides."""

    metric: str
    pairs: int
    papers: int
    difference: float | None
    low: float | None
    high: float | None
    adjusted_p: float | None
    conclusion: str


class ContrastReply(BaseModel):
    """A candidate set of runs against a baseline; the conclusion is about the candidate."""

    baseline: str
    candidate: str
    conclusion: str
    sentence: str
    metrics: list[MetricLine]
    unmatched: int = Field(description="runs that found no partner")


class ComparisonReply(BaseModel):
    """The conclusions of a comparison."""

    summary: str
    next_step: str
    confidence: float
    contrasts: list[ContrastReply]
    truncated: bool


def evaluation_reply(done: "EvaluatedRun", root: Root, *, next_step: str) -> EvaluationReply:
    """Return what a client needs of an evaluated run."""
    run, scorecard = done.run, done.scorecard
    files = [root.relative(file) for file in done.files]
    if scorecard is None:
        problem = f": {run.problem.error_type}: {run.problem.message}" if run.problem else ""
        return EvaluationReply(
            summary=one_line(f"the run is {run.status} and has no scorecard{problem}"),
            next_step=next_step, run=_run_line(run, done, root), verdict=None, verdict_high=None, composite=None,
            coverage=None, scores=[], findings=[], files=files, truncated=False,
        )  # fmt: skip
    ordered = sorted(scorecard.scores, key=lambda score: (score.name not in SIX, score.tier, score.name))
    return EvaluationReply(
        summary=_summary(scorecard),
        next_step=next_step,
        run=_run_line(run, done, root),
        verdict=scorecard.verdict,
        verdict_high=scorecard.verdict_range.high if scorecard.verdict_range else None,
        composite=_rounded(scorecard.composite),
        coverage=_rounded(scorecard.coverage),
        scores=[_score_line(score) for score in ordered[:SCORES_SHOWN]],
        findings=[_finding_line(finding) for finding in scorecard.findings[:FINDINGS_SHOWN]],
        files=files,
        truncated=len(ordered) > SCORES_SHOWN or len(scorecard.findings) > FINDINGS_SHOWN,
    )


def comparison_reply(comparison: Comparison) -> ComparisonReply:
    """Return what a client needs of a comparison."""
    contrasts = [_contrast(contrast) for contrast in comparison.contrasts]
    undecided = any(contrast.conclusion == "not enough data" for contrast in contrasts)
    return ComparisonReply(
        summary=" ".join(contrast.sentence for contrast in contrasts),
        next_step=(
            "run_review more papers with both systems, then compare again"
            if undecided
            else "evaluate_trace one run of each side to see why"
        ),
        confidence=comparison.confidence,
        contrasts=contrasts,
        truncated=any(len(contrast.metrics) > len(_shown(contrast)) for contrast in comparison.contrasts),
    )


def _summary(scorecard: Scorecard) -> str:
    missing = _listed(score.name for score in scorecard.scores if score.name in SIX and score.reason == "not_measured")
    failed = _listed(score.name for score in scorecard.scores if score.reason == "failed")
    parts = [verdict_sentence(scorecard), missing and f"Not measured: {missing}.", failed and f"Failed: {failed}."]
    return " ".join(part for part in parts if part)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)


def _run_line(run: Run, done: "EvaluatedRun", root: Root) -> RunLine:
    return RunLine(
        id=run.id,
        directory=root.relative(done.directory) if done.directory else None,
        status=run.status,
        case=one_line(run.case.id),
        engine=run.system.engine,
        composition=run.system.composition,
        model=one_line(model_name(run.system)),
    )


def _score_line(score: Score) -> ScoreLine:
    return ScoreLine(
        name=score.name,
        tier=score.tier,
        value=_rounded(score.value),
        reason=score.reason,
        explanation=one_line(score.explanation),
    )


def _finding_line(finding: Finding) -> str:
    return one_line(f"{finding.severity}: {finding.sentence}")


def _contrast(contrast: Contrast) -> ContrastReply:
    return ContrastReply(
        baseline=contrast.baseline.label,
        candidate=contrast.candidate.label,
        conclusion=contrast.conclusion,
        sentence=contrast.sentence,
        metrics=[
            MetricLine(
                metric=line.metric,
                pairs=line.pairs,
                papers=line.papers,
                difference=_rounded(line.difference),
                low=_rounded(line.interval.low) if line.interval else None,
                high=_rounded(line.interval.high) if line.interval else None,
                adjusted_p=_rounded(line.adjusted_p),
                conclusion=line.conclusion,
            )
            for line in _shown(contrast)
        ],
        unmatched=len(contrast.unmatched_baseline) + len(contrast.unmatched_candidate),
    )


def _shown(contrast: Contrast) -> tuple[MetricComparison, ...]:
    """Return what was measured on both sides, what is claimed first."""
    measured = sorted((line for line in contrast.metrics if line.pairs), key=lambda line: not line.claimed)
    return tuple(measured[:METRICS_SHOWN])


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
