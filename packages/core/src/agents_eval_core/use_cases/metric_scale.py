"""On which scale a metric is compared: its score, or the raw measure that the score was made of."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import log
from typing import Final

from agents_eval_core.run import Resources
from agents_eval_core.score import Score

LOGARITHMIC: Final = "log "
LOG_SECONDS: Final = f"{LOGARITHMIC}s"


@dataclass(frozen=True, slots=True, kw_only=True)
class RawScale:
    """A measure of a score that is compared in its place.

    Attributes:
        is_logarithmic: Whether its logarithm is compared, since what matters is how many times as much it is.
    """

    measure: str
    unit: str
    is_logarithmic: bool = False
    higher_is_better: bool = True


RAW: Final[Mapping[str, RawScale]] = {
    "output_similarity": RawScale(measure="raw_similarity", unit="raw similarity"),
    "time_taken": RawScale(measure="elapsed_seconds", unit=LOG_SECONDS, is_logarithmic=True, higher_is_better=False),
}


def _tokens(took: Resources) -> float | None:
    if took.input_tokens is None or took.output_tokens is None:
        return None
    return float(took.input_tokens + took.output_tokens)


RESOURCES: Final[Mapping[str, tuple[str, Callable[[Resources], float | None]]]] = {
    "elapsed_seconds": (LOG_SECONDS, lambda took: took.elapsed_seconds),
    "cost_usd": ("log USD", lambda took: took.cost_usd),
    "tokens": ("log tokens", _tokens),
}


def raw_value(score: Score | None) -> float | None:
    """Return the raw measure of a score on the scale on which it is compared, or None where it has none.

    >>> from agents_eval_core.score import Measure
    >>> score = Score(name="output_similarity", value=0.7, evaluator="s", version="1", tier=1,
    ...               measures=(Measure(name="raw_similarity", value=0.31),))
    >>> raw_value(score), raw_value(score.changed(name="task_success"))
    (0.31, None)
    """
    scale = RAW.get(score.name) if score else None
    if score is None or scale is None:
        return None
    for measure in score.measures:
        value = measure.value
        if measure.name == scale.measure and isinstance(value, int | float) and not isinstance(value, bool):
            return logarithm(float(value)) if scale.is_logarithmic else float(value)
    return None


def logarithm(value: float | None) -> float | None:
    """Return the natural logarithm of what is above 0.

    >>> logarithm(1.0), logarithm(0.0), logarithm(None)
    (0.0, None, None)
    """
    return log(value) if value is not None and value > 0 else None
