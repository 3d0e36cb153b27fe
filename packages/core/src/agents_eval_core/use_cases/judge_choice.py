"""Who judges: what was asked for, what is set, or, for `auto`, the first of several that can be used."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

from agents_eval_core import registry
from agents_eval_core.certificate import Certificate
from agents_eval_core.data_root import DataRoot
from agents_eval_core.errors import UnreadableError, UsageError
from agents_eval_core.judging import Budget, JudgeLedger, JudgeRules
from agents_eval_core.local_ollama import first_local_model
from agents_eval_core.ports.evaluator import EvaluationContext, Judge
from agents_eval_core.run import System
from agents_eval_core.settings import Settings
from agents_eval_core.store.document import read_document
from agents_eval_core.store.reply_folder import ReplyFolder

AUTO: Final = "auto"
CALLER: Final = "caller"
NAME_CHARACTERS: Final = 80
CALLER_IS_JUDGE: Final = (
    "whoever called judges: take the packet ('agents-eval judge packet RUN') and hand the verdict in "
    "('agents-eval judge accept RUN VERDICT')"
)


class Candidate(NamedTuple):
    """Somebody who may judge: a spec, and which step of the choice it comes from."""

    spec: str
    step: str


def resolve_judge(spec: str | None, settings: Settings, system: System | None = None) -> EvaluationContext:
    """Return what evaluators are handed: the judge, why that one, or why there is none.

    Args:
        spec: What was asked for: `provider`, `provider:model`, a panel `a+b+c`, `auto` or `caller`. None takes the
            settings: `JUDGE_TIER2_PROVIDER`, else `JUDGE_TIER2_FALLBACK_PROVIDER`.
        settings: The judges that are set, the budgets and the rules.
        system: What did the run; its own provider is a step of `auto`.

    `auto` takes the first that can be used of: the judge that is set, the fallback, the run's own provider, a local
    Ollama that answers.

    Raises:
        UsageError: A judge was asked for by name and cannot be used.
    """
    if spec and spec not in (AUTO, CALLER):
        return _context(settings, judges=_judges(spec, "asked for"))
    if spec == CALLER or (spec is None and settings.tier2_provider == CALLER):
        return _context(settings, absence=CALLER_IS_JUDGE)
    is_auto = AUTO in (spec, settings.tier2_provider)
    problems: list[str] = []
    for candidate in _candidates(settings, system, is_auto=is_auto):
        try:
            return _context(settings, judges=_judges(*candidate))
        except UsageError as problem:
            problems.append(f"{candidate.step} cannot be used: {problem}")
    return _context(settings, absence=_absence(problems, is_auto=is_auto))


def certificate_file(root: DataRoot, judge: str, rubric: str) -> Path:
    """Return where the certificate of a judge for a rubric is kept.

    >>> certificate_file(DataRoot(path=Path("root")), "ollama:llama3:8b", "review_quality 1").name
    'ollama-llama3-8b.review_quality-1.json'
    """
    return root.certificates / f"{_plain(judge)}.{_plain(rubric)}.json"


def judge_spec(judge: str | None, provider: str | None, model: str | None) -> str | None:
    """Return the spec that the three options of a command stand for.

    Raises:
        UsageError: They contradict one another.

    >>> judge_spec(None, "ollama", "llama3:8b")
    'ollama:llama3:8b'
    """
    if judge and (provider or model):
        raise UsageError("--judge is short for --judge-provider and --judge-model; give the one or the others")
    if model and not provider:
        raise UsageError(f"--judge-model {model} needs --judge-provider, or give --judge PROVIDER:{model}")
    return judge or (_joined(provider, model) if provider else None)


def _plain(name: str) -> str:
    return re.sub(r"[^\w.]+", "-", name).strip("-.")[:NAME_CHARACTERS]


def _joined(provider: str, model: str | None) -> str:
    return f"{provider}:{model}" if model else provider


def _candidates(settings: Settings, system: System | None, *, is_auto: bool) -> Iterator[Candidate]:
    if settings.tier2_provider not in (None, AUTO, CALLER):
        yield Candidate(
            _joined(settings.tier2_provider or "", settings.tier2_model), "the judge set by JUDGE_TIER2_PROVIDER"
        )
    if settings.tier2_fallback_provider:
        spec = _joined(settings.tier2_fallback_provider, settings.tier2_fallback_model)
        yield Candidate(spec, "the judge set by JUDGE_TIER2_FALLBACK_PROVIDER")
    if not is_auto:
        return
    if system is not None and system.provider and system.has_language_model:
        yield Candidate(_joined(system.provider, system.model), "the run's own provider")
    model = first_local_model()
    if model is not None:
        yield Candidate(f"ollama:{model}", "the local Ollama that answers")


def _judges(spec: str, because: str) -> tuple[Judge, ...]:
    members = [_judge(member.strip(), because) for member in spec.split("+")]
    names = [member.name for member in members]
    if len(set(names)) < len(names):
        raise UsageError(
            f"the panel {spec!r} has a judge twice, which would agree with itself; "
            "name each once, and set JUDGE_REPEATS to ask one judge again"
        )
    return tuple(members)


def _judge(spec: str, because: str) -> Judge:
    name, _, model = spec.partition(":")
    provider = registry.provider(name)
    problem = provider.unavailable_because()
    if problem is not None:
        raise UsageError(f"provider {name!r} cannot be used now: {problem}")
    return Judge(provider=name, model=provider.chat_model(model or None), chosen_because=because)


def _absence(problems: list[str], *, is_auto: bool) -> str:
    if is_auto:
        problems = [*problems, "no local Ollama answers"]
        return f"no judge was found: {'; '.join(problems)}"
    return "; ".join(problems) or "no judge configured"


def _context(settings: Settings, *, judges: tuple[Judge, ...] = (), absence: str = "") -> EvaluationContext:
    root = DataRoot(path=settings.home)
    return EvaluationContext(
        judges=tuple(_certified(judge, root) for judge in judges) if settings.home_is_trusted else judges,
        judge_absence=absence or "no judge configured",
        judge_rules=JudgeRules(
            repeats=settings.judge_repeats,
            rubric=settings.judge_rubric,
            sees_measurements=settings.judge_sees_measurements,
            seconds=settings.tier2_max_seconds,
        ),
        ledger=JudgeLedger(
            Budget(
                usd=settings.judge_cost_budget_usd,
                tokens=settings.judge_token_budget,
                provider_tokens=settings.judge_provider_token_budgets,
            )
        ),
        replies=ReplyFolder(root.replies) if settings.judge_cache and settings.home_is_trusted else None,
    )


def _certified(judge: Judge, root: DataRoot) -> Judge:
    """Return a judge with what is certified of it, by rubric with its version; a damaged certificate is none."""
    found: dict[str, str] = {}
    for file in sorted(root.certificates.glob(f"{_plain(judge.name)}.*.json")):
        try:
            certificate = read_document(file, "certificate", Certificate)
        except UnreadableError:
            continue
        if certificate.judge == judge.name:
            found[certificate.rubric] = certificate.sentence
    return replace(judge, certificates=found)
