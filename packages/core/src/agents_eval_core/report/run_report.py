"""The report of one run as a value: what every view of it shows, in the order in which it is read."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from agents_eval_core.composite import SIX
from agents_eval_core.composition import composition_name
from agents_eval_core.report.agent_graph import AgentGraph, agent_graph
from agents_eval_core.report.suggestions import SEVERITIES, Suggestion, suggestions
from agents_eval_core.report.wording import model_name, verdict_sentence
from agents_eval_core.run import Run
from agents_eval_core.score import Finding, Measure, Part, Quartiles, Score, Scorecard
from agents_eval_core.trace import Role, Trace

MEANINGS: Final[Mapping[str, str]] = {
    "time_taken": "how much of its time budget the run left",
    "task_success": "does what its task asks for, in form",
    "coordination_quality": "work was handed on, answered, used, and not done twice",
    "tool_efficiency": "share of tool calls that were not wasted",
    "planning_rationality": "what a judge thinks of the steps",
    "output_similarity": "as near to the human reviews as humans are to one another",
}
TIERS: Final = {1: "Tier 1: the text", 2: "Tier 2: the judge", 3: "Tier 3: the behaviour"}
HUMAN_POINTS: Final = "point_coverage"
USAGE: Final = ("input_tokens", "output_tokens", "cost_usd", "seconds")


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricRow:
    """A metric of the composite with what it means and where humans lie."""

    name: str
    meaning: str
    score: Score | None
    weight: float | None
    humans: Quartiles | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentRow:
    """What an agent did and took. `usage` is what the evaluators measured; None is unknown."""

    name: str
    role: Role
    requests: int
    calls: tuple[tuple[str, int], ...]
    failed_calls: int
    usage: Mapping[str, Measure | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReport:
    """What there is to say about a run.

    Attributes:
        found: Points of the best covered human reviewer that the review has too.
        missed: Those of that reviewer's points that it does not have.
        findings: The gravest first.
    """

    title: str
    verdict: str
    about: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    six: tuple[MetricRow, ...]
    suggestions: tuple[Suggestion, ...]
    findings: tuple[Finding, ...]
    found: tuple[Part, ...]
    missed: tuple[Part, ...]
    agents: tuple[AgentRow, ...]
    graph: AgentGraph | None
    tiers: tuple[tuple[str, tuple[Score, ...]], ...]
    measures: tuple[Measure, ...]
    run: Run
    scorecard: Scorecard


def run_report(run: Run, scorecard: Scorecard) -> RunReport:
    """Return what there is to say about a run; every figure in it stands in the scorecard or counts spans."""
    return RunReport(
        title=run.case.paper.title if run.case.paper else run.case.id,
        verdict=verdict_sentence(scorecard),
        about=tuple(_about(run)),
        notes=tuple(_notes(run)),
        six=tuple(_six(scorecard)),
        suggestions=suggestions(scorecard),
        findings=tuple(sorted(scorecard.findings, key=lambda finding: SEVERITIES.index(finding.severity))),
        found=human_points(scorecard, "found"),
        missed=human_points(scorecard, "missed"),
        agents=() if run.trace is None else tuple(_agents(run.trace, scorecard.measures)),
        graph=None if run.trace is None else agent_graph(run.trace),
        tiers=tuple(_tiers(scorecard)),
        measures=scorecard.measures,
        run=run,
        scorecard=scorecard,
    )


def human_points(scorecard: Scorecard, mark: str) -> tuple[Part, ...]:
    """Return the points of the best covered human reviewer that are `found` or `missed` in the review."""
    coverage = scorecard.score(HUMAN_POINTS)
    return () if coverage is None else tuple(part for part in coverage.parts if part.mark == mark)


def _about(run: Run) -> Iterator[tuple[str, str]]:
    yield "run", f"{run.id} ({run.status})"
    yield "case", run.case.id
    yield "system", f"{run.system.engine} {composition_name(run.system.composition)}".strip()
    yield "model", model_name(run.system)
    if run.case.paper is not None:
        yield "text read", run.case.paper.text_source
    yield "human reviews", str(len(run.case.references))
    yield "begun", f"{run.created_at:%Y-%m-%d %H:%M:%S %Z}"


def _notes(run: Run) -> Iterator[str]:
    yield from run.notes
    if run.problem is not None:
        yield f"{run.problem.error_type}: {run.problem.message}"


def _six(scorecard: Scorecard) -> Iterator[MetricRow]:
    for name in (*SIX, *(name for name in scorecard.weights_used if name not in SIX)):
        yield MetricRow(
            name=name,
            meaning=MEANINGS.get(name, ""),
            score=scorecard.score(name),
            weight=scorecard.weights_used.get(name),
            humans=scorecard.humans.get(name),
        )


def _tiers(scorecard: Scorecard) -> Iterator[tuple[str, tuple[Score, ...]]]:
    for tier, heading in TIERS.items():
        scores = tuple(score for score in scorecard.scores if score.tier == tier)
        if scores:
            yield heading, scores


def _agents(trace: Trace, measures: Sequence[Measure]) -> Iterator[AgentRow]:
    by_name = {measure.name: measure for measure in measures}
    named = Counter(agent.name for agent in trace.agents)
    for agent in trace.agents:
        own = [span for span in trace.spans if span.agent_id == agent.id]
        told = agent.name if named[agent.name] == 1 else f"{agent.name} ({agent.id})"
        tools = Counter(span.tool.name for span in own if span.operation == "execute_tool" and span.tool)
        yield AgentRow(
            name=told,
            role=agent.role,
            requests=sum(span.operation == "chat" for span in own),
            calls=tuple(tools.most_common()),
            failed_calls=sum(span.operation == "execute_tool" and span.status == "error" for span in own),
            usage={figure: by_name.get(f"{told}.{figure}") for figure in USAGE},
        )
