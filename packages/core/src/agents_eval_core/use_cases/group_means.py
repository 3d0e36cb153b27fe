"""What the metrics across runs say of a side: how steady it is at the papers that it did several times."""

from collections import defaultdict
from dataclasses import replace

from agents_eval_core.comparison import GroupMean
from agents_eval_core.data_root import DataRoot
from agents_eval_core.errors import AgentsEvalError
from agents_eval_core.group_evaluation import evaluate_group
from agents_eval_core.run import Run, RunRecord
from agents_eval_core.settings import Settings
from agents_eval_core.statistics.paired import paper_of
from agents_eval_core.store.run_directory import RunDirectory
from agents_eval_core.use_cases.evaluate_groups import task_means
from agents_eval_core.use_cases.evaluated_side import EvaluatedSide

SEVERAL = 2


async def with_group_means(side: EvaluatedSide, settings: Settings) -> EvaluatedSide:
    """Return a side with its metrics across the runs of each paper, where it has several of one.

    Identical repetitions are among them: that they are the same is what is measured here. A run that cannot be read
    costs its paper only.
    """
    root = DataRoot(path=settings.home)
    of_paper: defaultdict[tuple[str, str], list[RunRecord]] = defaultdict(list)
    for record in side.records:
        if record.paper and record.status in ("complete", "failed"):
            of_paper[paper_of(record)].append(record)
    cards = [
        await evaluate_group(runs, settings=settings)
        for records in of_paper.values()
        if len(records) >= SEVERAL and (runs := _runs(records, root))
    ]
    means = tuple(
        GroupMean(metric=mean.metric, mean=mean.mean, interval=mean.interval, papers=mean.tasks)
        for mean in task_means(cards)
    )
    return replace(side, side=side.side.changed(group_means=means))


def _runs(records: list[RunRecord], root: DataRoot) -> list[Run]:
    try:
        return [RunDirectory.open(root.path / record.directory).read_run() for record in records]
    except AgentsEvalError:
        return []
