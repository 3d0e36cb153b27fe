"""Runs that succeeded by luck: blind retries, checks that broke on the way, or no check at all."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Finding, Measure, Tier
from agents_eval_evaluators.graph.calls import Call, tool_calls
from agents_eval_evaluators.graph.failed_calls import repeated_failures
from agents_eval_evaluators.graph.tool_efficiency import only_reads
from agents_eval_evaluators.scoring import process_finding, silent

UNITS: Final = (("lucky_pass", "yes or no"), ("lucky_pass_signs", "signs"))
KEY_READ: Final = 1000
_SHELL: Final = re.compile(r"(?:^|_)(?:bash|shell|sh|terminal|command|exec\w*|python\w*|run\w*)(?:$|_)", re.IGNORECASE)
_CHECKS: Final = re.compile(
    r"(?:\b|_)(?:py)?(?:test|tests|check|verify|validate|assert|lint|mypy|ruff|build|reproduce)\w*", re.IGNORECASE
)
_SHELL_CHANGES: Final = re.compile(r"\bsed -i|(?<![-=2&])>>?\s*(?!/dev/null)[\w./\"']|\bpatch -|git apply|\.write\(")
_WRITES: Final = re.compile(r"edit|write|patch|str_?replace|create_?file|insert", re.IGNORECASE)


def is_check(call: Call) -> bool:
    """Whether a call looks after what was done: its name or arguments speak of tests or checks, or it only reads."""
    return only_reads(call.tool.name) or _CHECKS.search(call.key[:KEY_READ]) is not None


def runs_code(name: str) -> bool:
    """Whether a tool is, by its name, a shell or an interpreter: what it does stands in its arguments alone."""
    return _SHELL.search(name) is not None


def is_change(call: Call) -> bool:
    """Whether a call that worked wrote to files: in a shell by its command, else by its name.

    Tidying up (`rm`) is none, and neither is a booking or payment: its own answer says what it did.
    """
    if call.has_failed:
        return False
    if runs_code(call.tool.name):
        return _SHELL_CHANGES.search(call.key[:KEY_READ]) is not None
    return _WRITES.search(call.tool.name) is not None


def regressions(calls: Sequence[Call]) -> tuple[Call, ...]:
    """Return the checks that failed although the same check by the same agent had passed before."""
    passed: dict[tuple[str | None, str], Call] = {}
    found: list[Call] = []
    for call in calls:
        same = (call.span.agent_id, call.key)
        if call.has_failed:
            before = passed.get(same)
            if before is not None and call.began_after(before):
                found.append(call)
        elif _CHECKS.search(call.key[:KEY_READ]):
            passed.setdefault(same, call)
    return tuple(found)


def unverified_change(calls: Sequence[Call]) -> Call | None:
    """Return the last change if nothing was read or checked after it; looking while it was made is not after it."""
    check: Call | None = None
    for call in reversed(calls):
        if is_change(call):
            if check is None or not check.began_after(call):
                return call
        elif check is None and is_check(call):
            check = call
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class LuckyPass:
    """Measures whether a successful run shows a sign of luck, and how many of three: retries, regressions, no check.

    References:
        After AgentLens (arXiv 2605.12925), where 10.7 % of 1,815 runs' passes were lucky; its phases are left out.
    """

    name: str = "lucky_pass"
    version: str = "1"
    tier: Tier = 3
    metrics: tuple[str, ...] = ()

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Look for the signs in a run that succeeded."""
        if run.trace is None:
            return silent(self, "not_measured", "the run has no trace", UNITS)
        outcome = run.trace.outcome
        if outcome is None or outcome.success is None:
            return silent(self, "not_measured", "the trace does not say whether the run succeeded", UNITS)
        if not outcome.success:
            return silent(self, "not_applicable", "the run did not succeed", UNITS)
        calls = tool_calls(run.trace)
        if not calls:
            return silent(self, "not_applicable", "no tool was called", UNITS)
        signs = tuple(_signs(calls))
        return Evaluation(
            measures=(
                Measure(name=UNITS[0][0], value=bool(signs), unit=UNITS[0][1]),
                Measure(name=UNITS[1][0], value=len(signs), unit=UNITS[1][1]),
            ),
            findings=signs,
        )


def _signs(calls: Sequence[Call]) -> Iterator[Finding]:
    if again := repeated_failures(calls):
        retries = "1 blind retry of a call" if len(again) == 1 else f"{len(again)} blind retries of calls"
        sentence = f"The run succeeded after {retries} that had failed unchanged."
        yield process_finding("lucky_pass", "info", sentence, (call.span.id for call in again))
    if broken := regressions(calls):
        sentence = f"The run succeeded although a check that had passed failed again ({broken[0].tool.name})."
        yield process_finding("lucky_pass", "info", sentence, (call.span.id for call in broken))
    if (last := unverified_change(calls)) is not None:
        sentence = f"The run succeeded without looking at what its last change ({last.tool.name}) did."
        yield process_finding("lucky_pass", "info", sentence, (last.span.id,))
