"""The settings as a list that people read: each with its name, its value in words and what it is."""

from dataclasses import dataclass
from typing import Final, cast

from agents_eval_core.settings import Settings

WEIGHT: Final = "its weight in the composite, beside the others'"


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingInForce:
    """A setting: the name by which it is given, its value as it would be given, and what it is."""

    name: str
    value: str
    about: str


def settings_in_force(settings: Settings) -> tuple[SettingInForce, ...]:
    """Return all settings in their order, the weights of the composite last; `not set` is no value, `empty` no part.

    >>> [setting.value for setting in settings_in_force(Settings()) if setting.name == "JUDGE_TIERS_ENABLED"]
    ['1,2,3']
    """
    fields = [
        SettingInForce(
            name=str(field.validation_alias), value=_shown(getattr(settings, name)), about=field.description or ""
        )
        for name, field in Settings.model_fields.items()
        if name != "weights"
    ]
    weights = [
        SettingInForce(name=f"JUDGE_WEIGHT_{metric.upper()}", value=f"{weight:g}", about=WEIGHT)
        for metric, weight in settings.weights.items()
    ]
    return (*fields, *weights)


def _shown(value: object) -> str:
    if value is None:
        return "not set"
    if isinstance(value, dict):
        parts = [f"{name}={given}" for name, given in cast("dict[str, object]", value).items()]
    elif isinstance(value, tuple):
        parts = list(map(str, cast("tuple[object, ...]", value)))
    else:
        return str(value)
    return ",".join(parts) or "empty"
