"""Peer reviews: those that agents write, and those of humans that they are held against."""

from collections.abc import Iterator
from typing import Literal, Self

from pydantic import Field, FiniteFloat, model_validator

from agents_eval_core.frozen import Frozen

Recommendation = Literal["accept", "weak_accept", "weak_reject", "reject"]


class Scale(Frozen):
    """The ends of a rating scale, both included."""

    lowest: FiniteFloat
    highest: FiniteFloat

    @model_validator(mode="after")
    def _is_ordered(self) -> Self:
        if self.lowest >= self.highest:
            raise ValueError(f"a scale needs lowest < highest, not {self.lowest} and {self.highest}")
        return self


class Rating(Frozen):
    """A grade with its scale: a 4 of 5 is not a 4 of 10."""

    value: FiniteFloat
    scale: Scale

    @model_validator(mode="after")
    def _is_on_its_scale(self) -> Self:
        if not self.scale.lowest <= self.value <= self.scale.highest:
            raise ValueError(f"{self.value} is not on the scale {self.scale.lowest} to {self.scale.highest}")
        return self

    @property
    def share(self) -> float:
        """The position on the scale, 0 at its lowest end and 1 at its highest.

        >>> Rating(value=3, scale=Scale(lowest=1, highest=5)).share
        0.5
        """
        return (self.value - self.scale.lowest) / (self.scale.highest - self.scale.lowest)


class Point(Frozen):
    """One thing a review says, and its anchor in the paper: "Section 3", "Table 1", a heading, a quotation."""

    text: str
    anchor: str | None = None


class Flag(Frozen):
    """A value that was given but could not be used: it is shown, and nothing is put in its place."""

    field: str
    given: str
    problem: str


class Review(Frozen):
    """A structured peer review, as an agent wrote it.

    Attributes:
        reading: What was read of the paper, where it was too long to be read at once; no words of the reviewer.
    """

    summary: str = ""
    strengths: tuple[Point, ...] = ()
    weaknesses: tuple[Point, ...] = ()
    questions: tuple[Point, ...] = ()
    suggestions: tuple[Point, ...] = ()
    rating: Rating | None = None
    confidence: Rating | None = None
    recommendation: Recommendation | None = None
    flags: tuple[Flag, ...] = ()
    reading: str = ""

    def parts(self) -> Iterator[tuple[str, tuple[Point, ...]]]:
        """Yield the headings and points in the order in which a review is read."""
        yield "Strengths", self.strengths
        yield "Weaknesses", self.weaknesses
        yield "Questions", self.questions
        yield "Suggestions", self.suggestions

    @property
    def text(self) -> str:
        r"""The words of the review, without headings: what text metrics judge.

        >>> Review(summary="Good.", weaknesses=(Point(text="No baseline.", anchor="Section 4"),)).text
        'Good.\nNo baseline.'
        """
        lines = [self.summary, *(point.text for _, points in self.parts() for point in points)]
        return "\n".join(line for line in lines if line.strip())


class HumanReview(Frozen):
    """A review by a human reviewer, used as a reference. Agents never see it."""

    id: str
    text: str
    rating: Rating | None = None
    confidence: Rating | None = None
    aspects: dict[str, Rating] = Field(
        default_factory=dict[str, Rating], description="lower case, as the venue names them"
    )
