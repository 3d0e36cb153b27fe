"""A certificate of a judge: how far it agrees with people, with itself and with its fellow judges, in figures."""

from collections.abc import Iterator
from datetime import datetime

from pydantic import Field

from agents_eval_core.frozen import Frozen


class Figure(Frozen):
    """A figure with its 95 % interval, from `n` items."""

    value: float
    low: float
    high: float
    n: int

    def __str__(self) -> str:
        """Return the figure as it is printed."""
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}] (n = {self.n})"


class Certificate(Frozen):
    """What was found out about a judge on a labelled set. What could not be found out is None.

    Attributes:
        judge: Its name, or those of a panel.
        rubric: Name, version and digest of what it was asked.
        labels: Digest of the file of labels.
        items: How many it was asked about.
        labelled: How many of these people had labelled.
        failures: How many it gave no usable answer for; they count nowhere else.
        kappa: Agreement with the labels beyond chance, on five levels, quadratic weights.
        criterion_kappas: The same for each criterion that has labels of its own.
        bias: Mean of judge minus label.
        naive_mean: The mean of the judge's grades of all items, taken for the truth.
        labels_mean: The mean of the labels alone.
        corrected_mean: The mean of all items, the judge's bias taken out by the labels.
        length_slope: How much more than people the judge gives to a text of twice the length.
        flip_rate: How often it differs from its own commonest answer when asked again.
        majority_share: Share of a panel that gives the commonest level.
        alpha: Krippendorff's alpha of a panel, the mean over the items that have one.
        quotes_dropped: Share of its quotations that do not occur in the material.
        problems: What could not be found out, and why.
    """

    judge: str
    rubric: str
    labels: str
    at: datetime
    items: int
    labelled: int
    failures: int
    kappa: Figure | None = None
    criterion_kappas: dict[str, Figure] = Field(default_factory=dict[str, Figure])
    bias: Figure | None = None
    naive_mean: Figure | None = None
    labels_mean: Figure | None = None
    corrected_mean: Figure | None = None
    length_slope: Figure | None = None
    flip_rate: float | None = None
    repeats: int = 1
    majority_share: float | None = None
    alpha: float | None = None
    quotes_dropped: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    problems: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """The certificate in one line, as it stands beside each score of the judge."""
        return "; ".join(self._short())

    def _short(self) -> Iterator[str]:
        yield f"kappa {self.kappa}" if self.kappa else "agreement with people unknown"
        if self.bias:
            yield f"bias {self.bias}"
        if self.flip_rate is not None:
            yield f"flip rate {self.flip_rate:.3f}"
        yield f"{self.at:%Y-%m-%d}"
