"""From several runs, of one task or of several, to what can be said of them together."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final

from pydantic import Field

from agents_eval_core import registry
from agents_eval_core.errors import UsageError
from agents_eval_core.evaluation import ORDER, broken_finding, of_one, without_values
from agents_eval_core.frozen import Frozen
from agents_eval_core.ports.evaluator import EvaluationContext, GroupEvaluator
from agents_eval_core.registry import BrokenPlugin
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Finding, Measure, Score
from agents_eval_core.settings import Settings
from agents_eval_core.time_limit import within

TASKS_SHOWN: Final = 3


class GroupScorecard(Frozen):
    """What is known about several runs together, what is not, and why.

    Attributes:
        task: The task's id, "" for runs of several; `dataset` tells equal ids of two data sets apart.
        runs: The runs' ids in the order given.
        measures: Those of one run are named `<run id>.<figure>`.
        findings: Their span ids carry the run: `<run id>/<span id>`.
    """

    task: str
    dataset: str = ""
    runs: tuple[str, ...]
    scores: tuple[Score, ...] = ()
    measures: tuple[Measure, ...] = ()
    findings: tuple[Finding, ...] = Field(default=())

    def score(self, name: str) -> Score | None:
        """Return the score of that name, or None."""
        return next((score for score in self.scores if score.name == name), None)


def task_of(run: Run) -> tuple[str, str]:
    """Return what runs of one task share: the data set, and the group of the case or else the case.

    >>> from datetime import UTC, datetime
    >>> from agents_eval_core.case import Case
    >>> from agents_eval_core.run import System
    >>> task_of(Run(id="r", status="complete", case=Case(id="trial-2", group_id="7", dataset="d"),
    ...     system=System(engine="mas"), created_at=datetime.now(UTC)))
    ('d', '7')
    """
    return run.case.dataset, run.case.group_id or run.case.id


async def evaluate_group(
    runs: Sequence[Run],
    *,
    settings: Settings,
    context: EvaluationContext | None = None,
    at_hand: Sequence[GroupEvaluator] | None = None,
) -> GroupScorecard:
    """Return what can be said of several runs of one task together.

    A failing evaluator costs its own scores only. The time limit is that of tier 3, for the group as a whole; with a
    judge it is the total one, and what asks the judge comes last.

    Args:
        runs: At least one, all of one task by `task_of`, with their traces and outputs.
        settings: The time limit.
        context: What evaluators are handed.
        at_hand: The evaluators to use; by default all that are installed.

    Raises:
        UsageError: There is no run, or they are of different tasks.
    """
    dataset, task = _one_task(runs)
    plugins = registry.group_evaluators() if at_hand is None else at_hand
    return (await _gathered(plugins, runs, context, settings)).changed(task=task, dataset=dataset)


async def evaluate_set(
    runs: Sequence[Run],
    *,
    settings: Settings,
    context: EvaluationContext | None = None,
    at_hand: Sequence[GroupEvaluator] | None = None,
) -> GroupScorecard:
    """Return what can be said of runs of several tasks together: what a system does on one paper after another.

    A failing evaluator costs its own scores only. The time limit is that of tier 3, for the set as a whole.

    Args:
        runs: With their outputs, of whatever tasks.
        settings: The time limit.
        context: What evaluators are handed.
        at_hand: The evaluators to use; by default all that are installed.
    """
    plugins = registry.set_evaluators() if at_hand is None else at_hand
    return await _gathered(plugins, runs, context, settings)


async def _gathered(
    plugins: Iterable[GroupEvaluator | BrokenPlugin],
    runs: Sequence[Run],
    context: EvaluationContext | None,
    settings: Settings,
) -> GroupScorecard:
    found: list[GroupEvaluator] = []
    broken: list[Finding] = []
    for plugin in plugins:
        if isinstance(plugin, BrokenPlugin):
            broken.append(broken_finding(plugin))
        else:
            found.append(plugin)
    context = context or EvaluationContext()
    found.sort(key=lambda evaluator: ORDER.index(evaluator.tier))
    seconds = settings.tier_max_seconds(3) if not context.judges else settings.total_max_seconds
    said = await _said(found, runs, context, seconds)
    return GroupScorecard(
        task="",
        runs=tuple(run.id for run in runs),
        scores=tuple(score for each in said for score in each.scores),
        measures=tuple(measure for each in said for measure in each.measures),
        findings=(*(finding for each in said for finding in each.findings), *broken),
    )


def _one_task(runs: Sequence[Run]) -> tuple[str, str]:
    tasks = list(dict.fromkeys(task_of(run) for run in runs))
    if len(tasks) != 1:
        listed = ", ".join(task for _, task in tasks[:TASKS_SHOWN]) + (", …" if len(tasks) > TASKS_SHOWN else "")
        raise UsageError(
            f"a group is of one task, and these {len(runs)} runs are of {len(tasks)}"
            f"{f' ({listed})' if tasks else ''}; group them by task first"
        )
    return tasks[0]


async def _said(
    evaluators: Sequence[GroupEvaluator], runs: Sequence[Run], context: EvaluationContext, seconds: float
) -> list[Evaluation]:
    done: list[Evaluation] = []

    async def work() -> None:
        for evaluator in evaluators:
            done.append(await of_one(evaluator, partial(evaluator.evaluate_group, runs, context)))  # noqa: PERF401  what is done stays when time ends

    try:
        await within(seconds, work, name="agents-eval groups")
    except TimeoutError:
        finished = list(done)
        sentence = f"the time limit of {seconds:g} s for the metrics across runs was reached"
        late = evaluators[len(finished) :]
        return finished + [without_values(evaluator, "failed", sentence, "timeout") for evaluator in late]
    return done
