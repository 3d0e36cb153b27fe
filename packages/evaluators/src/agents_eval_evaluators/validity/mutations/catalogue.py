"""All edits by what they do, and what each defect must do to which metric by that metric's definition."""

from collections.abc import Mapping
from typing import Final, Literal

from agents_eval_evaluators.validity.mutations.dead_branch import dead_branch
from agents_eval_evaluators.validity.mutations.dropped_answer import dropped_answer
from agents_eval_evaluators.validity.mutations.dropped_result import dropped_result
from agents_eval_evaluators.validity.mutations.loop import loop
from agents_eval_evaluators.validity.mutations.lost_constraint import lost_constraint
from agents_eval_evaluators.validity.mutations.planted import Mutation
from agents_eval_evaluators.validity.mutations.reformatted_json import reformatted_json
from agents_eval_evaluators.validity.mutations.renamed import renamed
from agents_eval_evaluators.validity.mutations.reordered_parallel_calls import reordered_parallel_calls
from agents_eval_evaluators.validity.mutations.shifted_clock import shifted_clock
from agents_eval_evaluators.validity.mutations.swapped_order import swapped_order
from agents_eval_evaluators.validity.mutations.unrecovered_failure import unrecovered_failure
from agents_eval_evaluators.validity.mutations.wrong_agent import wrong_agent

Direction = Literal["falls", "rises"]
DEFECTS: Final[dict[str, Mutation]] = {
    "loop": loop,
    "unrecovered failure": unrecovered_failure,
    "lost constraint": lost_constraint,
    "dropped answer": dropped_answer,
    "dropped result": dropped_result,
    "dead branch": dead_branch,
    "wrong agent": wrong_agent,
    "swapped order": swapped_order,
}
NEUTRAL: Final[dict[str, Mutation]] = {
    "renamed": renamed,
    "parallel calls reordered": reordered_parallel_calls,
    "clock shifted": shifted_clock,
    "JSON reformatted": reformatted_json,
}
MUST: Final[Mapping[str, Mapping[str, Direction]]] = {
    "loop": {
        "loop_score": "falls",
        "identical_repeats": "rises",
        "tool_efficiency": "falls",
        "calls_per_distinct_call": "rises",
        "tool_calls": "rises",
        "finding: identical_calls": "rises",
        "finding: resource_abuse": "rises",
    },
    "unrecovered failure": {
        "tool_efficiency": "falls",
        "recovery": "falls",
        "unrecovered_calls": "rises",
        "failed_calls": "rises",
        "finding: unrecovered_calls": "rises",
    },
    "lost constraint": {"handoff.constraints": "falls", "handoff_quality": "falls"},
    "dropped answer": {"handoff.acknowledged": "falls", "handoff_quality": "falls", "coordination_quality": "falls"},
    "dead branch": {
        "unnecessary_path_ratio": "rises",
        "finding: dead_branch": "rises",
        "coordination_quality": "falls",
        "agents": "rises",
        "delegations": "rises",
    },
    "wrong agent": {
        "handoff.routing": "falls",
        "handoff_quality": "falls",
        "call_recall": "falls",
        "any_order_match": "falls",
    },
    "swapped order": {
        "exact_match": "falls",
        "in_order_match": "falls",
        "call_lcs_f1": "falls",
        "call_edit_similarity": "falls",
        "edit_distance": "rises",
    },
}
