"""What can be done about a weakness, by the name of the finding or metric that shows it."""

from collections.abc import Mapping
from typing import Final

FINDINGS: Final[Mapping[str, str]] = {
    "empty": "Look at the last steps of the trace: no review came out.",
    "unreadable": "Look at the model's raw reply: what came out is no readable text.",
    "shuffled": "Look at how the review is put together: its words are not in the order of a language.",
    "copied": "Have the review say it in its own words; what is quoted should be marked as a quotation.",
    "negated": "Read the review against the paper: it denies what reviewers usually state.",
    "off_paper": "Check that the agents were given this paper's text, and that their answers reach the writer.",
    "other_language": "Ask for the review in English, or read the metrics of words as not measured.",
    "quotes": "Have the review argue in its own words instead of repeating the paper's.",
    "near_reference": "Check how the text of a human review could reach the agents or the model's training data.",
    "repeated": "Have each point made once.",
    "generic": "Ask for what is particular to this paper: sections, tables, numbers, named methods.",
    "absent_anchor": "Have each section, table and figure that is referred to checked against the paper.",
    "harsh_tone": "Ask for criticism of the work, with a reason, instead of judgement of its authors.",
    "unrecovered_calls": "Give the agent another way when this tool fails, or mend the tool.",
    "repeated_failures": "Stop calling with what has failed already: return an error that says what to change.",
    "identical_calls": "Keep what a tool has returned, so that it need not be asked the same again.",
    "stagnation": "End a loop that brings nothing new: limit the rounds or compare with the round before.",
    "ancestry_cycle": "Forbid that work comes back to the agent that gave it away.",
    "ping_pong": "Let one of the two agents decide, instead of passing the same work to and fro.",
    "dead_branch": "Drop the agent whose answer nobody uses, or hand its answer on.",
    "bottleneck": "Begin with this part when the run should be faster: nothing else takes so long.",
    "missing_calls": "Say in the prompt when this tool is needed.",
    "unexpected_calls": "Say in the prompt what this tool is not for, or do not offer it.",
    "goal_deviation": "Have the agent look up what it planned to, or take the tools away that it does without.",
    "resource_abuse": "Set limits for requests and calls.",
    "lucky_pass": "Do not count this success for more than it is: look at the steps that are linked.",
    "detour": "Look at what the longer run did beyond the shorter one; the steps are linked.",
    "dissenting_answer": "Look at where this run left the way of the others.",
    "unreliable": "Run it more often before relying on it; compare a run that failed with one that did not.",
    "broken_tests": "Have the tests run that passed before, not only those to be fixed.",
    "handoff_uptake": "Look at what was asked and what came back: the receiver hardly worked with it.",
    "handoff_facts": "State in the request what the receiver must know: declared facts did not arrive.",
    "handoff_constraints": "Repeat the constraints in the request: some did not arrive.",
}
LOW: Final[Mapping[str, str]] = {
    "output_similarity": "Hold the review against the points that human reviewers made and this one did not.",
    "task_success": "See which duties of a review are not met, and ask for them in the writer's prompt.",
    "time_taken": "Look at the critical path: it says which steps the time went into.",
    "planning_rationality": "Read the judge's reasons and the steps they name.",
    "tool_efficiency": "Look at the failed and repeated calls that are linked.",
    "coordination_quality": "Look at which part of the hand-offs is missing: asked, answered, used, not done twice.",
}
MISSING: Final[Mapping[str, str]] = {
    "output_similarity": "Give human reviews as references ('--reference FILE').",
    "task_success": "Give the case a checker or a declared outcome ('--case FILE').",
    "planning_rationality": "Name a judge ('--judge PROVIDER:MODEL').",
    "tool_efficiency": "Evaluate a trace that records tool calls.",
    "coordination_quality": "Evaluate a trace that records who handed work to whom.",
    "time_taken": "Evaluate a trace with times.",
}
