"""How far the flag for harsh sentences can be trusted."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from agents_eval_core.ports.validation import ValidityFigure
from agents_eval_evaluators.text.tone import is_harsh
from agents_eval_evaluators.validity.repeatable import Repeatable
from agents_eval_evaluators.validity.review_quality import Labelled, labelled_lines, paper_interval

SENTENCES: Final = "politepeer/sentences.jsonl"
IMPOLITE: Final = 2


def precision(items: Sequence[Labelled]) -> float:
    """Return the share of flagged sentences that people call impolite; 0 where none is flagged."""
    flagged = [item.label for item in items if item.given]
    return sum(flagged) / len(flagged) if flagged else 0.0


def recall(items: Sequence[Labelled]) -> float:
    """Return the share of impolite sentences that are flagged; 0 where none is impolite."""
    impolite = [item.given for item in items if item.label]
    return sum(impolite) / len(impolite) if impolite else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ToneValidity(Repeatable):
    """Measures `harsh_tone` on sentences with human labels of politeness (PolitePEER).

    Over all sources a classifier can win by telling the sources apart; so ICLR alone stands beside.
    """

    name: str = "tone"

    def figures(self, data: Sequence[Path]) -> Iterator[ValidityFigure]:
        """Yield precision and recall of the flag, over all sources and within ICLR.

        Raises:
            PaperError: The data is not there.
        """
        lines = list(labelled_lines(data, SENTENCES))
        for tested, chosen in (
            ("PolitePEER, all sources", lines),
            ("PolitePEER, ICLR", [line for line in lines if line["venue"] == "ICLR"]),
        ):
            items = [
                Labelled(
                    given=is_harsh(line["text"]),
                    label=int(line["politeness"]) <= IMPOLITE,
                    length=0,
                    paper=line["group"],
                )
                for line in chosen
            ]
            yield self._figure("precision of harsh_tone", precision, items, tested)
            yield self._figure("recall of harsh_tone", recall, items, tested)

    def _figure(
        self, measure: str, figure: Callable[[Sequence[Labelled]], float], items: Sequence[Labelled], data: str
    ) -> ValidityFigure:
        return ValidityFigure(
            metric=self.name,
            measure=measure,
            value=figure(items),
            interval=paper_interval(items, figure, resamples=self.resamples),
            n=len(items),
            unit="sentences",
            data=data,
        )
