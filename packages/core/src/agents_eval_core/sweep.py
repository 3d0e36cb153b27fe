"""A sweep: which systems review which papers how often, and the cells that this comes to."""

from hashlib import sha256
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field, field_validator
from pydantic_core import to_json

from agents_eval_core.frozen import Frozen
from agents_eval_core.run import System
from agents_eval_core.work import WorkOrder

ALL: Final = "all"
NAME: Final = r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}"
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class SweepPlan(Frozen):
    """What a sweep is asked to do; the fields are those of the configuration file and of the options.

    Attributes:
        papers: The ids, or how many: then the first that have a text and a usable human review.
        compositions: Names, or `all` that an engine has.
        provider: Where the agents' model comes from; default is the setting.
        judge: `provider` or `provider:model`.
        cc_artifacts: Folders of runs made earlier, which take the place of new ones.
        concurrency: How many cells at once; default is the number of cores, or 4 with a language model.
        scheduler: `auto`, `asyncio`, `processes`, `dask` for a cluster made on this machine, or a Dask scheduler's
            address (`tcp://…`).
        budget_usd: What may be spent on models.
        budget_seconds: Time by the clock on the wall, over all sessions.
        stop_when_decided: A metric: when it is decided of each system whether it is better or worse in it than the
            first, or with a margin equivalent, no further paper is begun.
        margin: The smallest difference of that metric that matters.
    """

    name: Annotated[str, Field(pattern=f"^{NAME}$")]
    dataset: str = "peerread"
    data_dir: Path | None = None
    papers: Annotated[int, Field(ge=1)] | tuple[str, ...] = 20
    engines: Annotated[tuple[str, ...], Field(min_length=1)] = ("mas",)
    compositions: Annotated[tuple[str, ...], Field(min_length=1)] = (ALL,)
    repetitions: Annotated[int, Field(ge=1, le=10_000)] = 1
    provider: str | None = None
    model: str | None = None
    critic: bool = False
    query: str = ""
    judge: str | None = None
    cc_artifacts: tuple[Path, ...] = ()
    concurrency: Annotated[int, Field(ge=1, le=10_000)] | None = None
    scheduler: str = "auto"
    budget_usd: Positive | None = None
    budget_tokens: Annotated[int, Field(gt=0)] | None = None
    budget_seconds: Positive | None = None
    stop_when_decided: str | None = None
    margin: Annotated[float, Field(gt=0, lt=1)] | None = None

    @field_validator("engines", "compositions", "cc_artifacts", mode="before")
    @classmethod
    def _one_is_a_list_of_one(cls, value: object) -> object:
        return (value,) if isinstance(value, str | Path) else value


class Cell(Frozen):
    """One run of a sweep, by everything that its result depends on.

    Attributes:
        repetition: From 0.
        made_earlier: A run directory or a folder of Claude Code that takes the place of a new run.
    """

    system: System
    dataset: str
    paper: str
    repetition: int = 0
    critic: bool = False
    query: str = ""
    judge: str | None = None
    made_earlier: Path | None = None

    @property
    def key(self) -> str:
        """The digest of the content: the same work has the same key.

        >>> cell = Cell(system=System(engine="mas", composition="manager"), dataset="peerread", paper="304")
        >>> cell.key == cell.changed().key, cell.key == cell.changed(repetition=1).key, len(cell.key)
        (True, False, 64)
        """
        return sha256(to_json(self.model_dump(mode="json"), inf_nan_mode="null")).hexdigest()


class SweepOrder(WorkOrder):
    """A sweep as it was begun: the plan, and everything else that its results depend on.

    Attributes:
        papers: The ids that the plan came to.
        left_out: Papers that were not taken, by id, and why.
        systems: What will do the work, one a composition.
        command: What was typed, where it was.
    """

    plan: SweepPlan
    papers: tuple[str, ...]
    left_out: dict[str, str] = Field(default_factory=dict[str, str])
    systems: tuple[System, ...]
    command: str = ""

    @property
    def title(self) -> str:
        """The name of the plan."""
        return self.plan.name
