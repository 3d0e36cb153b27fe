"""How much of what was broken got fixed, by the results of tests, without breaking what worked."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final, NamedTuple

import msgspec

from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Measure, Tier
from agents_eval_evaluators.scoring import graded, process_finding, silent

ANNOTATION: Final = "tests_status"
UNITS: Final = (("retention", "share"), ("resolved", "share"))


class TestResults(NamedTuple):
    """How many tests passed, of those that should be fixed and of those that passed before."""

    __test__ = False

    fixed: int
    to_fix: int
    kept: int
    to_keep: int


def fix_rate(results: TestResults) -> float:
    """Return the share of the tests to fix that pass; 0 where any test fails that had passed before.

    All tests weigh alike: a known limit.

    Raises:
        UndefinedMetricError: There was no test to fix.

    References:
        SWE-EVO (arXiv 2512.18470). Some summaries leave the 0 for broken tests out; here it is in.

    >>> fix_rate(TestResults(3, 4, 10, 10)), fix_rate(TestResults(4, 4, 9, 10))
    (0.75, 0.0)
    """
    if not results.to_fix:
        raise UndefinedMetricError("fix_rate", because="there was no test to fix")
    return results.fixed / results.to_fix if results.kept == results.to_keep else 0.0


class _Tests(msgspec.Struct, frozen=True):
    success: tuple[str, ...] = ()
    failure: tuple[str, ...] = ()


class _Status(msgspec.Struct, frozen=True):
    to_fix: _Tests = msgspec.field(name="FAIL_TO_PASS", default=_Tests())
    to_keep: _Tests = msgspec.field(name="PASS_TO_PASS", default=_Tests())


def results_of(run: Run) -> TestResults | None:
    """Return the test results that travel with a run's trace, or None.

    They are an annotation named `tests_status` of the shape that SWE-bench writes into its reports:
    `{"FAIL_TO_PASS": {"success": [...], "failure": [...]}, "PASS_TO_PASS": {...}}`. One of another shape is none.
    """
    for annotation in run.trace.annotations if run.trace is not None else ():
        if annotation.name == ANNOTATION:
            try:
                status = msgspec.convert(annotation.value, _Status)
            except msgspec.ValidationError:
                return None
            fix, keep = status.to_fix, status.to_keep
            fixed, kept = len(fix.success), len(keep.success)
            return TestResults(fixed, fixed + len(fix.failure), kept, kept + len(keep.failure))
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class FixRate:
    """Scores the runs of a task by the mean of `fix_rate`; retention and resolved are measures beside it.

    `retention` is the share of tests that passed before and still do, `resolved` the share of runs that fixed all and
    broke none.
    """

    name: str = "fix_rate"
    version: str = "0"
    tier: Tier = 3
    metrics: tuple[str, ...] = ("fix_rate",)

    async def evaluate_group(self, runs: Sequence[Run], context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Read the test results."""
        known = [(run, results) for run in runs if (results := results_of(run)) is not None]
        if not known:
            return silent(self, "not_measured", "no trace holds the results of tests (annotation tests_status)", UNITS)
        tested = [(run, results) for run, results in known if results.to_fix]
        if not tested:
            return silent(self, "not_applicable", "there was no test to fix", UNITS)
        rates = [fix_rate(results) for _, results in tested]
        kept = [results.kept / results.to_keep for _, results in tested if results.to_keep]
        broken = [(run, results) for run, results in tested if results.kept < results.to_keep]
        return Evaluation(
            scores=graded(
                self,
                {"fix_rate": fsum(rates) / len(rates)},
                explanation=f"{len(tested)} runs with test results; {len(broken)} broke tests that had passed",
            ),
            measures=(
                Measure(name="retention", value=fsum(kept) / len(kept), unit="share")
                if kept
                else silent(self, "not_applicable", "no test had passed before", UNITS[:1]).measures[0],
                Measure(name="resolved", value=sum(rate == 1 for rate in rates) / len(rates), unit="share"),
                *(
                    Measure(name=f"{run.id}.fix_rate", value=rate, unit="share")
                    for (run, _), rate in zip(tested, rates, strict=True)
                ),
            ),
            findings=tuple(
                process_finding(
                    "broken_tests",
                    "warning",
                    f"Run {run.id} broke {results.to_keep - results.kept} of {results.to_keep} tests that had passed.",
                    (f"{run.id}/{run.trace.spans[-1].id}",) if run.trace is not None and run.trace.spans else (),
                )
                for run, results in broken
            ),
        )
