"""Hold a judge against a small labelled set, and write its certificate."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from math import fsum, log2
from pathlib import Path
from typing import Final

from agents_eval_core import registry
from agents_eval_core.certificate import Certificate, Figure
from agents_eval_core.data_root import DataRoot
from agents_eval_core.errors import RunFailedError, UndefinedMetricError, UsageError
from agents_eval_core.label_file import LabelledText, read_labels
from agents_eval_core.ports.evaluator import EvaluationContext, Evaluator
from agents_eval_core.run import Run, System
from agents_eval_core.score import Score
from agents_eval_core.settings import Settings
from agents_eval_core.statistics.prediction_powered import plain_mean, prediction_powered_mean
from agents_eval_core.statistics.reliability import weighted_kappa
from agents_eval_core.statistics.slope import slope
from agents_eval_core.store.document import write_document
from agents_eval_core.use_cases.judge_choice import certificate_file, resolve_judge

LEVELS: Final = 5
EVALUATOR: Final = "judged_quality"
PEER_REVIEW: Final = "peer_review"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedText:
    """A labelled text with what the judge says of it; no value where it gave no usable answer.

    Attributes:
        shares: Its grades by criterion, from 0 to 1.
        figures: What else was found out while asking: flip rate, quotations, agreement, cost.
    """

    text: LabelledText
    value: float | None
    shares: Mapping[str, float] = field(default_factory=dict[str, float])
    figures: Mapping[str, float] = field(default_factory=dict[str, float])
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Certified:
    """A certificate, the judged texts, and where it is kept."""

    certificate: Certificate
    judged: tuple[JudgedText, ...]
    file: Path


async def certify_judge(
    labels: Path,
    *,
    settings: Settings,
    judge: str | None = None,
    rubric: str | None = None,
    repeats: int | None = None,
    on_progress: Callable[[str], None] = lambda _: None,
) -> Certified:
    """Return what a labelled set shows about a judge, and keep it under the data root.

    Args:
        labels: A file of `LabelledText`s. Those with a label must have been drawn at random from all.
        settings: Budgets, data root, and the judge that is set.
        judge: Who is to be certified; default is the setting.
        rubric: What is asked; default is the setting, else the rubric of the task.
        repeats: How often each text is judged, so that the flip rate is known; default is the setting.
        on_progress: Is told what is done.

    Raises:
        UsageError: There is no judge, or the labels cannot be used.
        UnreadableError: The labels or the rubric do not have their form.
        RunFailedError: The judge gave no usable answer at all.
    """
    texts = read_labels(labels)
    if rubric is None and settings.judge_rubric is None and len({text.task == PEER_REVIEW for text in texts}) > 1:
        raise UsageError(f"{labels} mixes reviews with other tasks, which have another rubric; give one with --rubric")
    context = resolve_judge(judge, settings)
    if not context.judges:
        raise UsageError(f"there is no judge to certify: {context.judge_absence}; name one with --judge")
    rules = context.judge_rules
    rules = replace(rules, rubric=rubric or rules.rubric, repeats=repeats or rules.repeats)
    context = replace(context, judge_rules=rules)
    evaluator: Evaluator = registry.load("evaluators", EVALUATOR)
    judged: list[JudgedText] = []
    for number, text in enumerate(texts, start=1):
        judged.append(await _judged(evaluator, text, context))
        on_progress(f"{number} of {len(texts)} texts judged")
    asked = {exchange.rubric for exchange in context.ledger.exchanges}
    if all(one.value is None for one in judged):
        raise RunFailedError(f"the judge graded none of {len(texts)} texts: {judged[0].problem}")
    certificate = certificate_of(
        judged,
        judge="+".join(member.name for member in context.judges),
        rubric="+".join(sorted(asked)),
        labels=_digest(texts),
        repeats=rules.repeats,
    )
    file = certificate_file(DataRoot(path=settings.home), certificate.judge, certificate.rubric)
    file.parent.mkdir(parents=True, exist_ok=True)
    write_document(file, "certificate", certificate)
    return Certified(certificate=certificate, judged=tuple(judged), file=file)


def certificate_of(
    judged: Sequence[JudgedText], *, judge: str, rubric: str, labels: str = "", repeats: int = 1
) -> Certificate:
    """Return what the judged texts show. Those that the judge gave no value count as failures and nowhere else."""
    graded = [(one.text, one.value, one) for one in judged if one.value is not None]
    pairs = [(text.label, value) for text, value, _ in graded if text.label is not None]
    people, machine = [label for label, _ in pairs], [value for _, value in pairs]
    rest = [value for text, value, _ in graded if text.label is None]
    problems: list[str] = []

    def found(what: str, figure: Callable[[], Figure]) -> Figure | None:
        try:
            return figure()
        except UndefinedMetricError as problem:
            problems.append(f"{what}: {problem}")
            return None

    differences = [value - label for label, value in pairs]
    labelled = [(text, value, text.label) for text, value, _ in graded if text.label is not None]
    lengths = [log2(max(1, len(text.text.split()))) for text, _, _ in labelled]
    figures = [one.figures for _, _, one in graded]
    return Certificate(
        judge=judge,
        rubric=rubric,
        labels=labels,
        at=datetime.now(UTC),
        items=len(judged),
        labelled=len(pairs),
        failures=len(judged) - len(graded),
        kappa=found("kappa", lambda: _kappa(_levels(people), _levels(machine), LEVELS)),
        criterion_kappas=dict(_criterion_kappas([one for _, _, one in graded])),
        bias=found("bias", lambda: _mean(differences)),
        naive_mean=found("naive mean", lambda: _mean([value for _, value, _ in graded])),
        labels_mean=found("mean of the labels", lambda: _mean(people)),
        corrected_mean=found("corrected mean", lambda: _corrected(people, machine, rest)),
        length_slope=found("length slope", lambda: _slope(lengths, differences)),
        flip_rate=_average(figures, "flip_rate"),
        repeats=repeats,
        majority_share=_average(figures, "majority_share"),
        alpha=_average(figures, "krippendorff_alpha"),
        quotes_dropped=_share(figures, "quotes_dropped", "quotes_given"),
        input_tokens=_whole(_total(figures, "judge_input_tokens")),
        output_tokens=_whole(_total(figures, "judge_output_tokens")),
        cost_usd=_total(figures, "judge_cost_usd"),
        problems=tuple(problems),
    )


def _digest(texts: Sequence[LabelledText]) -> str:
    return hashlib.sha256("\n".join(text.model_dump_json() for text in texts).encode()).hexdigest()[:12]


async def _judged(evaluator: Evaluator, text: LabelledText, context: EvaluationContext) -> JudgedText:
    run = Run(
        id=text.id,
        status="complete",
        case=text.case,
        system=System(engine="labels"),
        output_text=text.text,
        created_at=datetime.now(UTC),
    )
    evaluation = await evaluator.evaluate(run, context)
    score: Score = next(score for score in evaluation.scores if score.name == EVALUATOR)
    numbers = {one.name: float(one.value) for one in score.measures if isinstance(one.value, int | float)}
    return JudgedText(
        text=text,
        value=score.value,
        shares={name.partition(".")[2]: value for name, value in numbers.items() if "." in name},
        figures={name: value for name, value in numbers.items() if "." not in name},
        problem=score.explanation if score.value is None else "",
    )


def _levels(values: Sequence[float]) -> list[int]:
    return [round(value * (LEVELS - 1)) for value in values]


def _kappa(people: Sequence[int], machine: Sequence[int], levels: int) -> Figure:
    kappa = weighted_kappa(people, machine, levels=levels)
    return Figure(value=kappa.value, low=kappa.low, high=kappa.high, n=kappa.n)


def _criterion_kappas(judged: Sequence[JudgedText]) -> Iterator[tuple[str, Figure]]:
    for name in sorted({name for one in judged for name in one.text.levels}):
        both = [
            (one.text.levels[name], one.shares[name]) for one in judged if name in one.text.levels.keys() & one.shares
        ]
        try:
            yield name, _kappa([level - 1 for level, _ in both], _levels([share for _, share in both]), LEVELS)
        except (UndefinedMetricError, IndexError):
            continue


def _mean(values: Sequence[float]) -> Figure:
    mean = plain_mean(values)
    return Figure(value=mean.mean, low=mean.low, high=mean.high, n=len(values))


def _corrected(people: Sequence[float], machine: Sequence[float], rest: Sequence[float]) -> Figure:
    mean = prediction_powered_mean(people, machine, rest)
    return Figure(value=mean.mean, low=mean.low, high=mean.high, n=mean.labelled + mean.unlabelled)


def _slope(lengths: Sequence[float], differences: Sequence[float]) -> Figure:
    line = slope(lengths, differences)
    return Figure(value=line.value, low=line.low, high=line.high, n=line.n)


def _average(figures: Sequence[Mapping[str, float]], name: str) -> float | None:
    known = [one[name] for one in figures if name in one]
    return fsum(known) / len(known) if known else None


def _share(figures: Sequence[Mapping[str, float]], part: str, whole: str) -> float | None:
    total = fsum(one.get(whole, 0.0) for one in figures)
    return fsum(one.get(part, 0.0) for one in figures) / total if total else None


def _total(figures: Sequence[Mapping[str, float]], name: str) -> float | None:
    known = [one[name] for one in figures if name in one]
    return fsum(known) if known and len(known) == len(figures) else None


def _whole(value: float | None) -> int | None:
    return None if value is None else round(value)
