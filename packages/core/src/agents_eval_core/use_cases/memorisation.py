"""How often models repeat the human reviews they are held against, beside how often humans repeat one another."""

from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import UTC, datetime
from math import fsum
from typing import Final

from agents_eval_core.case import Case
from agents_eval_core.data_root import DataRoot
from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.evaluation import evaluate
from agents_eval_core.memorisation import MUCH, Memorisation, Repetition
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run, RunRecord, System
from agents_eval_core.score import Range, Scorecard
from agents_eval_core.settings import Settings
from agents_eval_core.statistics.pass_rates import share_over_papers
from agents_eval_core.store.run_directory import RunDirectory

MEASURE: Final = "words_of_a_reference"
SEVERAL: Final = 2


async def memorisation(records: Sequence[RunRecord], *, settings: Settings) -> Memorisation:
    """Return how often models repeat human reviews, by model, with the humans of the same papers beside them.

    A share well above the humans' says that reviews reached the model: through a tool, or in its training. One near
    theirs says little: a model may know a review and put it in its own words.
    """
    root = DataRoot(path=settings.home)
    found: defaultdict[str, list[tuple[str, float]]] = defaultdict(list)
    cases: dict[str, Case] = {}
    for record in records:
        directory = RunDirectory.open(root.path / record.directory)
        run, card = directory.read_run(with_trace=False), directory.read_scorecard()
        value = _words(card)
        if value is None or not run.system.has_language_model:
            continue
        cases[run.case.id] = run.case
        found[f"{run.system.provider or run.system.engine}:{run.system.model or 'unnamed'}"].append(
            (run.case.id, value)
        )
    humans = [held async for held in _humans(tuple(cases.values()), settings)]
    models = sorted((_repetition(author, shares) for author, shares in found.items()), key=lambda row: -row.share)
    return Memorisation(
        models=tuple(models),
        humans=_repetition("humans", humans) if humans else None,
        left_out=len(records) - sum(map(len, found.values())),
    )


async def _humans(cases: Sequence[Case], settings: Settings) -> AsyncIterator[tuple[str, float]]:
    for run in (run for case in cases for run in _held_against_others(case)):
        card = await evaluate(run, settings=settings, context=EvaluationContext(), tiers=(1,))
        value = _words(card)
        if value is not None:
            yield run.case.id, value


def _held_against_others(case: Case) -> Iterator[Run]:
    for own in case.references if len(case.references) >= SEVERAL else ():
        others = tuple(each for each in case.references if each.id != own.id)
        yield Run(
            id=f"human-{own.id}",
            status="complete",
            case=case.changed(references=others),
            system=System(engine="human"),
            output_text=own.text,
            created_at=datetime.now(UTC),
        )


def _words(card: Scorecard | None) -> float | None:
    value = next((each.value for each in card.measures if each.name == MEASURE), None) if card is not None else None
    return float(value) if isinstance(value, int | float) else None


def _repetition(author: str, shares: Sequence[tuple[str, float]]) -> Repetition:
    of_paper: defaultdict[str, list[bool]] = defaultdict(list)
    for paper, value in shares:
        of_paper[paper].append(value >= MUCH)
    means = [sum(each) / len(each) for each in of_paper.values()]
    try:
        estimate = share_over_papers(means)
        interval = Range(low=estimate.low, high=estimate.high)
    except UndefinedMetricError:
        interval = None
    values = [value for _, value in shares]
    return Repetition(
        author=author,
        reviews=len(values),
        papers=len(of_paper),
        near=sum(value >= MUCH for value in values),
        share=fsum(means) / len(means),
        interval=interval,
        words=fsum(values) / len(values),
        most=max(values),
    )
