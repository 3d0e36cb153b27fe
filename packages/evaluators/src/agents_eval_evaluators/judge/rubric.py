"""A rubric: what a judge is asked, one criterion at a time, and what each answer is worth."""

import json
import tomllib
from functools import cache, cached_property
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import Annotated, Final, Literal, Self

from pydantic import Field, ValidationError, model_validator

from agents_eval_core.errors import UnknownNameError, UnreadableError, UsageError
from agents_eval_core.frozen import Frozen

LARGEST_BYTES: Final = 256 * 1024
SATISFIED: Final = 0.75
SUFFIX: Final = ".toml"
Subject = Literal["output", "trajectory", "recommendation", "pair"]


class Criterion(Frozen):
    """One question, how many answers there are, and what some of them mean.

    Attributes:
        levels: The answers are 1 to this number.
        anchors: What an answer means, by its number; the lowest and the highest have one.
        satisfied_from: The level from which the criterion counts as satisfied; by default the first one that is worth
            0.75 or more.
        optional: Whether the judge may say that it does not apply.
    """

    id: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
    question: str
    weight: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 1.0
    levels: Annotated[int, Field(ge=2, le=10)] = 5
    anchors: dict[int, str]
    satisfied_from: int | None = None
    optional: bool = False

    @model_validator(mode="after")
    def _has_ends(self) -> Self:
        if not {1, self.levels} <= self.anchors.keys():
            raise ValueError(f"criterion {self.id!r} needs an anchor for 1 and for {self.levels}")
        if not all(1 <= level <= self.levels for level in (*self.anchors, self.satisfied_from or 1)):
            raise ValueError(f"criterion {self.id!r} has the levels 1 to {self.levels} and no others")
        return self

    def share(self, level: float) -> float:
        """Return what an answer is worth: the lowest 0, the highest 1.

        >>> Criterion(id="flow", question="?", anchors={1: "none", 5: "all"}).share(4)
        0.75
        """
        return (level - 1) / (self.levels - 1)

    @property
    def satisfied_share(self) -> float:
        """What an answer must be worth for the criterion to be satisfied."""
        return SATISFIED if self.satisfied_from is None else self.share(self.satisfied_from)

    @property
    def lines(self) -> str:
        """The criterion as a judge reads it."""
        anchors = "; ".join(f"{level} = {self.anchors[level].rstrip('.')}" for level in sorted(self.anchors))
        way_out = " Give no level if it does not apply, and say why." if self.optional else ""
        return f"- {self.id} (1 to {self.levels}): {self.question} {anchors}.{way_out}"


class Rubric(Frozen):
    """The criteria a judge applies, with what it is told about its task.

    Attributes:
        about: What is judged: the output, the steps, the recommendation held against the humans', or
            which of two outputs is better.
    """

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
    version: str
    about: Subject = "output"
    task: str
    criteria: Annotated[tuple[Criterion, ...], Field(min_length=1, max_length=30)]

    @model_validator(mode="after")
    def _names_each_once(self) -> Self:
        if len({criterion.id for criterion in self.criteria}) < len(self.criteria):
            raise ValueError("two criteria have the same id")
        return self

    @cached_property
    def instructions(self) -> str:
        """The task and the criteria as a judge reads them."""
        return "\n".join((self.task.strip(), "", "Criteria:", *(criterion.lines for criterion in self.criteria)))

    @cached_property
    def digest(self) -> str:
        """Changes when anything in it does, whatever its version says."""
        return sha256(json.dumps(self.model_dump(mode="json"), sort_keys=True).encode()).hexdigest()[:12]


def shipped_rubrics() -> tuple[str, ...]:
    """Return the names of the rubrics that come with the package.

    >>> shipped_rubrics()
    ('agent_task', 'planning_rationality', 'preference', 'recommendation_quality', 'review_quality', 'tool_use')
    """
    folder = resources.files("agents_eval_evaluators.judge") / "rubrics"
    return tuple(sorted(file.name.removesuffix(SUFFIX) for file in folder.iterdir() if file.name.endswith(SUFFIX)))


@cache
def shipped_rubric(name: str) -> Rubric:
    """Return a rubric that comes with the package.

    >>> [criterion.id for criterion in shipped_rubric("planning_rationality").criteria]
    ['flow', 'decisions', 'economy']
    """
    file = resources.files("agents_eval_evaluators.judge") / "rubrics" / f"{name}{SUFFIX}"
    return Rubric.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))


def rubric_named(given: str) -> Rubric:
    """Return a shipped rubric by its name, or the one in a TOML file.

    Raises:
        UnknownNameError: It is neither.
        UsageError: The file is larger than any rubric.
        UnreadableError: The file is no rubric.
    """
    path = Path(given)
    if given in shipped_rubrics():
        return shipped_rubric(given)
    if not given.endswith(SUFFIX) or not path.is_file():
        raise UnknownNameError("rubric", given, shipped_rubrics(), hint="A file of your own ends in .toml.")
    if path.stat().st_size > LARGEST_BYTES:
        raise UsageError(f"{path} is larger than {LARGEST_BYTES // 1024} KiB; a rubric is a page of criteria")
    try:
        return Rubric.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        raise UnreadableError(f"{path} is not TOML: {problem}") from problem
    except ValidationError as problem:
        first = problem.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the rubric"
        raise UnreadableError(f"{path}: {place}: {first['msg']}; docs/guides/judge.md shows a rubric") from problem
