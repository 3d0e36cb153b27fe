"""The calls of a run held against the calls that its case expects."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import fsum
from typing import Final, NamedTuple, TypeVar

from agents_eval_core.case import ExpectedCall
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Finding, Measure, Tier
from agents_eval_core.trace import Span, Trace
from agents_eval_evaluators.graph import call_match
from agents_eval_evaluators.graph.argument_score import best_argument_scores
from agents_eval_evaluators.graph.call_overlap import call_overlap, edit_distance, edit_similarity, ordered_overlap
from agents_eval_evaluators.graph.calls import call_key, tool_calls
from agents_eval_evaluators.graph.delegation import delegations
from agents_eval_evaluators.scoring import graded, process_finding, silent

T = TypeVar("T")
METRICS: Final = (
    "exact_match",
    "in_order_match",
    "any_order_match",
    "strict_match",
    "unordered_match",
    "subset_match",
    "superset_match",
    "call_precision",
    "call_recall",
    "call_f1",
    "call_lcs_f1",
    "argument_score",
    "call_edit_similarity",
)
SHOWN: Final = 5


class MadeCall(NamedTuple):
    """A call that can be expected: a tool by its name, or a hand-off by its tool's or its receiver's name."""

    span: Span
    name: str
    key: str


def made_calls(trace: Trace, expected: Sequence[ExpectedCall]) -> tuple[MadeCall, ...]:
    """Return the tool calls in order; of the delegations those alone whose tool or receiver the case names."""
    names = {call.name for call in expected}
    made = [MadeCall(call.span, call.tool.name, call.key) for call in tool_calls(trace)]
    given = [
        MadeCall(one.span, name, call_key(name, one.span.tool.arguments if one.span.tool else one.span.text))
        for one in delegations(trace)
        if (name := _expected_name(one.span, trace, names)) is not None
    ]
    return tuple(sorted(made + given, key=lambda call: call.span.seq)) if given else tuple(made)


def _expected_name(span: Span, trace: Trace, expected: set[str]) -> str | None:
    tool = span.tool.name if span.tool is not None else None
    return next((name for name in (tool, trace.agent_name(span.to_agent_id)) if name in expected), None)


def paired_labels(expected: Sequence[ExpectedCall], made: Sequence[MadeCall]) -> tuple[list[Hashable], list[Hashable]]:
    """Return labels for both sides that are equal where a call is what was expected.

    An expected call without arguments takes any call of its name. Where the same tool is expected both with and
    without arguments, the first calls with the stated ones answer to those, as often as stated, and the others to the
    open ones.
    """
    wanted = [call.name if call.arguments is None else call_key(call.name, call.arguments) for call in expected]
    open_names = {call.name for call in expected if call.arguments is None}
    stated = Counter(wanted)
    labels: list[Hashable] = []
    for call in made:
        is_stated = stated[call.key] > 0
        stated[call.key] -= is_stated
        labels.append(call.key if is_stated or call.name not in open_names else call.name)
    return list(wanted), labels


def turns(labels: Sequence[Hashable], made: Sequence[MadeCall], trace: Trace) -> list[list[Hashable]]:
    """Return the labels of calls by the model reply they came from: the last request before them by the same agent."""
    reply: dict[str | None, int] = {}
    reply_of: dict[str, tuple[str | None, int]] = {}
    mine = {call.span.id for call in made}
    for span in trace.spans:
        if span.operation in ("chat", "message"):
            reply[span.agent_id] = span.seq
        elif span.id in mine:
            # Without any reply to go by, each call is a turn of its own.
            reply_of[span.id] = (span.agent_id, reply.get(span.agent_id, -1 - span.seq))
    together = groupby(zip(labels, made, strict=True), key=lambda pair: reply_of[pair[1].span.id])
    return [[label for label, _ in turn] for _, turn in together]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedCalls:
    """Scores a run by the calls its case expects; see `call_match`, `call_overlap` and `argument_score`.

    Precision, recall and F1 are of multisets; `call_lcs_f1` keeps the order. The value of a match is 1 or 0.
    """

    name: str = "expected_calls"
    version: str = "0"
    tier: Tier = 3
    metrics: tuple[str, ...] = METRICS

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Compare the calls; say which were missing and which nobody expected."""
        expected = run.case.expected_calls
        if not expected:
            return silent(self, "not_applicable", "the case expects no calls")
        if run.trace is None:
            return silent(self, "not_measured", "the run has no trace")
        made = made_calls(run.trace, expected)
        wanted, labels = paired_labels(expected, made)
        sentence, findings = _differences(expected, wanted, made, labels)
        return Evaluation(
            scores=graded(
                self,
                _matches(wanted, labels, made, run.trace)
                | _overlaps(wanted, labels)
                | {
                    "argument_score": _arguments(expected, made),
                    "call_edit_similarity": edit_similarity(wanted, labels),
                },
                explanation=sentence,
                span_ids=(call.span.id for call in made),
            ),
            measures=(Measure(name="edit_distance", value=edit_distance(wanted, labels), unit="edits"),),
            findings=tuple(findings),
        )


def _matches(
    wanted: Sequence[Hashable], called: Sequence[Hashable], made: Sequence[MadeCall], trace: Trace
) -> dict[str, float | str]:
    is_same_set = call_match.unordered_match(wanted, called)  # without that no order of turns can be right
    is_strict = is_same_set and call_match.strict_match(wanted, turns(called, made, trace))
    return {
        "exact_match": float(call_match.exact_match(wanted, called)),
        "in_order_match": float(call_match.in_order_match(wanted, called)),
        "any_order_match": float(call_match.any_order_match(wanted, called)),
        "strict_match": float(is_strict),
        "unordered_match": float(is_same_set),
        "subset_match": float(call_match.subset_match(wanted, called)),
        "superset_match": float(call_match.superset_match(wanted, called)),
    }


def _overlaps(wanted: Sequence[Hashable], called: Sequence[Hashable]) -> dict[str, float | str]:
    bag = call_overlap(wanted, called)
    nothing = "no call was made, so there is no share of calls that were right"
    return {
        "call_precision": nothing if bag.precision is None else bag.precision,
        "call_recall": bag.recall or 0.0,
        "call_f1": bag.f1,
        "call_lcs_f1": ordered_overlap(wanted, called).f1,
    }


def _arguments(expected: Sequence[ExpectedCall], made: Sequence[MadeCall]) -> float | str:
    stated = [(call.name, call.arguments) for call in expected if call.arguments is not None]
    if not stated:
        return "the expected calls state no arguments"
    given = [(call.name, call.span.tool.arguments if call.span.tool else None) for call in made]
    return fsum(best_argument_scores(stated, given)) / len(stated)


def _differences(
    expected: Sequence[ExpectedCall],
    wanted: Sequence[Hashable],
    made: Sequence[MadeCall],
    labels: Sequence[Hashable],
) -> tuple[str, Iterable[Finding]]:
    missing = [call.name for call in _surplus(expected, wanted, labels)]
    extra = list(_surplus(made, labels, wanted))
    findings: list[Finding] = []
    if missing:
        sentence = f"Expected and not made: {_named(missing)}."
        findings.append(process_finding("missing_calls", "warning", sentence, (call.span.id for call in made)))
    if extra:
        sentence = f"Made and not expected: {_named([call.name for call in extra])}."
        findings.append(process_finding("unexpected_calls", "info", sentence, (call.span.id for call in extra)))
    text = f"{len(expected)} calls expected and {len(made)} made; {len(missing)} missing, {len(extra)} not expected"
    return text, findings


def _surplus(items: Sequence[T], labels: Sequence[Hashable], others: Sequence[Hashable]) -> Iterator[T]:
    left: dict[Hashable, int] = {}
    for label in others:
        left[label] = left.get(label, 0) + 1
    for item, label in zip(items, labels, strict=True):
        if left.get(label, 0):
            left[label] -= 1
        else:
            yield item


def _named(names: Sequence[str]) -> str:
    shown = ", ".join(names[:SHOWN])
    return shown + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")
