"""Plug-ins by name: everything of ours and of others that is declared as an entry point."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any, cast

from agents_eval_core.errors import UnknownNameError, UsageError

if TYPE_CHECKING:
    from agents_eval_core.ports.calibration import Calibration
    from agents_eval_core.ports.dataset import Dataset
    from agents_eval_core.ports.engine import Engine
    from agents_eval_core.ports.evaluator import Evaluator, GroupEvaluator
    from agents_eval_core.ports.executor import Executor
    from agents_eval_core.ports.prompt_set import PromptSet
    from agents_eval_core.ports.provider import Provider, ProviderTable
    from agents_eval_core.ports.store import Store
    from agents_eval_core.ports.trace_format import TraceFormat
    from agents_eval_core.ports.validation import Validation
    from agents_eval_core.ports.view import View

GROUPS = (
    "evaluators",
    "group_evaluators",
    "set_evaluators",
    "formats",
    "datasets",
    "stores",
    "engines",
    "providers",
    "provider_tables",
    "validations",
    "figures",
    "calibrations",
    "views",
    "commands",
    "executors",
    "prompt_sets",
)
"""The groups of entry points, each `agents_eval.<group>`."""
MADE_WITH_ARGUMENTS = frozenset({"stores", "commands", "executors"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugin:
    """A declared plug-in: its group, name, the object's path and the distribution that brings it."""

    group: str
    name: str
    target: str
    distribution: str
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenPlugin:
    """A plug-in that could not be loaded, and why."""

    plugin: Plugin
    problem: str


@cache
def _declared(group: str) -> Mapping[str, EntryPoint]:
    return {entry.name: entry for entry in sorted(entry_points(group=f"agents_eval.{group}"), key=lambda e: e.name)}


def plugins(group: str) -> tuple[Plugin, ...]:
    """Return what is declared in a group, by name, without loading it."""
    return tuple(_plugin(group, entry) for entry in _declared(group).values())


def names(group: str) -> tuple[str, ...]:
    """Return the names declared in a group.

    >>> "mas" in names("engines")
    True
    """
    return tuple(_declared(group))


def load(group: str, name: str) -> Any:
    """Return the plug-in of that name, made with its defaults.

    Raises:
        UnknownNameError: Nothing of that name is declared.
        UsageError: It is declared but cannot be loaded.
        ValueError: The plug-ins of that group are not made without arguments.
    """
    if group in MADE_WITH_ARGUMENTS:
        raise ValueError(f"{group} are made with arguments: ask for one by its own function")
    entry = _entry(group, name)
    try:
        return entry.load()()
    except Exception as problem:
        where = _plugin(group, entry)
        raise UsageError(
            f"{group.rstrip('s')} {name!r} of {where.distribution} cannot be loaded: "
            f"{type(problem).__name__}: {problem}; reinstall or remove that package"
        ) from problem


def load_all(group: str) -> Iterator[Any]:
    """Yield every plug-in of a group that loads, and a `BrokenPlugin` for each that does not."""
    for name, entry in _declared(group).items():
        try:
            yield load(group, name)
        except UsageError as problem:
            yield BrokenPlugin(plugin=_plugin(group, entry), problem=str(problem))


def evaluators() -> "Iterator[Evaluator | BrokenPlugin]":
    """Yield the evaluators, those that cannot be loaded as what is wrong with them."""
    return load_all("evaluators")


def group_evaluators() -> "Iterator[GroupEvaluator | BrokenPlugin]":
    """Yield the metrics across runs, those that cannot be loaded as what is wrong with them."""
    return load_all("group_evaluators")


def set_evaluators() -> "Iterator[GroupEvaluator | BrokenPlugin]":
    """Yield the metrics across runs of several tasks, those that cannot be loaded as what is wrong with them."""
    return load_all("set_evaluators")


def engine(name: str) -> "Engine":
    """Return an engine."""
    return cast("Engine", load("engines", name))


def provider_names() -> tuple[str, ...]:
    """Return the names of all providers: those declared one by one, then those of tables.

    >>> {"offline", "openai"} <= set(provider_names())
    True
    """
    return (*names("providers"), *(name for table in _provider_tables() for name in table.names))


def provider(name: str) -> "Provider":
    """Return a provider, by its name or an alias of it.

    Raises:
        UnknownNameError: There is none of that name.
        UsageError: It is declared but cannot be loaded.
    """
    if name in _declared("providers"):
        return cast("Provider", load("providers", name))
    for table in _provider_tables():
        own = table.aliases.get(name, name)
        if own in table.names:
            return table.provider(own)
    raise UnknownNameError("provider", name, provider_names(), hint="'agents-eval providers' lists all")


def provider_aliases(name: str) -> tuple[str, ...]:
    """Return what else a provider is called.

    >>> provider_aliases("google")
    ('gemini',)
    """
    pairs = [pair for table in _provider_tables() for pair in table.aliases.items()]
    return tuple(alias for alias, own in pairs if own == name)


def _provider_tables() -> "Iterator[ProviderTable]":
    return (table for table in load_all("provider_tables") if not isinstance(table, BrokenPlugin))


def dataset(name: str) -> "Dataset":
    """Return a dataset."""
    return cast("Dataset", load("datasets", name))


def trace_format(name: str) -> "TraceFormat":
    """Return a trace format."""
    return cast("TraceFormat", load("formats", name))


def prompt_set(name: str) -> "PromptSet":
    """Return a set of prompts or rubrics."""
    return cast("PromptSet", load("prompt_sets", name))


def validation(name: str) -> "Validation":
    """Return a validation."""
    return cast("Validation", load("validations", name))


def calibration(name: str) -> "Calibration":
    """Return a calibration."""
    return cast("Calibration", load("calibrations", name))


def view(name: str) -> "View":
    """Return a view."""
    return cast("View", load("views", name))


def store(name: str, location: Any) -> "Store":
    """Return a store opened at a location.

    Raises:
        UnknownNameError: Nothing of that name is declared.
    """
    return cast("Store", _entry("stores", name).load()(location))


def executor(name: str, *, workers: int, address: str | None = None) -> "Executor":
    """Return an executor.

    Args:
        name: `asyncio`, `processes`, `dask`, or one that another package declares.
        workers: How much is done at once.
        address: Of a scheduler that is there already.

    Raises:
        UnknownNameError: Nothing of that name is declared.
        UsageError: It cannot be used here.
    """
    return cast("Executor", _entry("executors", name).load()(workers=workers, address=address))


def _entry(group: str, name: str) -> EntryPoint:
    declared = _declared(group)
    if name not in declared:
        raise UnknownNameError(group.rstrip("s"), name, declared, hint="'agents-eval plugins' lists all")
    return declared[name]


def _plugin(group: str, entry: EntryPoint) -> Plugin:
    return Plugin(
        group=group,
        name=entry.name,
        target=entry.value,
        distribution=entry.dist.name if entry.dist else "?",
        version=entry.dist.version if entry.dist else "?",
    )
