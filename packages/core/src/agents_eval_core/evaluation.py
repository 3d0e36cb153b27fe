"""From a run to its scorecard: the evaluators by tier, each within its time limit, and the composite."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from agents_eval_core import registry
from agents_eval_core.composite import JUDGE, SIX, TEXT, compose
from agents_eval_core.data_root import DataRoot
from agents_eval_core.errors import SettingsError, UnknownNameError
from agents_eval_core.ports.evaluator import EvaluationContext, Evaluator, Metered
from agents_eval_core.registry import BrokenPlugin
from agents_eval_core.resources import resources_of_run
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Finding, Quartiles, Reason, Score, Scorecard, Tier
from agents_eval_core.settings import Settings
from agents_eval_core.time_limit import within

ORDER: Final[tuple[Tier, ...]] = (1, 3, 2)  # what costs nothing first, so that a slow judge cannot take it away


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """The evaluators at hand, and what could not be loaded."""

    evaluators: tuple[Evaluator, ...]
    broken: tuple[BrokenPlugin, ...] = ()


def installed() -> Installed:
    """Return the evaluators that are declared as plug-ins."""
    found = tuple(registry.evaluators())
    return Installed(
        evaluators=tuple(plugin for plugin in found if not isinstance(plugin, BrokenPlugin)),
        broken=tuple(plugin for plugin in found if isinstance(plugin, BrokenPlugin)),
    )


async def evaluate(
    run: Run,
    *,
    settings: Settings,
    context: EvaluationContext,
    tiers: Sequence[Tier] | None = None,
    at_hand: Installed | None = None,
) -> Scorecard:
    """Return the scorecard of a run.

    A failing or slow evaluator costs its own scores only: they are `failed`, everything else stands.

    Args:
        run: With its trace and output.
        settings: Time limits, weights, verdict classes, enabled tiers.
        context: What evaluators are handed, the judge above all; the places of tables and models are the settings'.
        tiers: Only these of the enabled tiers; the others are `not_measured`.
        at_hand: The evaluators to use; by default all that are installed.

    Raises:
        UnknownNameError: A weight was set for a metric that nothing measures.
    """
    at_hand = at_hand or installed()
    _refuse_unknown_weights(settings, at_hand.evaluators)
    context = _with_places(context, settings)
    wanted = set(settings.tiers_enabled) & set(tiers or settings.tiers_enabled)
    evaluations: list[Evaluation] = []
    deadline = time.monotonic() + settings.total_max_seconds
    for tier in ORDER:
        group = [evaluator for evaluator in at_hand.evaluators if evaluator.tier == tier]
        if tier not in wanted:
            reason = f"tier {tier} was not asked for"
            evaluations += [without_values(evaluator, "not_measured", reason) for evaluator in group]
            continue
        seconds = min(settings.tier_max_seconds(tier), max(0.0, deadline - time.monotonic()))
        shown = _with_measurements(context, evaluations) if tier == JUDGE else context
        evaluations += await _evaluate_tier(group, run, shown, seconds)
    return _scorecard(run, evaluations, at_hand, settings, _humans(run.case.venue, context.tables))


def _with_places(context: EvaluationContext, settings: Settings) -> EvaluationContext:
    own = DataRoot(path=settings.home).tables if settings.home_is_trusted else None
    return replace(
        context, tables=context.tables or own, semantic_model=context.semantic_model or settings.semantic_model
    )


async def _evaluate_tier(
    group: Sequence[Evaluator], run: Run, context: EvaluationContext, seconds: float
) -> list[Evaluation]:
    done: dict[int, Evaluation] = {}  # by place in the group; what is done stays when time ends

    async def one(place: int) -> None:
        done[place] = await _evaluate_one(group[place], run, context)

    async def work() -> None:
        if group[0].tier == JUDGE:  # these wait for models, and need not wait for one another
            await asyncio.gather(*(one(place) for place in range(len(group))))
            return
        for place in range(len(group)):
            await one(place)

    if not group:
        return []
    try:
        await within(seconds, work, name=f"agents-eval tier {group[0].tier}")
    except TimeoutError:
        finished = dict(done)
        sentence = f"the time limit of {seconds:g} s for tier {group[0].tier} was reached"
        late = (place for place in range(len(group)) if place not in finished)
        done = finished | {place: without_values(group[place], "failed", sentence, "timeout") for place in late}
    return [done[place] for place in range(len(group))]


def _with_measurements(context: EvaluationContext, evaluations: Sequence[Evaluation]) -> EvaluationContext:
    if not context.judge_rules.sees_measurements:
        return context
    scores = (score for evaluation in evaluations for score in evaluation.scores)
    return replace(context, known_scores=tuple(score for score in scores if score.tier == TEXT))


async def _evaluate_one(evaluator: Evaluator, run: Run, context: EvaluationContext) -> Evaluation:
    evaluation = await of_one(evaluator, lambda: evaluator.evaluate(run, context))
    given = {score.name for score in evaluation.scores}
    missing = [metric for metric in evaluator.metrics if metric not in given]
    absent = without_values(evaluator, "failed", f"{evaluator.name} gave no such score", "MissingScore", missing)
    return evaluation.changed(scores=evaluation.scores + absent.scores)


async def of_one(evaluator: Metered, work: Callable[[], Awaitable[Evaluation]]) -> Evaluation:
    """Return what an evaluator says; where it fails, its scores are without values, and the others go on."""
    try:
        return await work()
    except Exception as problem:  # noqa: BLE001  whatever it is, it is this evaluator's
        kind = type(problem).__name__
        return without_values(evaluator, "failed", f"{evaluator.name} failed: {kind}: {problem}", kind)


def without_values(
    evaluator: Metered,
    reason: Reason,
    explanation: str,
    error_type: str | None = None,
    metrics: Iterable[str] | None = None,
) -> Evaluation:
    """Return an evaluator's scores, or those named, without values for one reason."""
    return Evaluation(
        scores=tuple(
            Score(
                name=metric,
                reason=reason,
                error_type=error_type,
                explanation=explanation,
                evaluator=evaluator.name,
                version=evaluator.version,
                tier=evaluator.tier,
            )
            for metric in (evaluator.metrics if metrics is None else metrics)
        )
    )


def broken_finding(plugin: BrokenPlugin) -> Finding:
    """Return what is said of a plug-in that could not be loaded."""
    return Finding(name="broken_plugin", severity="warning", about="evaluation", sentence=plugin.problem)


def _refuse_unknown_weights(settings: Settings, evaluators: Sequence[Evaluator]) -> None:
    known = {metric for evaluator in evaluators for metric in evaluator.metrics}
    for metric in settings.weights.keys() - Settings.model_fields["weights"].get_default().keys():
        if metric not in known:
            raise UnknownNameError("metric", metric, known, hint=f"It was given by JUDGE_WEIGHT_{metric.upper()}.")


def _scorecard(
    run: Run,
    evaluations: Sequence[Evaluation],
    at_hand: Installed,
    settings: Settings,
    humans: dict[str, Quartiles],
) -> Scorecard:
    scores, doubled = _distinct(score for evaluation in evaluations for score in evaluation.scores)
    findings = [finding for evaluation in evaluations for finding in evaluation.findings]
    findings += [broken_finding(plugin) for plugin in at_hand.broken] + [
        Finding(name="doubled_metric", severity="warning", about="evaluation", sentence=sentence)
        for sentence in doubled
    ]
    unchecked = tuple(name for evaluation in evaluations for name in evaluation.unchecked)
    composite = compose(
        scores, findings=findings, unchecked=unchecked, weights=settings.weights, thresholds=settings.thresholds
    )
    return Scorecard(
        **dict(composite),
        run_id=run.id,
        scores=scores,
        measures=tuple(measure for evaluation in evaluations for measure in evaluation.measures),
        findings=tuple(findings),
        unchecked=unchecked,
        humans=humans,
        resources=resources_of_run(run),
    )


def _distinct(scores: Iterable[Score]) -> tuple[tuple[Score, ...], list[str]]:
    kept: dict[str, Score] = {}
    doubled: list[str] = []
    for score in scores:
        if score.name in kept:
            doubled.append(
                f"metric {score.name!r} is given by {kept[score.name].evaluator} and by {score.evaluator}; "
                f"the first is used"
            )
        else:
            kept[score.name] = score
    return tuple(sorted(kept.values(), key=lambda score: (score.tier, score.name not in SIX, score.name))), doubled


def _humans(venue: str, tables: Path | None) -> dict[str, Quartiles]:
    found: dict[str, Quartiles] = {}
    for plugin in registry.load_all("calibrations"):
        if not isinstance(plugin, BrokenPlugin):
            with suppress(SettingsError):  # a damaged table of the user's: the scores that need it say so
                found |= plugin.humans(venue, tables)
    return found
