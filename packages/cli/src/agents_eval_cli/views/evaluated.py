"""A run with its scorecard and files: the result of `review`, `evaluate` and `show`."""

from typing import Any

from rich.console import Group

from agents_eval_cli.views.run import files_view, run_object, run_view
from agents_eval_cli.views.scorecard import full_scorecard_view, no_scorecard_view, scorecard_view
from agents_eval_core.use_cases.evaluate_trace import EvaluatedRun


def evaluated_object(done: EvaluatedRun) -> dict[str, Any]:
    """Return the parts of the JSON result."""
    return {"run": run_object(done.run, done.directory), "scorecard": done.scorecard, "files": done.files}


def evaluated_view(done: EvaluatedRun) -> Group:
    """Return a run's page with the scorecard in short."""
    card = no_scorecard_view() if done.scorecard is None else scorecard_view(done.scorecard)
    return Group(run_view(done.run), card, files_view(done.files))


def full_evaluated_view(done: EvaluatedRun) -> Group:
    """Return a run's page with all that the scores rest on."""
    card = no_scorecard_view() if done.scorecard is None else full_scorecard_view(done.scorecard)
    return Group(run_view(done.run), card, files_view(done.files))
