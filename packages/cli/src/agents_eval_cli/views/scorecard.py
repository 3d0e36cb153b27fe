"""The scorecard: the three tiers side by side, what was measured, and what was not and why."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from agents_eval_cli.views.page import bullets, columns, heading, pairs
from agents_eval_cli.views.score_parts import part_tables
from agents_eval_core.composite import SIX
from agents_eval_core.report.wording import number, score_value, verdict_sentence
from agents_eval_core.run import Resources
from agents_eval_core.score import Finding, Measure, Quartiles, Score, Scorecard, Severity, Tier

TIERS: Final[dict[Tier, str]] = {1: "1 text", 2: "2 judge", 3: "3 behaviour"}
SPANS_SHOWN: Final = 3
MARKS: Final[dict[Severity, tuple[str, str]]] = {
    "critical": ("CRITICAL", "bold red"),
    "warning": ("warning", "yellow"),
    "info": ("note", "dim"),
}


def scorecard_view(scorecard: Scorecard) -> Group:
    """Return the scorecard in short: verdict, tiers, what was not measured and why, findings."""
    return Group(*_short(scorecard))


def full_scorecard_view(scorecard: Scorecard) -> Group:
    """Return the scorecard with what each score rests on."""
    return Group(*_short(scorecard), *_details(scorecard))


def brief_scorecard_view(scorecard: Scorecard) -> Group:
    """Return the composite in a few lines: verdict, which of its metrics were measured, which were not and why."""
    weighed = [score for score in scorecard.scores if score.name in SIX or score.name in scorecard.weights_used]
    measured = [f"{score.name} {score_value(score)}" for score in weighed if score.value is not None]
    absent = [f"{score.name} ({score.explanation})" for score in weighed if score.value is None]
    return Group(
        Text(verdict_sentence(scorecard)),
        pairs(("measured", ", ".join(measured) or "nothing"), ("not measured", ", ".join(absent) or "nothing")),
    )


def no_scorecard_view() -> Text:
    """Return what is said of a run that was not evaluated."""
    return Text("\nNot evaluated: there is no scorecard. 'agents-eval evaluate RUN' makes one.")


def _short(scorecard: Scorecard) -> Iterator[RenderableType]:
    yield Text("")
    yield Text(verdict_sentence(scorecard), style="bold")
    yield Text("")
    yield _tiers(scorecard)
    yield from _listed("Not measured, and why", _absences(scorecard))
    yield from _listed("Why the verdict is no higher", scorecard.caps)
    yield from _listed("Where the tiers disagree", scorecard.tier_agreement)
    if scorecard.findings:
        yield heading("Findings")
        yield from (finding_line(finding) for finding in scorecard.findings)


def _tiers(scorecard: Scorecard) -> Table:
    """Return what was measured and what failed, and of the six metrics all; the rest is listed with its reason."""
    table = columns("metric", *TIERS.values(), "weight", right=frozenset({*TIERS.values(), "weight"}))
    shown = (each for each in scorecard.scores if each.value is not None or each.reason == "failed" or each.name in SIX)
    for score in shown:
        weight = scorecard.weights_used.get(score.name)
        cells = [_cell(score) if score.tier == tier else Text("") for tier in TIERS]
        table.add_row(Text(score.name), *cells, "" if weight is None else f"{weight:.2f}")
    table.add_row(Text("tier", style="bold"), *(_tier_cell(scorecard.tier_scores.get(tier)) for tier in TIERS), "")
    return table


def _cell(score: Score) -> Text:
    words = score_value(score) if score.value is not None else str(score.reason).replace("_", " ")
    return Text(words, style="bold" if score.value is not None else "dim")


def _tier_cell(value: float | None) -> Text:
    return Text("none" if value is None else f"{value:.2f}", style="bold")


def _absences(scorecard: Scorecard) -> tuple[str, ...]:
    """Return why scores are missing, those that miss for the same reason together."""
    alike: defaultdict[str, list[str]] = defaultdict(list)
    for score in scorecard.scores:
        if score.value is None:
            alike[f"({score_value(score)}): {score.explanation}"].append(score.name)
    return tuple(f"{', '.join(names)} {why}" for why, names in alike.items())


def _listed(title: str, sentences: tuple[str, ...]) -> Iterator[RenderableType]:
    if sentences:
        yield heading(title)
        yield bullets(*sentences)


def finding_line(finding: Finding) -> Text:
    """Return a finding as one line, with the spans that show it."""
    word, style = MARKS[finding.severity]
    return Text.assemble((word, style), f": {finding.sentence}", (_spans(finding.evidence.span_ids), "dim"))


def _spans(span_ids: Sequence[str]) -> str:
    if not span_ids:
        return ""
    more = f" and {len(span_ids) - SPANS_SHOWN} more" if len(span_ids) > SPANS_SHOWN else ""
    return f" [{'span' if len(span_ids) == 1 else 'spans'} {', '.join(span_ids[:SPANS_SHOWN])}{more}]"


def _details(scorecard: Scorecard) -> Iterator[RenderableType]:
    measured = [score for score in scorecard.scores if score.value is not None]
    explained = tuple(f"{score.name} {score_value(score)}: {score.explanation}" for score in measured)
    yield from _listed("Measured, and what it rests on", explained)
    yield from part_tables(measured)
    humans = tuple(_human_sentence(name, quartiles) for name, quartiles in scorecard.humans.items())
    yield from _listed("Where human reviewers lie", humans)
    yield from _measures(scorecard.measures)
    took = tuple(_resources(scorecard.resources))
    if took:
        yield heading("What it took")
        yield pairs(*took)


def _measures(measures: Sequence[Measure]) -> Iterator[RenderableType]:
    if not measures:
        return
    yield heading("Measures")
    yield pairs(
        *((each.name, f"{number(each.value)} {each.unit}".strip()) for each in measures if each.value is not None)
    )
    unknown = [each.name for each in measures if each.value is None]
    if unknown:
        yield Text(f"unknown: {', '.join(unknown)}", style="dim")


def _human_sentence(name: str, quartiles: Quartiles) -> str:
    return (
        f"{name}: median {quartiles.median:.2f}, quartiles {quartiles.lower:.2f} to {quartiles.upper:.2f} "
        f"({quartiles.n} reviews of {quartiles.venue})"
    )


def _resources(resources: Resources) -> Iterator[tuple[str, str]]:
    for name in type(resources).model_fields:
        value = getattr(resources, name)
        if value is not None:
            yield name, number(value)
