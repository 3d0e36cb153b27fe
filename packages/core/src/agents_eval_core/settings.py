"""Settings: what the user always wants, from `.env`, `agents-eval.toml`, the environment and options."""

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlsplit

from pydantic import Field, ValidationError, field_validator

from agents_eval_core.composite import EQUAL_WEIGHTS, Thresholds
from agents_eval_core.errors import SettingsError
from agents_eval_core.frozen import Frozen
from agents_eval_core.ports.engine import WebSearch
from agents_eval_core.score import Tier

FILE_NAME: Final = "agents-eval.toml"
WEIGHT_PREFIX: Final = "JUDGE_WEIGHT_"
PREFIXES: Final = ("AGENTS_EVAL_", "JUDGE_", "AGENT_TOKEN_LIMIT")
BASE_URL: Final = re.compile(r"https?://[^\s/?#@]+(/[^\s?#@]*)?", re.IGNORECASE)
READ_ELSEWHERE: Final = frozenset({"AGENTS_EVAL_MCP_TOKEN", "AGENTS_EVAL_TEST_DATA"})
Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=1)]
Budgeted = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Tokens = Annotated[int, Field(ge=0)]
Repeats = Annotated[int, Field(ge=1, le=20)]
LongPaper = Literal["parts", "truncate"]
Weight = Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)]


def _setting(name: str, default: Any, description: str) -> Any:
    return Field(default=default, validation_alias=name, description=description)


def _has_possible_port(url: str) -> bool:
    try:
        return urlsplit(url).port != 0
    except ValueError:
        return False


class Settings(Frozen):
    """All settings; each field's alias is its name in the environment."""

    home: Path = _setting("AGENTS_EVAL_HOME", Path("_Agents-eval"), "the data root: runs, store, datasets")
    home_is_trusted: bool = _setting(
        "AGENTS_EVAL_TRUST_HOME", True, "let tables, judges' answers and certificates of the data root count"
    )
    data_dir: Path | None = _setting("AGENTS_EVAL_DATA_DIR", None, "where the venues of PeerRead lie")
    provider: str = _setting("AGENTS_EVAL_PROVIDER", "offline", "where the agents' model comes from")
    model: str | None = _setting("AGENTS_EVAL_MODEL", None, "the agents' model; default is the provider's")
    fallbacks: tuple[str, ...] = _setting("AGENTS_EVAL_FALLBACKS", (), "models that take over, as provider:model,…")
    attempts: Count = _setting("AGENTS_EVAL_ATTEMPTS", 5, "how often a provider is asked the same at most")
    longest_wait_seconds: Seconds = _setting(
        "AGENTS_EVAL_LONGEST_WAIT_SECONDS", 60.0, "a provider that wants a longer wait is not waited for"
    )
    requests_at_once: Count | None = _setting(
        "AGENTS_EVAL_REQUESTS_AT_ONCE", None, "requests open at a time; default is the provider's"
    )
    requests_per_minute: Seconds | None = _setting(
        "AGENTS_EVAL_REQUESTS_PER_MINUTE", None, "requests to a provider a minute; default is no limit"
    )
    token_limit: Count | None = _setting("AGENT_TOKEN_LIMIT", None, "tokens a run may take; default is the provider's")
    request_limit: Count | None = _setting(
        "AGENTS_EVAL_REQUEST_LIMIT", None, "model requests of a run; default is the engine's"
    )
    cost_limit_usd: Seconds | None = _setting("AGENTS_EVAL_COST_LIMIT_USD", None, "what a run's models may cost")
    time_limit_seconds: Seconds | None = _setting("AGENTS_EVAL_TIME_LIMIT_SECONDS", None, "how long a run may take")
    context_tokens: Count | None = _setting(
        "AGENTS_EVAL_CONTEXT_TOKENS", None, "tokens the model reads at once; default is what is known of it"
    )
    long_paper: LongPaper = _setting(
        "AGENTS_EVAL_LONG_PAPER", "parts", "a paper longer than that is read in parts, or cut: truncate"
    )
    stream: bool = _setting("AGENTS_EVAL_STREAM", True, "take answers as they come, so that progress shows them")
    web_search: WebSearch = _setting(
        "AGENTS_EVAL_WEB_SEARCH", "off", "who reads may search the web: off, auto, duckduckgo, tavily"
    )
    tiers_enabled: tuple[Tier, ...] = _setting("JUDGE_TIERS_ENABLED", (1, 2, 3), "the tiers to measure, as 1,2,3")
    tier1_max_seconds: Seconds = _setting("JUDGE_TIER1_MAX_SECONDS", 15.0, "time limit of the text metrics")
    tier2_max_seconds: Seconds = _setting("JUDGE_TIER2_MAX_SECONDS", 60.0, "time limit of the judge")
    tier3_max_seconds: Seconds = _setting("JUDGE_TIER3_MAX_SECONDS", 15.0, "time limit of the behaviour metrics")
    total_max_seconds: Seconds = _setting("JUDGE_TOTAL_MAX_SECONDS", 120.0, "time limit of an evaluation")
    tier2_provider: str | None = _setting("JUDGE_TIER2_PROVIDER", None, "who judges: provider, panel a+b+c, or auto")
    tier2_model: str | None = _setting("JUDGE_TIER2_MODEL", None, "the judge's model; default is the provider's")
    tier2_fallback_provider: str | None = _setting(
        "JUDGE_TIER2_FALLBACK_PROVIDER", None, "who judges where that one cannot be used"
    )
    tier2_fallback_model: str | None = _setting("JUDGE_TIER2_FALLBACK_MODEL", None, "the fallback's model")
    judge_rubric: str | None = _setting("JUDGE_RUBRIC", None, "rubric for the output: a shipped one or a TOML file")
    judge_repeats: Repeats = _setting("JUDGE_REPEATS", 1, "how often each question is put to each judge")
    judge_sees_measurements: bool = _setting("JUDGE_SEES_MEASUREMENTS", False, "show the judge what tier 1 measured")
    judge_cost_budget_usd: Budgeted | None = _setting("JUDGE_COST_BUDGET_USD", None, "most that judging a run may cost")
    judge_token_budget: Tokens | None = _setting("JUDGE_TOKEN_BUDGET", None, "most tokens that judging a run may take")
    judge_provider_token_budgets: dict[str, Tokens] = _setting(
        "JUDGE_PROVIDER_TOKEN_BUDGETS", {}, "the same by provider, as groq=20000,openai=50000"
    )
    judge_cache: bool = _setting("JUDGE_CACHE", True, "use a judge's answer to the same question again")
    accept_threshold: Share = _setting("JUDGE_COMPOSITE_ACCEPT_THRESHOLD", 0.8, "composite from which a run is accept")
    weak_accept_threshold: Share = _setting("JUDGE_COMPOSITE_WEAK_ACCEPT_THRESHOLD", 0.6, "… weak_accept")
    weak_reject_threshold: Share = _setting("JUDGE_COMPOSITE_WEAK_REJECT_THRESHOLD", 0.4, "… weak_reject; else reject")
    trace_collection: bool = _setting("JUDGE_TRACE_COLLECTION", True, "keep the trace; without it no tier 3, no viewer")
    phoenix_endpoint: str | None = _setting("JUDGE_PHOENIX_ENDPOINT", None, "base URL of a Phoenix that shows traces")
    logfire_enabled: bool = _setting("JUDGE_LOGFIRE_ENABLED", False, "show traces in Logfire as well")
    semantic_model: Path | None = _setting("AGENTS_EVAL_SEMANTIC_MODEL", None, "folder of a static embedding model")
    weights: dict[str, Weight] = Field(
        default=dict(EQUAL_WEIGHTS),
        description="relative weight of a metric, as JUDGE_WEIGHT_<METRIC>; default 1",
    )

    @field_validator("tiers_enabled", mode="before")
    @classmethod
    def _split(cls, value: Any) -> Any:
        return tuple(int(part) for part in value.split(",") if part.strip()) if isinstance(value, str) else value

    @field_validator("fallbacks", mode="before")
    @classmethod
    def _split_names(cls, value: Any) -> Any:
        return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value

    @field_validator("judge_provider_token_budgets", mode="before")
    @classmethod
    def _pairs(cls, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        pairs = [part.partition("=") for part in value.split(",") if part.strip()]
        if not all(sign for _, sign, _ in pairs):
            raise ValueError("not provider=tokens pairs; give some such as groq=20000,openai=50000")
        return {name.strip(): tokens.strip() for name, _, tokens in pairs}

    @field_validator("phoenix_endpoint")
    @classmethod
    def _base_url(cls, value: str | None) -> str | None:
        if value is None:
            return None
        if not BASE_URL.fullmatch(value) or not _has_possible_port(value):
            raise ValueError("not the base URL of a viewer; give one such as http://127.0.0.1:6006")
        return value.rstrip("/").removesuffix("/v1/traces")

    @property
    def thresholds(self) -> Thresholds:
        """The verdict classes."""
        return Thresholds(
            accept=self.accept_threshold, weak_accept=self.weak_accept_threshold, weak_reject=self.weak_reject_threshold
        )

    def tier_max_seconds(self, tier: Tier) -> float:
        """Return the time limit of a tier."""
        return {1: self.tier1_max_seconds, 2: self.tier2_max_seconds, 3: self.tier3_max_seconds}[tier]


def by_setting_names(settings: Settings) -> dict[str, object]:
    """Return the values of settings by their names, as plain values, but for the data root.

    >>> by_setting_names(Settings())["JUDGE_TIER1_MAX_SECONDS"]
    15.0
    """
    values = settings.model_dump(mode="json", exclude={"home"})
    return {str(Settings.model_fields[name].validation_alias or name): value for name, value in values.items()}


def setting_names() -> tuple[str, ...]:
    """Return the names of all settings but the weights, as the environment spells them.

    >>> "JUDGE_TIER1_MAX_SECONDS" in setting_names()
    True
    """
    return tuple(str(field.validation_alias) for field in Settings.model_fields.values() if field.validation_alias)


def load_settings(
    directory: Path | None,
    *,
    environment: Mapping[str, str] | None = None,
    options: Mapping[str, Any] | None = None,
) -> Settings:
    """Return the settings as they stand, the later source winning: `.env`, `agents-eval.toml`, environment, options.

    Args:
        directory: Where the two files may lie; None reads no file.
        environment: By default the process's own.
        options: By the settings' names; None values are not given.

    Raises:
        SettingsError: A name is unknown, a value does not fit, or a file cannot be read.
    """
    given: dict[str, tuple[Any, str]] = {}
    environment = os.environ if environment is None else environment
    for origin, values in _sources(directory, environment):
        given |= {name: (value, origin) for name, value in values.items()}
    given |= {name: (value, "the options") for name, value in (options or {}).items() if value is not None}
    _refuse_unknown(given)
    return _validated(given)


def setting_sources(directory: Path | None, *, environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return where each setting that is given comes from, by its name; those that are not named have their default.

    >>> setting_sources(None, environment={"JUDGE_REPEATS": "3", "JUDGE_CACHE": ""})
    {'JUDGE_REPEATS': 'the environment'}

    Raises:
        SettingsError: A file cannot be read.
    """
    sources = _sources(directory, os.environ if environment is None else environment)
    return {name: origin for origin, values in sources for name in values}


def _sources(directory: Path | None, environment: Mapping[str, str]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if directory is not None:
        yield ".env", _ours(_read_dotenv(directory / ".env"))
        yield FILE_NAME, _read_toml(directory / FILE_NAME)
    yield "the environment", {name: value for name, value in _ours(environment).items() if name not in READ_ELSEWHERE}


def _ours(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name.startswith(PREFIXES) and value not in (None, "")}


def _read_dotenv(path: Path) -> Mapping[str, Any]:
    if not path.is_file():
        return {}
    from dotenv import dotenv_values  # noqa: PLC0415  most directories have no such file

    try:
        return dotenv_values(path)
    except (OSError, UnicodeDecodeError) as problem:
        raise SettingsError(f"{path.name} cannot be read: {problem}; correct it or remove it") from problem


def _read_toml(path: Path) -> Mapping[str, Any]:
    if not path.is_file():
        return {}
    try:
        return dict(_flat(tomllib.loads(path.read_text(encoding="utf-8")), ""))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise SettingsError(f"{path.name} cannot be read: {problem}; correct it or remove it") from problem


def _flat(table: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for key, value in table.items():
        name = f"{prefix}{key}".upper().replace("-", "_")
        if isinstance(value, dict):
            yield from _flat(value, f"{name}_")  # pyright: ignore[reportUnknownArgumentType]  TOML has string keys
        else:
            yield name, value


def _refuse_unknown(given: Mapping[str, tuple[Any, str]]) -> None:
    known = setting_names()
    for name, (_, origin) in given.items():
        if name in known or (name.startswith(WEIGHT_PREFIX) and name != WEIGHT_PREFIX):
            continue
        near = get_close_matches(name, [*known, *(WEIGHT_PREFIX + metric.upper() for metric in EQUAL_WEIGHTS)], n=1)
        advice = f"did you mean {near[0]}?" if near else "'agents-eval doctor' lists all settings"
        raise SettingsError(f"no setting named {name} (in {origin}); {advice}")


def _validated(given: Mapping[str, tuple[Any, str]]) -> Settings:
    weights = {
        name.removeprefix(WEIGHT_PREFIX).lower(): value
        for name, (value, _) in given.items()
        if name.startswith(WEIGHT_PREFIX)
    }
    values = {name: value for name, (value, _) in given.items() if not name.startswith(WEIGHT_PREFIX)}
    try:
        settings = Settings.model_validate(values | {"weights": {**EQUAL_WEIGHTS, **weights}})
    except ValidationError as problem:
        first = problem.errors()[0]
        place = [str(part) for part in first["loc"]]
        name = WEIGHT_PREFIX + place[1].upper() if place[0] == "weights" else place[0]
        raise SettingsError(f"{name} (in {given[name][1]}) is {first['input']!r}: {first['msg']}") from problem
    _refuse_contradictions(settings)
    return settings


def _refuse_contradictions(settings: Settings) -> None:
    limits = settings.thresholds
    if not limits.weak_reject <= limits.weak_accept <= limits.accept:
        raise SettingsError(
            "the verdict classes need JUDGE_COMPOSITE_WEAK_REJECT_THRESHOLD <= …_WEAK_ACCEPT_… <= …_ACCEPT_…, "
            f"not {limits.weak_reject}, {limits.weak_accept}, {limits.accept}"
        )
    if not any(settings.weights.values()):
        raise SettingsError(f"every {WEIGHT_PREFIX}<METRIC> is 0: nothing is left to make a composite of")
