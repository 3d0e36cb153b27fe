"""Several runs by task: how often each was solved, and how alike its runs are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from agents_eval_cli.views.page import bullets, columns, heading
from agents_eval_cli.views.scorecard import finding_line
from agents_eval_core.report.wording import score_value

if TYPE_CHECKING:
    from agents_eval_core.group_evaluation import GroupScorecard
    from agents_eval_core.use_cases.evaluate_groups import EvaluatedGroups, TaskMean

FINDINGS_SHOWN: Final = 20
UNREAD_SHOWN: Final = 5
COLUMNS: Final = {
    "pass_at_1": "solved",
    "answer_agreement": "same answer",
    "path_similarity": "same path",
    "path_convergence": "convergence",
}


def groups_view(done: EvaluatedGroups) -> Group:
    """Return one task in full, or several as a table with the means over tasks."""
    parts = _one(done.groups[0]) if len(done.groups) == 1 else _several(done)
    hint = Text("\n'agents-eval evaluate SOURCE' gives the scorecard of one run; of a file with several, --trace ID.")
    return Group(*parts, *_findings(done), *_unread(done), hint)


def _one(group: GroupScorecard) -> Iterator[RenderableType]:
    yield Text(f"\n{len(group.runs)} runs of task {group.task}", style="bold")
    yield _scores(group)


def _scores(group: GroupScorecard) -> Table:
    table = columns("metric", "value", "what it rests on, or why there is none", right=frozenset({"value"}))
    for score in group.scores:
        value = f"{score.value:.2f}" if score.value is not None else ""
        said = score.explanation if score.value is not None else f"{score_value(score)}: {score.explanation}"
        table.add_row(Text(score.name), Text(value, style="bold"), Text(said))
    return table


def _several(done: EvaluatedGroups) -> Iterator[RenderableType]:
    runs = sum(len(group.runs) for group in done.groups)
    yield Text(f"\n{runs} runs of {len(done.groups)} tasks", style="bold")
    compared = [group for group in done.groups if len(group.runs) > 1]
    if compared:
        yield _tasks(compared)
    alone = len(done.groups) - len(compared)
    if alone:
        tasks = "1 task has" if alone == 1 else f"{alone} tasks have"
        yield Text(f"{tasks} one run only: nothing to compare it with (--same-task takes all as one task)")
    if done.means:
        yield heading("Means over tasks, with 95 % intervals")
        yield _means(done.means)
    applying = (
        ()
        if done.together is None
        else tuple(score for score in done.together.scores if score.reason != "not_applicable")
    )
    if done.together is not None and applying:
        yield heading("All of them together")
        yield _scores(done.together.changed(scores=applying))


def _tasks(groups: list[GroupScorecard]) -> Table:
    table = columns("task", "runs", *COLUMNS.values(), right=frozenset({"runs", *COLUMNS.values()}))
    for group in groups:
        values = (score.value if (score := group.score(name)) else None for name in COLUMNS)
        cells = (Text("none", style="dim") if value is None else Text(f"{value:.2f}") for value in values)
        table.add_row(Text(group.task), str(len(group.runs)), *cells)
    return table


def _means(means: tuple[TaskMean, ...]) -> Table:
    table = columns("metric", "mean", "interval", "tasks", right=frozenset({"mean", "interval", "tasks"}))
    for each in means:
        interval = "none" if each.interval is None else f"{each.interval.low:.2f} to {each.interval.high:.2f}"
        table.add_row(Text(each.metric), f"{each.mean:.2f}", interval, str(each.tasks))
    return table


def _findings(done: EvaluatedGroups) -> Iterator[RenderableType]:
    groups = [*done.groups, *([] if done.together is None else [done.together])]
    found = [finding for group in groups for finding in group.findings]
    if found:
        yield heading("Findings")
        yield from (finding_line(finding) for finding in found[:FINDINGS_SHOWN])
    if len(found) > FINDINGS_SHOWN:
        yield Text(f"and {len(found) - FINDINGS_SHOWN} more; --json has them all", style="dim")


def _unread(done: EvaluatedGroups) -> Iterator[RenderableType]:
    if done.unread:
        yield heading("Not read")
        yield bullets(*done.unread[:UNREAD_SHOWN])
    if len(done.unread) > UNREAD_SHOWN:
        yield Text(f"and {len(done.unread) - UNREAD_SHOWN} more", style="dim")
