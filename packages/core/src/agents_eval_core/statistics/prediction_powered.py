"""A mean of what people would say, from a few of their labels and many of a judge's."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt

from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.statistics.student_t import critical_t


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanEstimate:
    """A mean with its interval.

    Attributes:
        labelled: The items with a label.
        unlabelled: The items that only the judge has rated.
        power: The weight that the judge's ratings were given; 0 uses the labels alone.
    """

    mean: float
    low: float
    high: float
    labelled: int
    unlabelled: int
    power: float


def prediction_powered_mean(
    labels: Sequence[float], judged: Sequence[float], unlabelled: Sequence[float], confidence: float = 0.95
) -> MeanEstimate:
    """Return the mean label of the items, the judge's bias taken out by the labelled ones.

    mean(labels) + power * (mean(unlabelled) - mean(judged)). Whatever the judge's bias, it cancels; power, estimated
    as cov(labels, judged) / ((1 + n / N) var(judged)) within [0, 1], is small for a judge that does not follow the
    labels, so that the interval is hardly wider than that of the labels alone. The labelled items must have been drawn
    at random from the same source as the others. t with n - 1 degrees of freedom; below some twenty labels the
    interval is too narrow.

    Args:
        labels: What people say.
        judged: What the judge says of the same items, in the same order.
        unlabelled: What the judge says of items without a label; may be empty.
        confidence: Between 0 and 1, both excluded.

    Raises:
        UndefinedMetricError: There are fewer than three labels.

    References:
        Angelopoulos, Bates, Fannjiang, Jordan and Zrnic, "Prediction-powered inference", Science 382 (2023);
        Angelopoulos, Duchi and Zrnic, "PPI++" (arXiv 2311.01453), for the power.

    >>> estimate = prediction_powered_mean([0.2, 0.4, 0.6, 0.8], [0.3, 0.5, 0.7, 0.9], [0.7] * 50)
    >>> round(estimate.mean, 2), round(estimate.power, 2)
    (0.59, 0.93)
    """
    n, many = len(labels), len(unlabelled)
    if n < 3:  # noqa: PLR2004  a slope and a spread take three
        raise UndefinedMetricError("the corrected mean", because=f"it needs three labels and there are {n}")
    power = _power(labels, judged, many) if many else 0.0
    rest = [label - power * rating for label, rating in zip(labels, judged, strict=True)]
    everything = [*judged, *unlabelled]
    variance = _variance(rest) / n + (power**2 * _variance(everything) / many if many else 0.0)
    mean = _mean(rest) + (power * _mean(unlabelled) if many else 0.0)
    margin = critical_t(confidence, n - 1) * sqrt(variance)
    return MeanEstimate(mean=mean, low=mean - margin, high=mean + margin, labelled=n, unlabelled=many, power=power)


def plain_mean(values: Sequence[float], confidence: float = 0.95) -> MeanEstimate:
    """Return the mean of ratings as they are, with the t interval that takes them for the truth.

    Raises:
        UndefinedMetricError: There are fewer than two.

    >>> round(plain_mean([0.4, 0.6]).mean, 2)
    0.5
    """
    n = len(values)
    if n < 2:  # noqa: PLR2004  a spread takes two
        raise UndefinedMetricError("the mean's interval", because=f"it needs two values and there are {n}")
    mean = _mean(values)
    margin = critical_t(confidence, n - 1) * sqrt(_variance(values) / n)
    return MeanEstimate(mean=mean, low=mean - margin, high=mean + margin, labelled=0, unlabelled=n, power=1.0)


def _power(labels: Sequence[float], judged: Sequence[float], unlabelled: int) -> float:
    n = len(labels)
    variance = _variance(judged)
    if variance <= 0:
        return 0.0
    mean_label, mean_judged = _mean(labels), _mean(judged)
    pairs = zip(labels, judged, strict=True)
    covariance = fsum((a - mean_label) * (b - mean_judged) for a, b in pairs) / (n - 1)
    return min(1.0, max(0.0, covariance / ((1 + n / unlabelled) * variance)))


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values)


def _variance(values: Sequence[float]) -> float:
    mean = _mean(values)
    return fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
