"""What `doctor` looks at: Python, packages, data root, store, providers, plug-ins, settings and environment."""

import os
import platform
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from pkgutil import resolve_name
from typing import Final, cast

from agents_eval_cli.views.checks import Check
from agents_eval_core import registry
from agents_eval_core.data_root import DataRoot
from agents_eval_core.errors import AgentsEvalError, SettingsError, UnknownNameError, UsageError
from agents_eval_core.ports.engine import Engine
from agents_eval_core.ports.provider import Provider
from agents_eval_core.registry import BrokenPlugin
from agents_eval_core.settings import Settings, load_settings
from agents_eval_core.settings_in_force import settings_in_force
from agents_eval_core.use_cases.run_list import kept_runs

OLDEST_PYTHON: Final = (3, 11)
PACKAGES: Final = ("core", "agents", "evaluators", "cli", "mcp-server", "dashboard")
NEEDED: Final = frozenset({"core", "agents", "evaluators", "cli"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkup:
    """The checks, and the settings in force by name; without settings where they could not be read."""

    checks: tuple[Check, ...]
    settings: tuple[tuple[str, str], ...]


def checkup(home: Path | None) -> Checkup:
    """Look at everything; nothing is made or changed.

    Args:
        home: The data root that was asked for; None takes the setting.
    """
    general = (_python(), *_packages(), *_plugins(), *_telemetry(), *_engines())
    try:
        settings = load_settings(Path.cwd(), options={"AGENTS_EVAL_HOME": home})
    except SettingsError as problem:
        return Checkup(checks=(*general, Check(name="settings", outcome="wrong", detail=str(problem))), settings=())
    checks = (*general, _data_root(settings), _store(settings), *_providers(settings))
    return Checkup(checks=checks, settings=tuple((each.name, each.value) for each in settings_in_force(settings)))


def _python() -> Check:
    found = platform.python_version()
    is_fit = sys.version_info[:2] >= OLDEST_PYTHON
    needed = ".".join(map(str, OLDEST_PYTHON))
    return Check(name="python", outcome="ok" if is_fit else "wrong", detail=f"{found}; {needed} or newer is needed")


def _packages() -> Iterator[Check]:
    for package in PACKAGES:
        name = f"agents-eval-{package}"
        try:
            yield Check(name=name, outcome="ok", detail=version(name))
        except PackageNotFoundError:
            yield Check(name=name, outcome="wrong" if package in NEEDED else "note", detail="is not installed")


def _data_root(settings: Settings) -> Check:
    home = settings.home.resolve()
    place = next(folder for folder in (home, *home.parents) if folder.exists())
    if not place.is_dir():
        return Check(name="data root", outcome="wrong", detail=f"{place} is a file; set AGENTS_EVAL_HOME or --home")
    try:
        with tempfile.TemporaryFile(dir=place):
            pass
    except OSError as problem:
        detail = f"{place} cannot be written: {problem.strerror}; set AGENTS_EVAL_HOME or --home"
        return Check(name="data root", outcome="wrong", detail=detail)
    return Check(name="data root", outcome="ok", detail=str(home) if place == home else f"{home}, made when needed")


def _store(settings: Settings) -> Check:
    root = DataRoot(path=settings.home)
    if not root.database.exists():
        return Check(name="store", outcome="ok", detail="no run is kept yet")
    try:
        count = len(kept_runs(root))
    except AgentsEvalError as problem:
        return Check(name="store", outcome="wrong", detail=str(problem))
    return Check(name="store", outcome="ok", detail=f"{count} runs in {root.database.name}")


def _providers(settings: Settings) -> Iterator[Check]:
    wanted = {name for name in (settings.provider, settings.tier2_provider) if name}
    for name in sorted(wanted):
        try:
            yield _provider(registry.provider(name))
        except UnknownNameError:
            detail = "is in the settings, but there is no such provider; 'agents-eval providers' lists all"
            yield Check(name=f"provider {name}", outcome="wrong", detail=detail)
        except UsageError:
            continue  # told with the plug-ins


def _provider(provider: Provider) -> Check:
    reason = provider.unavailable_because()
    if reason is not None:
        return Check(name=f"provider {provider.name}", outcome="wrong", detail=reason)
    usable = "can be used" if provider.has_language_model else "can be used (no language model)"
    return Check(name=f"provider {provider.name}", outcome="ok", detail=usable)


def _plugins() -> Iterator[Check]:
    broken = [plugin for group in registry.GROUPS for plugin in _broken(group)]
    for plugin in broken:
        yield Check(name=f"plug-in {plugin.plugin.name}", outcome="wrong", detail=plugin.problem)
    if not broken:
        count = sum(len(registry.plugins(group)) for group in registry.GROUPS)
        yield Check(name="plug-ins", outcome="ok", detail=f"all {count} can be loaded")


def _broken(group: str) -> Iterator[BrokenPlugin]:
    if group not in registry.MADE_WITH_ARGUMENTS:
        yield from (found for found in registry.load_all(group) if isinstance(found, BrokenPlugin))
        return
    for plugin in registry.plugins(group):
        try:
            resolve_name(plugin.target)
        except Exception as problem:  # noqa: BLE001  whatever a foreign package raises while it is imported
            reason = f"{plugin.distribution} cannot be loaded: {type(problem).__name__}: {problem}"
            yield BrokenPlugin(plugin=plugin, problem=f"{reason}; reinstall or remove that package")


def _telemetry() -> Iterator[Check]:
    if os.environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        detail = "is set to true: no run can leave a trace, so none can be reviewed; unset it"
        yield Check(name="OTEL_SDK_DISABLED", outcome="wrong", detail=detail)


def _engines() -> Iterator[Check]:
    for engine in registry.load_all("engines"):
        if not isinstance(engine, BrokenPlugin):
            reason = cast("Engine", engine).unavailable_because()
            yield Check(
                name=f"engine {engine.name}", outcome="note" if reason else "ok", detail=reason or "can be used"
            )
