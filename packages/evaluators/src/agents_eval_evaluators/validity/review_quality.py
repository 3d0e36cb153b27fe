"""Reviews with human labels of their quality: where they lie, and how well a figure follows the labels."""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from statistics import quantiles
from typing import Any, Final

from agents_eval_core.errors import PaperError
from agents_eval_evaluators.validity.data_folders import places
from agents_eval_evaluators.validity.output_similarity import rank_correlation

FOLDER: Final = "review-quality"
SEED: Final = 20251107
FORTIETHS: Final = 40
FEWEST_ITEMS: Final = 3


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
) -> tuple[float, float] | None:
    """Return the 95 % percentile interval over resampled papers, from a fixed seed; None without resamples."""
    if not resamples:
        return None
    papers: dict[str, list[Labelled]] = {}
    for item in items:
        papers.setdefault(item.paper, []).append(item)
    groups = list(papers.values())
    draw = random.Random(SEED)  # noqa: S311  statistics, no secret
    drawn = ([item for group in draw.choices(groups, k=len(groups)) for item in group] for _ in range(resamples))
    cuts = quantiles([figure(sample) for sample in drawn], n=FORTIETHS, method="inclusive")
    return cuts[0], cuts[-1]
