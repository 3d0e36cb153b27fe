"""The figures of docs/metrics.md that `agents-eval validate` does not give, written to docs/proof/metrics.md."""

import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from math import sqrt
from pathlib import Path
from statistics import median, quantiles

import pytest

from agents_eval_core import registry
from agents_eval_core.case import Case
from agents_eval_core.errors import PaperError
from agents_eval_core.evaluation import evaluate
from agents_eval_core.paper import Paper
from agents_eval_core.ports.engine import EngineOptions
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.score import Scorecard
from agents_eval_core.settings import Settings
from agents_eval_evaluators.calibration.agreement_table import shipped_table
from agents_eval_evaluators.text.output_similarity import output_similarity
from agents_eval_evaluators.text.task_success import task_success, text_duties
from agents_eval_evaluators.text.words import words
from agents_eval_evaluators.validity.ranks import rank_correlation

PAGE = Path(__file__).parents[2] / "docs" / "proof" / "metrics.md"
VENUES = {"iclr_2017": 3, "neurips_2025": 1}  # every how many-th paper the baseline reviews
TEMPLATE = """The paper {title} is well written and tackles an important problem. The idea is interesting. However, the
novelty is limited because similar ideas exist. The experiments should include more baselines. Could the authors explain
the choice of parameters? Please discuss the limitations. I recommend to accept the paper."""
VERB = re.compile(r"\b(is|are|was|were|does|do|did|can|could|should|has|have)\b")
PAGE_TEXT = """# Figures behind docs/metrics.md

Written by `make proof` ({file}) on {day}.

## Known answers

How often the first human review of a paper lies strictly above a text that should lose; the {count} papers of ICLR 2017
with three or more reviews. Share with Wilson's interval at 95 %, and the share of ties.

| metric | against | won | tied |
|---|---|---|---|
{answers}

## Length

Rank correlation (Spearman) of a human review's score with its number of words, ICLR 2017; interval at 95 % by bootstrap
over papers.

| metric | correlation | interval | reviews |
|---|---|---|---|
{length}

## The offline baseline

The provider without a language model, which every language model should beat. Lower quartile / median / upper quartile.

| venue | composition | papers | similarity | success | tools | coordination | composite | verdicts |
|---|---|---|---|---|---|---|---|---|
{baseline}
"""
Metric = Callable[[str, Case], float]


def usable_cases(peerread: Path, venue: str) -> list[Case]:
    dataset = registry.dataset("peerread")
    found: list[Case] = []
    for file in sorted((peerread / venue).glob("*/reviews/*.json")):
        try:
            found.append(dataset.case(f"{venue}/{file.stem}", peerread))
        except PaperError:
            continue
    return found


def paper_of(case: Case) -> Paper:
    assert case.paper is not None
    return case.paper


def shuffled(text: str) -> str:
    said = text.split()
    random.Random(20170424).shuffle(said)  # noqa: S311  no secret
    return " ".join(said)


def similarity(text: str, case: Case) -> float:
    others = [review.text for review in case.references[1:]]
    return output_similarity(text, case.paper, others, shipped_table(case.venue))


def success(text: str, case: Case) -> float:
    return task_success(text_duties(text, paper_of(case), shipped_table(case.venue).words, has_rating=True))


def losers(case: Case, other: Case) -> dict[str, str]:
    """Return texts that a human review should lie above, by what they are."""
    human = case.references[0].text
    return {
        "a review of another paper": other.references[0].text,
        "a template with the paper's title": TEMPLATE.format(title=paper_of(case).title),
        "gibberish": "Qua frobnik zzyx wlop dasherit tomo kelp runtle vexos. " * 12,
        "the paper's own abstract": paper_of(case).abstract,
        "itself with its verbs negated": VERB.sub(r"\1 not", human),
        "its own words in random order": shuffled(human),
        "nothing at all": "",
    }


def wilson(won: int, count: int) -> str:
    share, z = won / count, 1.96
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z * sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return f"{100 * share:.1f} % ({100 * max(0, middle - half):.1f} to {100 * min(1, middle + half):.1f} %)"


def known_answers(cases: Sequence[Case]) -> list[str]:
    won: Counter[tuple[str, str]] = Counter()
    tied: Counter[tuple[str, str]] = Counter()
    metrics: dict[str, Metric] = {"output_similarity": similarity, "task_success": success}
    pairs = list(pairwise([*cases, cases[0]]))
    for case, other in pairs:
        for name, metric in metrics.items():
            human = metric(case.references[0].text, case)
            for what, text in losers(case, other).items():
                value = metric(text, case)
                won[name, what] += human > value
                tied[name, what] += human == value
    return [
        f"| `{name}` | {what} | {wilson(won[name, what], len(pairs))} | {100 * tied[name, what] / len(pairs):.0f} % |"
        for name in metrics
        for what in losers(cases[0], cases[1])
    ]


def length_row(cases: Sequence[Case]) -> str:
    graded = [[(success(review.text, case), len(words(review.text))) for review in case.references] for case in cases]

    def correlation(papers: Sequence[Sequence[tuple[float, int]]]) -> float:
        flat = [pair for paper in papers for pair in paper]
        return rank_correlation([score for score, _ in flat], [length for _, length in flat])

    draw = random.Random(20170424)  # noqa: S311  no secret
    cuts = quantiles([correlation(draw.choices(graded, k=len(graded))) for _ in range(400)], n=40)
    reviews = sum(map(len, graded))
    return f"| `task_success` | {correlation(graded):.2f} | {cuts[0]:.2f} to {cuts[-1]:.2f} | {reviews} |"


async def reviewed(cases: Sequence[Case], composition: str) -> list[Scorecard]:
    cards: list[Scorecard] = []
    for case in cases:
        options = EngineOptions(run_id=case.id, composition=composition)
        run = (await registry.engine("mas").run(case.for_agents(), options)).run.changed(case=case)
        cards.append(await evaluate(run, settings=Settings(), context=EvaluationContext()))
    return cards


def baseline_row(venue: str, composition: str, cards: Sequence[Scorecard]) -> str:
    def spread(values: Sequence[float | None]) -> str:
        known = [value for value in values if value is not None]
        cuts = quantiles(known, n=4, method="inclusive") if len(known) > 1 else []
        return " / ".join(f"{cut:.2f}" for cut in cuts) or "none"

    def values(name: str) -> list[float | None]:
        return [score.value if (score := card.score(name)) is not None else None for card in cards]

    names = ("output_similarity", "task_success", "tool_efficiency", "coordination_quality")
    verdicts = ", ".join(f"{count} {verdict}" for verdict, count in Counter(card.verdict for card in cards).items())
    parts = (*(spread(values(name)) for name in names), spread([card.composite for card in cards]), verdicts)
    return f"| {venue} | {composition} | {len(cards)} | {' | '.join(parts)} |"


@pytest.mark.proof
async def test_the_figures_of_the_metrics(peerread: Path) -> None:
    cases = {venue: usable_cases(peerread, venue) for venue in VENUES}
    answers = known_answers([case for case in cases["iclr_2017"] if len(case.references) > 2])
    rows: list[str] = []
    for venue, step in VENUES.items():
        for composition in ("manager", "full"):
            cards = await reviewed(cases[venue][::step], composition)
            assert median(card.coverage for card in cards) < 1
            rows.append(baseline_row(venue, composition, cards))
    count = sum(len(case.references) > 2 for case in cases["iclr_2017"])
    found = PAGE_TEXT.format(
        file=Path(__file__).name,
        day=f"{datetime.now(UTC):%Y-%m-%d}",
        count=count,
        answers="\n".join(answers),
        length=length_row(cases["iclr_2017"]),
        baseline="\n".join(rows),
    )
    PAGE.write_text(found, encoding="utf-8")
