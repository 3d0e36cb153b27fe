"""Several runs of a task evaluated together: which belong together, and what is said of them."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from agents_eval_core.case import Case
from agents_eval_core.errors import SeveralRunsError, UsageError
from agents_eval_core.group_evaluation import evaluate_group
from agents_eval_core.run import Run, System
from agents_eval_core.settings import Settings
from agents_eval_core.use_cases.evaluate_groups import EvaluatedGroups, evaluate_groups
from agents_eval_core.use_cases.evaluate_sources import evaluate_sources
from agents_eval_core.use_cases.evaluate_trace import EvaluatedRun

Write = Callable[..., Path]


def trial(task: int, number: int, reward: float, answer: str) -> dict[str, Any]:
    return {
        "task_id": task,
        "trial": number,
        "reward": reward,
        "info": {},
        "traj": [
            {"role": "user", "content": "How many?"},
            {"role": "assistant", "content": f"The answer is {answer}."},
        ],
    }


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write trials into one file of the form that tau-bench gives."""

    def file(*trials: dict[str, Any], name: str = "trials.json") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(trials))
        return path

    return file


async def test_the_trials_of_a_task_are_one_group_and_means_are_over_tasks(write: Write) -> None:
    first = [trial(1, number, 1.0, "30") for number in range(3)] + [trial(1, 3, 0.0, "31")]
    path = write(*first, trial(2, 0, 0.0, "5"), trial(2, 1, 0.0, "5"))
    done = await evaluate_groups([path], settings=Settings())
    assert [(group.task, len(group.runs)) for group in done.groups] == [("1", 4), ("2", 2)]
    means = {each.metric: each for each in done.means}
    assert means["pass_at_1"].mean == pytest.approx((3 / 4 + 0) / 2)
    assert means["answer_agreement"].mean == pytest.approx((1 / 2 + 1) / 2)
    assert (means["pass_at_1"].tasks, means["path_convergence"].tasks) == (2, 1)
    assert means["path_convergence"].interval is None


async def test_one_source_with_one_run_is_a_scorecard_and_with_several_a_group(write: Write) -> None:
    one = await evaluate_sources([str(write(trial(1, 0, 1.0, "30")))], settings=Settings())
    assert isinstance(one, EvaluatedRun)
    several = await evaluate_sources([str(write(trial(1, 0, 1.0, "30"), trial(1, 1, 1.0, "30")))], settings=Settings())
    assert isinstance(several, EvaluatedGroups)
    chosen = await evaluate_sources(
        [str(write(trial(1, 0, 1.0, "30"), trial(1, 1, 1.0, "30")))], settings=Settings(), trace_id="task-1-trial-1"
    )
    assert isinstance(chosen, EvaluatedRun)


async def test_a_folder_of_traces_is_read_file_by_file_and_what_is_no_trace_is_named(
    write: Write, tmp_path: Path
) -> None:
    write(trial(1, 0, 1.0, "30"), name="kept/a.json")
    write(trial(1, 1, 1.0, "30"), name="kept/deep/b.json")
    (tmp_path / "kept" / "notes.txt").write_text("nothing of interest")
    done = await evaluate_sources([str(tmp_path / "kept")], settings=Settings())
    assert isinstance(done, EvaluatedGroups)
    assert [group.runs for group in done.groups] == [("task-1-trial-0", "task-1-trial-1")]
    assert [line.partition(": ")[0] for line in done.unread] == [str(tmp_path / "kept" / "notes.txt")]


async def test_the_same_trace_given_twice_counts_once_and_equal_ids_are_told_apart(write: Write) -> None:
    one, other = write(trial(1, 0, 1.0, "30")), write(trial(1, 0, 0.0, "31"), name="other.json")
    done = await evaluate_groups([one, one, other], settings=Settings())
    assert done.groups[0].runs == ("task-1-trial-0", "task-1-trial-0#2")


async def test_the_user_may_say_that_all_are_of_one_task(write: Write) -> None:
    path = write(trial(1, 0, 1.0, "30"), trial(2, 0, 0.0, "31"))
    apart = await evaluate_groups([path], settings=Settings())
    together = await evaluate_groups([path], settings=Settings(), same_task=True)
    assert (len(apart.groups), len(together.groups)) == (2, 1)


async def test_options_about_one_run_are_refused_with_several(write: Write) -> None:
    path = str(write(trial(1, 0, 1.0, "30"), trial(1, 1, 1.0, "30")))
    with pytest.raises(SeveralRunsError, match="choose one with --trace ID"):
        await evaluate_sources([path], settings=Settings(), tiers=[3])
    with pytest.raises(UsageError, match="--tiers is about one run, and 2 sources were given"):
        await evaluate_sources([path, path], settings=Settings(), tiers=[3])


def a_run(task: str, run_id: str = "r") -> Run:
    return Run(
        id=run_id, status="complete", case=Case(id=task), system=System(engine="mas"), created_at=datetime.now(UTC)
    )


async def test_runs_of_different_tasks_are_no_group() -> None:
    with pytest.raises(UsageError, match=r"these 2 runs are of 2 \(a, b\)"):
        await evaluate_group([a_run("a"), a_run("b")], settings=Settings())
    with pytest.raises(UsageError, match="these 0 runs are of 0"):
        await evaluate_group([], settings=Settings())


class Broken:
    name, version, tier, metrics = "broken", "0", 3, ("broken",)

    async def evaluate_group(self, runs: object, context: object) -> Any:  # noqa: ARG002  the port hands it to all
        raise ZeroDivisionError("by design")


async def test_a_metric_that_breaks_costs_its_own_scores_only() -> None:
    card = await evaluate_group([a_run("a")], settings=Settings(), at_hand=[Broken()])  # type: ignore[list-item]
    score = card.score("broken")
    assert score is not None
    assert (score.reason, score.error_type) == ("failed", "ZeroDivisionError")


async def test_a_judge_that_cannot_be_used_is_said_for_several_runs_too(write: Write) -> None:
    path = write(trial(1, 0, 1.0, "30"), trial(1, 1, 1.0, "30"))
    with pytest.raises(UsageError, match="no provider named 'nobody'"):
        await evaluate_sources([str(path)], settings=Settings(), judge="nobody")
    done = await evaluate_groups([path], settings=Settings())
    preference = done.groups[0].score("judged_preference")
    assert preference is not None
    assert preference.reason in ("not_measured", "not_applicable")
