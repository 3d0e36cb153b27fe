"""From the plan of a sweep to its order: the papers, the systems and the cells, all settled before anything is paid."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from agents_eval_core import registry
from agents_eval_core.errors import AgentsEvalError, PaperError, UnknownNameError, UsageError
from agents_eval_core.evaluation import installed
from agents_eval_core.ports.engine import Engine, EngineOptions
from agents_eval_core.run import System
from agents_eval_core.settings import Settings, by_setting_names
from agents_eval_core.sweep import ALL, Cell, SweepOrder, SweepPlan
from agents_eval_core.use_cases.data_folder import data_folder
from agents_eval_core.use_cases.earlier_runs import EarlierRun, earlier_runs
from agents_eval_core.use_cases.engine_limits import limits_of, patience_of, reading_of
from agents_eval_core.use_cases.judge_choice import resolve_judge
from agents_eval_core.use_cases.run_review import refuse_without_text
from agents_eval_core.use_cases.versions_in_use import versions_in_use


def sweep_plan(config: Path | None, options: Mapping[str, Any]) -> SweepPlan:
    """Return the plan of a configuration file, with what the options say instead.

    Args:
        config: A TOML file with the fields of `SweepPlan`; a dash in a name counts as an underscore.
        options: By the names of the fields; None is not given.

    Raises:
        UsageError: The file cannot be read, or a field is unknown or does not fit.
    """
    given = {name.replace("-", "_"): value for name, value in _read(config).items()} if config else {}
    origin = dict.fromkeys(given, str(config)) | dict.fromkeys(options, "the options")
    given |= {name: value for name, value in options.items() if value is not None}
    given.setdefault("name", f"{datetime.now(UTC):sweep-%Y%m%dT%H%M%SZ}")
    for name in given:
        if name not in SweepPlan.model_fields:
            raise UnknownNameError(f"field of a sweep (in {config})", name, SweepPlan.model_fields)
    try:
        return SweepPlan.model_validate(given)
    except ValidationError as problem:
        first = problem.errors()[0]
        name = str(first["loc"][0])
        raise UsageError(f"{name} (in {origin.get(name)}) is {given.get(name)!r}: {first['msg']}") from problem


def sweep_order(plan: SweepPlan, settings: Settings, *, command: str = "") -> SweepOrder:
    """Return the order of a sweep.

    Raises:
        UsageError: Something asked for does not exist or does not fit; nothing was started.
    """
    resolve_judge(plan.judge, settings)
    papers, left_out = _papers(plan, settings)
    able = tuple(systems(plan, settings))
    _refuse_stop(plan, able)
    return SweepOrder(
        plan=_absolute(plan),
        papers=papers,
        left_out=left_out,
        systems=able,
        settings=by_setting_names(settings),
        command=command,
        versions=versions_in_use(),
        begun_at=datetime.now(UTC),
    )


def systems(plan: SweepPlan, settings: Settings) -> Iterator[System]:
    """Yield what does the work, one for each engine and composition, as it is installed now.

    Where runs made earlier were given, an engine that cannot work here is left to them.
    """
    own: dict[str, tuple[str, ...]] = {}
    for name in plan.engines:
        try:
            engine = registry.engine(name)
            own[name] = engine.compositions
            found = [engine.system(engine_options(plan, settings, engine, one)) for one in _wanted(plan, engine)]
        except UsageError:
            if not plan.cc_artifacts:
                raise
            continue
        yield from found
    known = {composition for compositions in own.values() for composition in compositions}
    strange = set(plan.compositions) - {ALL} - known if len(plan.engines) > 1 else set[str]()
    if strange and not plan.cc_artifacts:
        raise UnknownNameError("composition", min(strange), known)


def _wanted(plan: SweepPlan, engine: Engine) -> Sequence[str]:
    """Return the compositions that an engine is asked for; of several engines, each gets those that it has."""
    if ALL in plan.compositions:
        return engine.compositions
    if len(plan.engines) == 1:
        return plan.compositions
    return [one for one in plan.compositions if one in engine.compositions]


def engine_options(
    plan: SweepPlan, settings: Settings, engine: Engine, composition: str, run_id: str = ""
) -> EngineOptions:
    """Return how an engine is to do a cell."""
    usual = settings.model if plan.provider in (None, settings.provider) else None
    return EngineOptions(
        run_id=run_id,
        composition=composition or None,
        provider=plan.provider or settings.provider,
        model=plan.model if engine.brings_its_own_model else plan.model or usual,
        fallbacks=() if engine.brings_its_own_model else settings.fallbacks,
        patience=patience_of(settings),
        limits=limits_of(settings),
        reading=reading_of(settings),
        web_search=settings.web_search,
        is_streamed=settings.stream,
        critic=plan.critic,
        query=plan.query,
    )


def cells(order: SweepOrder) -> Iterator[Cell]:
    """Yield the cells, paper by paper, so that a sweep that is broken off has compared all systems on some papers.

    A sweep that may stop early finishes each paper with all repetitions before the next; others go through the papers
    once a repetition.

    A run made earlier takes the place of a new one; those of engines that do nothing here come as further cells.
    """
    plan = order.plan
    earlier = earlier_runs(plan.cc_artifacts, frozenset(order.papers))
    own = tuple(system.engine for system in order.systems)
    for paper, repetition in _rounds(order):
        for system in order.systems:
            cell = Cell(
                system=system,
                dataset=plan.dataset,
                paper=paper,
                repetition=repetition,
                critic=plan.critic,
                query=plan.query,
                judge=plan.judge,
            )
            found = _taken(earlier, paper, system)
            yield cell if found is None else cell.changed(system=found.system, made_earlier=found.folder)
    repetitions: dict[tuple[str, str, str], int] = {}
    for run in earlier:
        if run.system.engine in own or (plan.engines and run.system.engine not in plan.engines):
            continue
        place = (run.paper, run.system.engine, run.system.composition)
        repetition = repetitions.get(place, 0)
        repetitions[place] = repetition + 1
        if repetition < plan.repetitions:
            yield Cell(
                system=run.system,
                dataset=plan.dataset,
                paper=run.paper,
                repetition=repetition,
                judge=plan.judge,
                made_earlier=run.folder,
            )


def _rounds(order: SweepOrder) -> Iterator[tuple[str, int]]:
    repetitions = range(order.plan.repetitions)
    if order.plan.stop_when_decided:
        return product(order.papers, repetitions)
    return ((paper, repetition) for repetition, paper in product(repetitions, order.papers))


def _taken(earlier: list[EarlierRun], paper: str, system: System) -> EarlierRun | None:
    for place, run in enumerate(earlier):
        if (run.paper, run.system.engine, run.system.composition) == (paper, system.engine, system.composition):
            return earlier.pop(place)
    return None


def _papers(plan: SweepPlan, settings: Settings) -> tuple[tuple[str, ...], dict[str, str]]:
    dataset, folder = registry.dataset(plan.dataset), data_folder(plan.dataset, plan.data_dir, settings)
    if not isinstance(plan.papers, int):
        for paper in plan.papers:
            refuse_without_text(dataset.case(paper, folder))
        return tuple(dict.fromkeys(plan.papers)), {}
    taken: list[str] = []
    left_out: dict[str, str] = {}
    for entry in dataset.entries(folder):
        if len(taken) == plan.papers:
            break
        try:
            if not entry.usable_references:
                raise PaperError("it has no usable human review")
            refuse_without_text(dataset.case(entry.id, folder))
        except AgentsEvalError as problem:
            left_out[entry.id] = str(problem)
            continue
        taken.append(entry.id)
    if len(taken) < plan.papers:
        raise UsageError(
            f"{plan.papers} papers were asked for, {plan.dataset} has {len(taken)} with a text and a usable human "
            "review; ask for fewer, or name them"
        )
    return tuple(taken), left_out


def _refuse_stop(plan: SweepPlan, able: Sequence[System]) -> None:
    metric = plan.stop_when_decided
    if metric is None:
        if plan.margin is not None:
            raise UsageError("a margin in a sweep says when to stop; name the metric too (--stop-when-decided METRIC)")
        return
    known = {name for evaluator in installed().evaluators for name in evaluator.metrics}
    if metric not in known:
        raise UnknownNameError("metric", metric, known)
    if len(able) < 2:  # noqa: PLR2004  a comparison takes two
        raise UsageError("to stop when it is decided, a sweep needs two systems or more: the first is the baseline")


def _absolute(plan: SweepPlan) -> SweepPlan:
    return plan.changed(
        data_dir=plan.data_dir.resolve() if plan.data_dir else None,
        cc_artifacts=tuple(folder.resolve() for folder in plan.cc_artifacts),
    )


def _read(config: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(config.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        raise UsageError(f"{config} cannot be read as TOML: {problem}; correct it or name another file") from problem
