"""What `compare_runs` answers: conclusions, what is worse first, and what is missing."""

from collections.abc import Iterator
from typing import Final

from pydantic import BaseModel, Field

from agents_eval_core.comparison import Comparison, Conclusion, Contrast, MetricComparison
from agents_eval_mcp_server.clean_text import one_line
from agents_eval_mcp_server.evaluation_reply import rounded
from agents_eval_mcp_server.reply_size import LARGEST_LIST, characters, that_fit

METRICS_SHOWN: Final = 12
MISSING_SHOWN: Final = 5
LONGEST_SENTENCE: Final = 400
LONGEST_SUMMARY: Final = 900
WORST_FIRST: Final[tuple[Conclusion, ...]] = ("worse", "not enough data", "better", "equivalent")


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
    metrics: list[MetricLine] = Field(description="what is claimed, then what is worse, then the others")
    missing: list[str] = Field(description="runs and values that a side lacks, and why")
    unmatched: int = Field(description="runs that found no partner")


class ComparisonReply(BaseModel):
    """The conclusions of a comparison."""

    summary: str
    next_step: str
    confidence: float
    contrasts: list[ContrastReply] = Field(description="what is worse first")
    truncated: bool


def comparison_reply(comparison: Comparison) -> ComparisonReply:
    """Return what a client needs of a comparison."""
    ordered = sorted(comparison.contrasts, key=lambda contrast: WORST_FIRST.index(contrast.conclusion))
    undecided = any(contrast.conclusion == "not enough data" for contrast in ordered)
    room = LARGEST_LIST // len(ordered)
    contrasts = that_fit([_contrast(contrast, room) for contrast in ordered])
    sentences = (comparison.winner_sentence, *(contrast.sentence for contrast in ordered))
    is_whole = all(
        len(shown.metrics) == len(_measured(whole)) for shown, whole in zip(contrasts, ordered, strict=False)
    )
    return ComparisonReply(
        summary=one_line(" ".join(filter(None, sentences)), LONGEST_SUMMARY),
        next_step=(
            "run_review more papers with both systems, then compare again"
            if undecided
            else "evaluate_trace one run of each side to see why"
        ),
        confidence=comparison.confidence,
        contrasts=list(contrasts),
        truncated=not is_whole or len(contrasts) < len(ordered),
    )


def _contrast(contrast: Contrast, room: int) -> ContrastReply:
    reply = ContrastReply(
        baseline=one_line(contrast.baseline.label),
        candidate=one_line(contrast.candidate.label),
        conclusion=contrast.conclusion,
        sentence=one_line(contrast.sentence, LONGEST_SENTENCE),
        metrics=[],
        missing=[one_line(what) for what in _missing(contrast)][:MISSING_SHOWN],
        unmatched=len(contrast.unmatched_baseline) + len(contrast.unmatched_candidate),
    )
    lines = [_line(metric) for metric in _measured(contrast)[:METRICS_SHOWN]]
    return reply.model_copy(update={"metrics": list(that_fit(lines, room - characters(reply)))})


def _measured(contrast: Contrast) -> list[MetricComparison]:
    """Return what was measured on both sides: what is claimed first, then what is worse."""
    measured = (line for line in contrast.metrics if line.pairs)
    return sorted(measured, key=lambda line: (not line.claimed, WORST_FIRST.index(line.conclusion) > 0))


def _missing(contrast: Contrast) -> Iterator[str]:
    for side in (contrast.baseline, contrast.candidate):
        if side.excluded:
            kinds = ", ".join(sorted(set(side.excluded.values())))
            yield f"{side.label}: {len(side.excluded)} runs did not complete ({kinds})"
    reasons = list(contrast.unmatched_reasons.values())
    for reason in dict.fromkeys(reasons):
        yield f"{reasons.count(reason)} runs without a partner: {reason}"
    for line in contrast.metrics:
        for side, lacking in ((contrast.baseline, line.missing.baseline), (contrast.candidate, line.missing.candidate)):
            for reason, count in lacking.items():
                yield f"{line.metric}: {count} missing in {side.label}: {reason}"


def _line(metric: MetricComparison) -> MetricLine:
    return MetricLine(
        metric=metric.metric,
        pairs=metric.pairs,
        papers=metric.papers,
        difference=rounded(metric.difference),
        low=rounded(metric.interval.low) if metric.interval else None,
        high=rounded(metric.interval.high) if metric.interval else None,
        adjusted_p=rounded(metric.adjusted_p),
        conclusion=metric.conclusion,
    )
