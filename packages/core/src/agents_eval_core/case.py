"""A case: the task, its inputs, and what an answer is held against."""

from typing import Any, Literal

from agents_eval_core.frozen import Frozen
from agents_eval_core.paper import Paper
from agents_eval_core.review import HumanReview, Scale


class ExpectedCall(Frozen):
    """A tool call that a good run makes; without arguments, only the name counts."""

    name: str
    arguments: dict[str, Any] | None = None


class Case(Frozen):
    """One task for a system of agents.

    Attributes:
        id: Identity within the dataset; pairs runs of two systems.
        task: `peer_review`, or a name of the user's own.
        references: Human reviews; never shown to agents.
        rating_scale: The scale of the venue's overall rating, where one is known.
        decision: What the venue decided; never shown to agents.
        declared_facts: Facts that a delegate must be told; coordination is judged by them.
        needs_tools: Whether the task cannot be done without tools; None where nobody said.
        budget_seconds: The time the task should take; None means the task's default.
        group_id: What the case is a repetition or variant of.
    """

    id: str
    task: str = "peer_review"
    dataset: str = ""
    paper: Paper | None = None
    prompt: str = ""
    references: tuple[HumanReview, ...] = ()
    rating_scale: Scale | None = None
    decision: Literal["accepted", "rejected"] | None = None
    expected_calls: tuple[ExpectedCall, ...] = ()
    declared_facts: tuple[str, ...] = ()
    needs_tools: bool | None = None
    budget_seconds: float | None = None
    group_id: str | None = None

    @property
    def venue(self) -> str:
        """Where the paper was submitted; empty without a paper or a venue."""
        return self.paper.venue if self.paper else ""

    def for_agents(self) -> "Case":
        """Return the case without anything that an answer is held against.

        >>> Case(id="1", decision="accepted").for_agents().decision is None
        True
        """
        return self.changed(
            references=(),
            decision=None,
            expected_calls=(),
            declared_facts=(),
            group_id=None,
        )
