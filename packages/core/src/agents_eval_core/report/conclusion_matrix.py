"""All conclusions of a comparison at a glance: each side against each other."""

from collections.abc import Mapping
from typing import Final

from agents_eval_core.comparison import Comparison, Conclusion
from agents_eval_core.report.comparison_wording import sides_of

SIGNS: Final[Mapping[Conclusion, str]] = {"better": "▲", "worse": "▼", "equivalent": "=", "not enough data": "?"}
MIRRORED: Final[Mapping[Conclusion, Conclusion]] = {
    "better": "worse",
    "worse": "better",
    "equivalent": "equivalent",
    "not enough data": "not enough data",
}
FEW: Final = 3  # as many pairs can be read one after the other

Line = tuple[str, tuple[Conclusion | None, ...]]


def conclusion_matrix(comparison: Comparison) -> tuple[Line, ...]:
    """Return a line for each side: its label, and how it stands against each side, in the order of the lines.

    Each pair stands there twice, once seen from either side; None stands against itself, and where two sides were not
    compared.
    """
    found: dict[tuple[str, str], Conclusion] = {}
    for contrast in comparison.contrasts:
        baseline, candidate = contrast.baseline.selector, contrast.candidate.selector
        found[candidate, baseline] = contrast.conclusion
        found[baseline, candidate] = MIRRORED[contrast.conclusion]
    sides = sides_of(comparison)
    return tuple((one.label, tuple(found.get((one.selector, other.selector)) for other in sides)) for one in sides)
