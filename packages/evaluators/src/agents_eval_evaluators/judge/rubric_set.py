"""The shipped rubrics, as others may read and copy them."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from agents_eval_evaluators.judge.rubric import SUFFIX, rubric_named, shipped_rubrics


@dataclass(frozen=True, slots=True, kw_only=True)
class Rubrics:
    """What judges are asked."""

    name: str = "rubrics"

    def texts(self) -> Mapping[str, str]:
        """Return the shipped rubrics by their files' names.

        >>> "review_quality.toml" in Rubrics().texts()
        True
        """
        folder = resources.files("agents_eval_evaluators.judge") / "rubrics"
        return {f"{name}{SUFFIX}": (folder / f"{name}{SUFFIX}").read_text("utf-8") for name in shipped_rubrics()}

    def check(self, file: Path) -> None:
        """Refuse a file that is no rubric.

        Raises:
            UsageError: It is too large.
            UnreadableError: It is no rubric.
        """
        rubric_named(str(file))
