"""The report of one run in Markdown: the verdict and what it rests on, then everything that was measured."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from agents_eval_core.report.inline_text import inline as _inline
from agents_eval_core.report.run_report import USAGE, MetricRow, RunReport, run_report
from agents_eval_core.report.score_parts import part_tables
from agents_eval_core.report.suggestions import Suggestion
from agents_eval_core.report.wording import number, score_value
from agents_eval_core.run import Run
from agents_eval_core.score import Evidence, Finding, Measure, Quartiles, Score, Scorecard

MARKS: Final = {"critical": "**Critical**", "warning": "Warning", "info": "Note"}


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkdownView:
    """Renders a run and its scorecard as Markdown."""

    name: str = "markdown"
    file_name: str = "report.md"

    def render(self, run: Run, scorecard: Scorecard) -> str:
        """Return the report."""
        return "\n".join(_lines(run_report(run, scorecard))) + "\n"


def _lines(report: RunReport) -> Iterator[str]:
    yield from (f"# {_inline(report.title)}", "", f"**{report.verdict}**", "")
    yield from _about(report)
    yield from _six(report.six)
    yield from _section("Why the verdict is no higher", report.scorecard.caps)
    yield from _section("Where the tiers disagree", report.scorecard.tier_agreement)
    yield from _suggestions(report.suggestions)
    yield from _findings(report.findings)
    yield from _points(report)
    yield from _agents(report)
    for heading, scores in report.tiers:
        yield from _tier(heading, scores)
    yield from _measures(report.measures)
    yield from _review(report.run)


def _about(report: RunReport) -> Iterator[str]:
    yield from ("| | |", "|---|---|")
    yield from (f"| {label} | {_cell(value)} |" for label, value in report.about)
    yield ""
    yield from (f"- {_inline(note)}" for note in report.notes)


def _six(rows: Sequence[MetricRow]) -> Iterator[str]:
    yield "## The composite"
    yield ""
    yield "| metric | what it means | score | weight | humans (quartiles) | why |"
    yield "|---|---|---|---|---|---|"
    for row in rows:
        weight = "" if row.weight is None else f"{row.weight:.2f}"
        why = row.score.explanation if row.score else "nothing measures it"
        yield (
            f"| {row.name} | {row.meaning} | {score_value(row.score)} | {weight} | {_humans(row.humans)} "
            f"| {_cell(why)} |"
        )
    yield ""


def _humans(quartiles: Quartiles | None) -> str:
    if quartiles is None:
        return ""
    return (
        f"{quartiles.lower:.2f} / {quartiles.median:.2f} / {quartiles.upper:.2f} (n = {quartiles.n}, {quartiles.venue})"
    )


def _section(heading: str, sentences: Iterable[str]) -> Iterator[str]:
    listed = [f"- {_inline(sentence)}" for sentence in sentences]
    if listed:
        yield from (f"## {heading}", "", *listed, "")


def _findings(findings: Sequence[Finding]) -> Iterator[str]:
    if not findings:
        return
    yield from ("## Findings", "")
    for finding in findings:
        yield f"- {MARKS[finding.severity]}: {_inline(finding.sentence)}{_spans(finding.evidence)}"
        yield from (f"  > {_inline(quote)}" for quote in finding.evidence.quotes)
    yield ""


def _suggestions(suggestions: Sequence[Suggestion]) -> Iterator[str]:
    if not suggestions:
        return
    yield from ("## What to do next", "")
    for one in suggestions:
        yield f"- {MARKS[one.severity]}: {_inline(one.sentence)}"
        yield f"  {_inline(one.source)}: {_inline(one.because)}{_spans(one.evidence)}"
    yield ""


def _spans(evidence: Evidence) -> str:
    listed = ", ".join(f"`{_inline(span)}`" for span in evidence.span_ids)
    return f" (spans {listed})" if listed else ""


def _points(report: RunReport) -> Iterator[str]:
    if not report.found and not report.missed:
        return
    yield from ("## The points of the best covered human reviewer", "")
    for heading, points in (("Found here too", report.found), ("Missed", report.missed)):
        yield f"- {heading}: {len(points)}"
        yield from (f"  > {_inline(point.text)}" for point in points)
    yield ""


def _agents(report: RunReport) -> Iterator[str]:
    if not report.agents:
        return
    yield from ("## What the agents did", "")
    yield "| agent | role | model requests | tools | failed calls | tokens in | tokens out | cost, USD | time, s |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for agent in report.agents:
        calls = ", ".join(f"{_cell(name)} ×{count}" for name, count in agent.calls) or "none"  # noqa: RUF001
        usage = " | ".join(number(None if (own := agent.usage[one]) is None else own.value) for one in USAGE)
        yield (f"| {_cell(agent.name)} | {agent.role} | {agent.requests} | {calls} | {agent.failed_calls} | {usage} |")
    yield ""
    if report.graph is not None:
        yield from (f"- {_inline(sentence)}" for sentence in report.graph.told())
        yield ""


def _tier(heading: str, scores: Sequence[Score]) -> Iterator[str]:
    if not scores:
        return
    yield from (f"## {heading}", "", "| metric | score | by | why |", "|---|---|---|---|")
    for score in scores:
        yield (
            f"| {score.name} | {score_value(score)} | {_cell(score.evaluator)} {_cell(score.version)} "
            f"| {_cell(score.explanation)} |"
        )
        for measure in score.measures:
            yield f"| · {_cell(measure.name)} | {_measure(measure)} | | |"
    yield ""
    yield from part_tables(scores, _cell)


def _measures(measures: Sequence[Measure]) -> Iterator[str]:
    if measures:
        yield from ("## Measures", "", "| measure | value |", "|---|---|")
        yield from (f"| {_cell(measure.name)} | {_measure(measure)} |" for measure in measures)
        yield ""


def _measure(measure: Measure) -> str:
    return _cell(f"{number(measure.value)} {measure.unit}".strip())


def _review(run: Run) -> Iterator[str]:
    if run.output is None:
        return
    yield from ("## The review", "", _inline(run.output.summary), "")
    for heading, points in run.output.parts():
        anchored = ((point.text, f" *({point.anchor})*" if point.anchor else "") for point in points)
        yield from _section(heading, (f"{text}{anchor}" for text, anchor in anchored))


def _cell(text: str) -> str:
    return _inline(text)
