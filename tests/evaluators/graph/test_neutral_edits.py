"""What changes nothing about the work changes no metric: other ids and names, another clock, another layout of JSON."""

import json
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, cast

import pytest
from msgspec import structs

from agents_eval_core import registry
from agents_eval_core.case import Case
from agents_eval_core.errors import AgentsEvalError
from agents_eval_core.ports.evaluator import Evaluator
from agents_eval_core.registry import BrokenPlugin
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation
from agents_eval_core.trace import Agent, Span, ToolUse, Trace
from agents_eval_core.trace_source import read_traces
from agents_eval_core.use_cases.evaluate_trace import run_of

SAMPLES = Path(__file__).parents[2] / "data" / "traces"
BEHAVIOUR: tuple[Evaluator, ...] = tuple(
    plugin for plugin in registry.evaluators() if not isinstance(plugin, BrokenPlugin) and plugin.tier == 3
)
Edit = Callable[[Run], Run]
Seen = list[tuple[object, ...]]


@cache
def samples() -> Mapping[str, Trace]:
    return {f"{path.parent.name}/{path.name}:{trace.id}": trace for path, trace in _read()}


def _read() -> Iterator[tuple[Path, Trace]]:
    for path in sorted(SAMPLES.rglob("*")):
        if path.is_file():
            try:
                yield from ((path, trace) for trace in read_traces(path) if trace.spans)
            except AgentsEvalError:
                continue


def renamed_ids(run: Run) -> Run:
    def new(old: str | None) -> str | None:
        return None if old is None else f"z{old[::-1]}"

    assert run.trace is not None
    spans = [
        structs.replace(
            span,
            id=new(span.id),
            parent_id=new(span.parent_id),
            tool=span.tool and structs.replace(span.tool, call_id=new(span.tool.call_id)),
        )
        for span in run.trace.spans
    ]
    return run.changed(trace=structs.replace(run.trace, id="another", spans=tuple(spans)))


def renamed_agents(run: Run) -> Run:
    """Give agents other ids and names everywhere that the trace names them; roles stay, and what is said stays too."""
    assert run.trace is not None
    ids = {agent.id: f"agent-{place}" for place, agent in enumerate(run.trace.agents)}
    names = {agent.name: f"Nobody {place}" for place, agent in enumerate(run.trace.agents)}
    agents = tuple(structs.replace(agent, id=ids[agent.id], name=names[agent.name]) for agent in run.trace.agents)
    spans = [
        structs.replace(
            span,
            agent_id=ids.get(span.agent_id or "", span.agent_id),
            to_agent_id=ids.get(span.to_agent_id or "", span.to_agent_id),
        )
        for span in run.trace.spans
    ]
    return run.changed(trace=structs.replace(run.trace, agents=agents, spans=tuple(spans)))


def shifted_clock(run: Run) -> Run:
    def later(moment: datetime | None) -> datetime | None:
        return None if moment is None else moment + timedelta(days=400, hours=5, microseconds=123457)

    assert run.trace is not None
    spans = [
        structs.replace(span, started_at=later(span.started_at), ended_at=later(span.ended_at))
        for span in run.trace.spans
    ]
    return run.changed(trace=structs.replace(run.trace, spans=tuple(spans)))


def reformatted_json(run: Run) -> Run:
    assert run.trace is not None
    spans = [
        structs.replace(span, text=_laid_out(span.text), tool=span.tool and _reformatted(span.tool))
        for span in run.trace.spans
    ]
    output = _laid_out(run.output_text)
    return run.changed(trace=structs.replace(run.trace, spans=tuple(spans)), output_text=output)


def _reformatted(tool: ToolUse) -> ToolUse:
    return structs.replace(tool, arguments=_turned(tool.arguments), result=_laid_out(tool.result))


def _turned(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _turned(part) for key, part in reversed(cast("dict[str, Any]", value).items())}
    return _laid_out(value) if isinstance(value, str) else value


def _laid_out(text: str | None) -> str | None:
    if text and text.lstrip()[:1] in ("{", "["):
        try:
            return json.dumps(_turned(json.loads(text)), indent=3)
        except (ValueError, RecursionError):
            return text
    return text


def reordered_parallel_calls(run: Run) -> Run:
    """Turn round the records of calls of one agent next to each other under one parent that ran at the same time."""
    assert run.trace is not None
    spans = [span for group in _parallel(run.trace.spans) for span in reversed(group)]
    numbered = [structs.replace(span, seq=place) for place, span in enumerate(spans)]
    return run.changed(trace=structs.replace(run.trace, spans=tuple(numbered)))


def _parallel(spans: Sequence[Span]) -> Iterator[list[Span]]:
    group: list[Span] = []
    for span in spans:
        if group and not all(_are_parallel(one, span) for one in group):
            yield group
            group = []
        group.append(span)
    if group:
        yield group


def _are_parallel(one: Span, other: Span) -> bool:
    are_calls = one.operation == other.operation == "execute_tool"
    is_same_place = (one.agent_id, one.parent_id) == (other.agent_id, other.parent_id)
    if not are_calls or not is_same_place or one.ended_at is None or other.started_at is None:
        return False
    return other.started_at < one.ended_at


def seen(evaluation: Evaluation, trace: Trace) -> Seen:
    """Return what an evaluation says but for the names in it: agents by place, spans by number."""
    by_name: dict[str, str] = {}
    for place, agent in enumerate(trace.agents):
        by_name.setdefault(agent.name, f"<{place}>")
    by_name |= {agent.id: f"<{place}>" for place, agent in enumerate(trace.agents) if agent.id not in by_name}
    names = sorted(by_name, key=len, reverse=True)

    def bare(value: object) -> object:
        if not isinstance(value, str):
            return round(value, 9) if isinstance(value, float) else value
        for name in names:
            value = value.replace(name, by_name[name])
        return value

    span_ids = {span.id for span in trace.spans}
    scores: Seen = [(one.name, bare(one.value), one.reason, len(one.evidence.span_ids)) for one in evaluation.scores]
    measures: Seen = [
        (bare(one.name), "a span" if one.value in span_ids else bare(one.value), one.reason)
        for score in (evaluation, *evaluation.scores)
        for one in score.measures
    ]
    findings: Seen = [
        (one.name, one.severity, bare(one.sentence), len(one.evidence.span_ids)) for one in evaluation.findings
    ]
    return scores + measures + findings


EDITS: Mapping[str, Edit] = {
    edit.__name__: edit
    for edit in (renamed_ids, renamed_agents, shifted_clock, reformatted_json, reordered_parallel_calls)
}


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("evaluator", BEHAVIOUR, ids=lambda evaluator: evaluator.name)
async def test_a_neutral_edit_moves_no_metric(
    evaluator: Evaluator, edit: str, ask: Callable[..., Awaitable[Evaluation]]
) -> None:
    moved: list[tuple[str, object]] = []
    for name, trace in samples().items():
        run = run_of(trace).changed(case=Case(id="c", task="other", needs_tools=True))
        edited = EDITS[edit](run)
        assert edited.trace is not None
        before, after = seen(await ask(evaluator, run), trace), seen(await ask(evaluator, edited), edited.trace)
        if before != after:
            moved.append((name, [pair for pair in zip(before, after, strict=False) if pair[0] != pair[1]]))
    assert moved == []


def test_the_edits_do_change_the_samples() -> None:
    for name, edit in EDITS.items():
        changed = sum(edit(run_of(trace)).trace != trace for trace in samples().values())
        assert changed >= (1 if name == "reordered_parallel_calls" else 5), name
    assert len(samples()) > 15
    assert all(isinstance(agent, Agent) for trace in samples().values() for agent in trace.agents)
