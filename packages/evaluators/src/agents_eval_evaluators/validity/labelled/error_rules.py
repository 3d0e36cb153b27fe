"""How often each rule of trace errors is right, and how much of what people found it finds."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.ports.validation import ValidityFigure
from agents_eval_core.trace import Trace
from agents_eval_core.use_cases.evaluate_trace import run_of
from agents_eval_evaluators.graph.error_rules import ErrorRules
from agents_eval_evaluators.validity.labelled.resampled import interval_over_tasks
from agents_eval_evaluators.validity.repeatable import Repeatable
from agents_eval_evaluators.validity.trace_sets import TRAIL, labelled_set, note, task_of

TUNED: Final = "123 traces of a pilot, which include these"
CATEGORIES: Final[Mapping[str, str]] = {
    "authentication_error": "Authentication Errors",
    "formatting_error": "Formatting Errors",
    "rate_limit_error": "Rate Limiting",
    "resource_exhaustion_error": "Resource Exhaustion",
    "timeout_error": "Timeout Issues",
    "not_found_error": "Resource Not Found",
    "service_error": "Service Errors",
    "environment_error": "Environment Setup Errors",
    "resource_abuse": "Resource Abuse",
    "context_handling": "Context Handling Failures",
    "goal_deviation": "Goal Deviation",
}
RULES: Final[Mapping[str, str]] = {category: rule for rule, category in CATEGORIES.items()}
Marks = frozenset[tuple[str, str]]


class Judged(NamedTuple):
    """A trace: the kinds of errors that rules found and that people found, each with its span.

    Attributes:
        found: Rule and span id.
        labelled: The rule that stands for the category, or the category where there is none, and span id.
    """

    task: str
    is_gaia: bool
    found: Marks
    labelled: Marks

    def accused(self) -> frozenset[str]:
        """Return the rules that found something."""
        return frozenset(rule for rule, _ in self.found)

    def guilty(self) -> frozenset[str]:
        """Return the rules, or categories without one, under which people found something."""
        return frozenset(rule for rule, _ in self.labelled)


def judged(trace: Trace) -> Judged:
    """Return what the rules say of a trace and what people say; tools were on offer in all of these runs."""
    run = run_of(trace)
    run = run.changed(case=run.case.changed(needs_tools=True))
    findings = asyncio.run(ErrorRules().evaluate(run, EvaluationContext())).findings
    marked = [one for one in trace.annotations if one.name == "error"]
    return Judged(
        task=task_of(trace),
        is_gaia=note(trace, "true_answer") is not None,
        found=frozenset((finding.name, span_id) for finding in findings for span_id in finding.evidence.span_ids),
        labelled=frozenset(
            (RULES.get(str(one.value["category"]), str(one.value["category"])), str(one.span_id)) for one in marked
        ),
    )


Share = Callable[[Sequence[Judged]], float | None]


def precision(rule: str) -> Share:
    """Return the share of accused traces in which people found that error too; None if none is accused."""

    def share(traces: Sequence[Judged]) -> float | None:
        accused = [one for one in traces if rule in one.accused()]
        return sum(rule in one.guilty() for one in accused) / len(accused) if accused else None

    return share


def recall(rule: str) -> Share:
    """Return the share of the traces with that error, as people found it, that are accused; None if there are none."""

    def share(traces: Sequence[Judged]) -> float | None:
        guilty = [one for one in traces if rule in one.guilty()]
        return sum(rule in one.accused() for one in guilty) / len(guilty) if guilty else None

    return share


def base_rate(traces: Sequence[Judged], rule: str) -> float:
    """Return the share of traces in which people found that error: the precision of accusing everybody."""
    return sum(rule in one.guilty() for one in traces) / len(traces)


def joint(traces: Sequence[Judged]) -> float | None:
    """Return the share of all marked errors of which a rule found both category and span: TRAIL's joint score."""
    total = sum(len(one.labelled) for one in traces)
    return sum(len(one.labelled & one.found) for one in traces) / total if total else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorRulesValidity(Repeatable):
    """Measures the rules of trace errors on spans with errors that people marked (TRAIL).

    Precision and recall are of traces. The rules were written with these very traces in view, so no figure here is a
    test. Most categories (invention, misreading, wrong plan) have no rule, which the joint score counts as missed.
    """

    name: str = "error_rules"

    def figures(self, data: Sequence[Path]) -> Iterator[ValidityFigure]:
        """Yield precision and recall of each rule, and the joint score.

        Raises:
            UsageError: The set is not there.
        """
        traces = [judged(trace) for trace in labelled_set(data, TRAIL)]
        for rule in CATEGORIES:
            accused = [one for one in traces if rule in one.accused()]
            guilty = [one for one in traces if rule in one.guilty()]
            level = base_rate(traces, rule)
            yield from _figure(traces, precision(rule), self.resamples, (rule, "precision", len(accused), level))
            yield from _figure(traces, recall(rule), self.resamples, (rule, "recall", len(guilty), None))
        for name, chosen in (
            ("GAIA", [one for one in traces if one.is_gaia]),
            ("SWE-bench", [one for one in traces if not one.is_gaia]),
        ):
            errors = sum(len(one.labelled) for one in chosen)
            told = ("error_rules", f"joint score (category and span), {name}", errors, None)
            yield from _figure(chosen, joint, self.resamples, told, unit="errors")


def _figure(
    traces: Sequence[Judged],
    share: Share,
    resamples: int,
    told: tuple[str, str, int, float | None],
    unit: str = "traces",
) -> Iterator[ValidityFigure]:
    metric, measure, n, chance = told
    value = share(traces)
    if value is not None:
        yield ValidityFigure(
            metric=metric,
            measure=measure,
            value=value,
            interval=interval_over_tasks(traces, lambda one: one.task, share, resamples=resamples),
            n=n,
            unit=unit,
            data=TRAIL,
            tuned=TUNED,
            half="development half",
            chance=chance,
        )
