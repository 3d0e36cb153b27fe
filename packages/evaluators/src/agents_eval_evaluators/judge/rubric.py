"""A rubric: what a judge is asked, one graded criterion at a time."""

import tomllib
from functools import cache
from importlib import resources
from typing import Annotated

from pydantic import Field

from agents_eval_core.frozen import Frozen


class Criterion(Frozen):
    """One question, and what its lowest and highest grade mean."""

    id: str
    weight: Annotated[float, Field(gt=0)]
    question: str
    lowest: str
    highest: str


class Rubric(Frozen):
    """The criteria a judge applies, with what it is told about its task."""

    name: str
    version: str
    task: str
    criteria: Annotated[tuple[Criterion, ...], Field(min_length=1)]

    @property
    def instructions(self) -> str:
        """The task and the criteria as a judge reads them."""
        lines = [f"- {one.id}: {one.question} 1 = {one.lowest} 5 = {one.highest}" for one in self.criteria]
        return "\n".join((self.task.strip(), "", "Grade each criterion from 1 to 5, with a reason:", *lines))


@cache
def shipped_rubric(name: str) -> Rubric:
    """Return a rubric that comes with the package.

    >>> [criterion.id for criterion in shipped_rubric("planning_rationality").criteria]
    ['flow', 'decisions', 'economy']
    """
    file = resources.files("agents_eval_evaluators.judge") / "rubrics" / f"{name}.toml"
    return Rubric.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))
