"""What the agents of the review team give one another.

These are the shapes a language model is asked for, so they are lenient: values that do not fit are kept as given and
flagged when the final `Review` is made.
"""

from typing import Final, Literal

from pydantic import BaseModel, Field

FactKind = Literal["claim", "method", "data", "measurement", "limitation", "missing"]


class Fact(BaseModel):
    """Something that the paper says, or does not say, and where."""

    kind: FactKind
    text: str = Field(description="one sentence in your own words")
    anchor: str | None = Field(default=None, description="where in the paper: a section heading, a table, a figure")
    quote: str = Field(default="", description="a short verbatim quotation that shows it; empty for what is missing")


class ResearchSummary(BaseModel):
    """What the Researcher found in the paper."""

    overview: str = Field(description="what the paper is about and what it claims, in two or three sentences")
    facts: list[Fact] = Field(default_factory=list[Fact])
    unread: list[str] = Field(default_factory=list[str], description="sections that were not read")


class DraftPoint(BaseModel):
    """One point of a review."""

    text: str
    anchor: str | None = Field(default=None, description="where in the paper: a section heading, a table, a figure")


class Analysis(BaseModel):
    """What the Analyst makes of the facts."""

    strengths: list[DraftPoint] = Field(default_factory=list[DraftPoint])
    weaknesses: list[DraftPoint] = Field(default_factory=list[DraftPoint])
    questions: list[DraftPoint] = Field(default_factory=list[DraftPoint])
    suggestions: list[DraftPoint] = Field(default_factory=list[DraftPoint])


POINTS: Final = tuple(Analysis.model_fields)


class ReviewDraft(Analysis):
    """A whole review as an agent wrote it; ratings as given, checked later."""

    summary: str = Field(description="what the paper does and the gist of the judgement")
    rating: float | str | None = Field(default=None, description="overall rating on the scale that was stated")
    confidence: float | str | None = Field(default=None, description="your confidence, from 1 to 5")
    recommendation: str | None = Field(default=None, description="accept, weak_accept, weak_reject or reject")


class Critique(BaseModel):
    """What the Critic objects to in a draft; empty when nothing."""

    objections: list[DraftPoint] = Field(default_factory=list[DraftPoint])
