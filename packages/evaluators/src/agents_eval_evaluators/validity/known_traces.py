"""Whether behaviour metrics give the values that small traces must have, an earlier program's formulas beside them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from agents_eval_core.ports.validation import ValidityFigure
from agents_eval_evaluators.validity.readings import Value, readings
from agents_eval_evaluators.validity.small_traces import KNOWN

NEARLY: Final = 1e-9


def is_given(said: Value, wanted: Value) -> bool:
    """Whether a metric said what it must; a finding that was not made is 0."""
    if isinstance(wanted, float):
        return isinstance(said, float) and abs(said - wanted) < NEARLY
    return said == wanted


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownTraces:
    """Holds every metric against small traces whose values are known by hand. It needs no data."""

    name: str = "known_traces"

    def figures(self, data: Sequence[Path]) -> Iterator[ValidityFigure]:  # noqa: ARG002  the port hands it to all
        """Yield for each metric the share of its known answers that it gives."""
        answers: dict[str, list[bool]] = {}
        for known in KNOWN.values():
            said = readings(known.run)
            for metric, wanted in known.values.items():
                answers.setdefault(metric, []).append(is_given(said.get(metric), wanted))
        for metric, right in sorted(answers.items()):
            yield ValidityFigure(
                metric=metric,
                measure="known answers given",
                value=sum(right) / len(right),
                interval=None,
                n=len(right),
                unit="traces",
                data="small traces made by hand",
            )

    def checks(self, data: Sequence[Path]) -> Iterator[ValidityFigure]:
        """Yield all of it."""
        return self.figures(data)
