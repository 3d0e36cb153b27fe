"""Agents-eval: how good a multi-agent system is, how it worked, and whether one is really better than another.

The three verbs are coroutines; each has a `_sync` twin for scripts and notebooks without an event loop.

>>> from agents_eval import run_review_sync
>>> review = run_review_sync("sparse-gates", dataset="sample", composition="manager")
>>> review.scorecard.score("planning_rationality").reason
'not_measured'
"""

from agents_eval.verbs import (
    compare_runs,
    compare_runs_sync,
    evaluate_trace,
    evaluate_trace_sync,
    run_review,
    run_review_sync,
)

__version__ = "0.1.0"
__all__ = [
    "compare_runs",
    "compare_runs_sync",
    "evaluate_trace",
    "evaluate_trace_sync",
    "run_review",
    "run_review_sync",
]
