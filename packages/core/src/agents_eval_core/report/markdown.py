"""The report of one run in Markdown: the verdict and what it rests on, then everything that was measured."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from agents_eval_core.composite import SIX
from agents_eval_core.report.score_parts import part_tables
from agents_eval_core.report.wording import model_name, number, score_value, trace_summary, verdict_sentence
from agents_eval_core.run import Run
from agents_eval_core.score import Finding, Measure, Quartiles, Score, Scorecard

TIERS: Final = {1: "Tier 1: the text", 2: "Tier 2: the judge", 3: "Tier 3: the behaviour"}
MARKS: Final = {"critical": "**Critical**", "warning": "Warning", "info": "Note"}


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkdownView:
    """Renders a run and its scorecard as Markdown."""

    name: str = "markdown"
    suffix: str = ".md"

    def render(self, run: Run, scorecard: Scorecard) -> str:
        """Return the report."""
        return "\n".join(_lines(run, scorecard)) + "\n"


def _lines(run: Run, scorecard: Scorecard) -> Iterator[str]:
    yield f"# {_inline(run.case.paper.title if run.case.paper else run.case.id)}"
    yield ""
    yield f"**{verdict_sentence(scorecard)}**"
    yield ""
    yield from _about(run)
    yield from _six(scorecard)
    yield from _section("Why the verdict is no higher", scorecard.caps)
    yield from _section("Where the tiers disagree", scorecard.tier_agreement)
    yield from _findings(scorecard.findings)
    for tier, heading in TIERS.items():
        yield from _tier(heading, [score for score in scorecard.scores if score.tier == tier])
    yield from _measures(scorecard.measures)
    yield from _what_happened(run)
    yield from _review(run)


def _about(run: Run) -> Iterator[str]:
    yield "| | |"
    yield "|---|---|"
    yield f"| run | `{run.id}` ({run.status}) |"
    yield f"| case | {_cell(run.case.id)} |"
    yield f"| system | {_cell(run.system.engine)} {_cell(run.system.composition)} |"
    yield f"| model | {_cell(model_name(run.system))} |"
    if run.case.paper is not None:
        yield f"| text read | {run.case.paper.text_source} |"
    yield f"| human reviews | {len(run.case.references)} |"
    yield ""
    yield from (f"- {_inline(note)}" for note in run.notes)
    if run.problem is not None:
        yield f"- {run.problem.error_type}: {_inline(run.problem.message)}"


def _six(scorecard: Scorecard) -> Iterator[str]:
    yield "## The composite"
    yield ""
    yield "| metric | score | weight | humans (quartiles) | why |"
    yield "|---|---|---|---|---|"
    names = [*SIX, *(name for name in scorecard.weights_used if name not in SIX)]
    for name in names:
        score = scorecard.score(name)
        weight = scorecard.weights_used.get(name)
        shown = "" if weight is None else f"{weight:.2f}"
        why = score.explanation if score else "nothing measures it"
        yield f"| {name} | {score_value(score)} | {shown} | {_humans(scorecard.humans.get(name))} | {_cell(why)} |"
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
    for finding in sorted(findings, key=lambda finding: list(MARKS).index(finding.severity)):
        spans = f" (spans {', '.join(f'`{span}`' for span in finding.evidence.span_ids)})"
        yield f"- {MARKS[finding.severity]}: {_inline(finding.sentence)}{spans if finding.evidence.span_ids else ''}"
        yield from (f"  > {_inline(quote)}" for quote in finding.evidence.quotes)
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


def _what_happened(run: Run) -> Iterator[str]:
    if run.trace is not None:
        yield from ("## What the agents did", "", *(f"- {_inline(line)}" for line in trace_summary(run.trace)), "")


def _review(run: Run) -> Iterator[str]:
    if run.output is None:
        return
    yield from ("## The review", "", _inline(run.output.summary), "")
    for heading, points in run.output.parts():
        anchored = ((point.text, f" *({point.anchor})*" if point.anchor else "") for point in points)
        yield from _section(heading, (f"{text}{anchor}" for text, anchor in anchored))


def _inline(text: str) -> str:
    """Return text of others on one line, unable to start markup of its own."""
    line = " ".join(text.split())
    for character in "\\`<[|#":
        line = line.replace(character, f"\\{character}")
    return line


def _cell(text: str) -> str:
    return _inline(text)
