"""Reviews with human labels of their quality: where they lie, and how well a figure follows the labels."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any, Final

from agents_eval_core.errors import PaperError
from agents_eval_evaluators.validity.data_folders import places
from agents_eval_evaluators.validity.intervals import Interval, clustered_interval
from agents_eval_evaluators.validity.ranks import rank_correlation

FOLDER: Final = "review-quality"
SEED: Final = 20251107


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """One labelled text: what a metric gave it, what people gave it, its length, and the paper it belongs to."""

    given: float
    label: float
    length: float
    paper: str


def labelled_lines(data: Sequence[Path], name: str) -> Iterator[dict[str, Any]]:
    """Yield the lines of a JSON lines file of the labelled reviews, such as `revutil/points.jsonl`.

    Args:
        data: Folders, among them `review-quality` or the one it lies in.
        name: The file within it.

    Raises:
        PaperError: It is not there.
    """
    tried = [place / name for folder in places(data) for place in (folder, folder / FOLDER)]
    file = next((path for path in tried if path.is_file()), None)
    if file is None:
        given = f"it is not in {', '.join(map(str, data))}" if tried else "no folder was given"
        raise PaperError(
            f"no {name} (reviews with human labels): {given}; --data names the folder {FOLDER!r} or the one it is in"
        )
    with file.open(encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines)


def follows_label(items: Sequence[Labelled]) -> float:
    """Return the rank correlation of the metric with the label."""
    return rank_correlation([item.given for item in items], [item.label for item in items])


def length_follows_label(items: Sequence[Labelled]) -> float:
    """Return the rank correlation of the length with the label: the score to beat."""
    return rank_correlation([item.length for item in items], [item.label for item in items])


def beyond_length(items: Sequence[Labelled]) -> float:
    """Return the partial rank correlation of metric and label given the length.

    >>> figures = ((1, 1, 1), (3, 2, 2), (2, 3, 3), (4, 4, 1))
    >>> made = [Labelled(given=given, label=label, length=size, paper="") for given, label, size in figures]
    >>> round(beyond_length(made), 2)
    0.82
    """
    metric, label, length = (
        [item.given for item in items],
        [item.label for item in items],
        [item.length for item in items],
    )
    both, own, theirs = (
        rank_correlation(metric, label),
        rank_correlation(metric, length),
        rank_correlation(label, length),
    )
    return (both - own * theirs) / sqrt((1 - own**2) * (1 - theirs**2))


def beats_length_by(items: Sequence[Labelled]) -> float:
    """Return the metric's rank correlation with the label less that of the length."""
    return follows_label(items) - length_follows_label(items)


def paper_interval(
    items: Sequence[Labelled], figure: Callable[[Sequence[Labelled]], float], *, resamples: int
) -> Interval:
    """Return the interval of a figure over resampled papers."""
    return clustered_interval(items, lambda item: item.paper, figure, resamples=resamples, seed=SEED)
