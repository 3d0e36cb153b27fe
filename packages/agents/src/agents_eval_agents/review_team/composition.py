"""Which agents take part in a review, under one name."""

from dataclasses import dataclass
from itertools import product
from typing import Final, Self

from agents_eval_core.errors import UnknownNameError

MANAGER: Final = "manager"
RESEARCHER: Final = "researcher"
ANALYST: Final = "analyst"
SYNTHESIZER: Final = "synthesizer"
CRITIC: Final = "critic"
SPECIALISTS: Final = (RESEARCHER, ANALYST, SYNTHESIZER)
FULL: Final = "full"


@dataclass(frozen=True, slots=True, kw_only=True)
class Composition:
    """A manager with some of the three specialists, and perhaps a critic.

    >>> Composition.named("manager+analyst+researcher").name
    'manager+researcher+analyst'
    >>> Composition.named("full", critic=True).agents
    ('manager', 'researcher', 'analyst', 'synthesizer', 'critic')
    """

    specialists: tuple[str, ...]
    critic: bool = False

    @classmethod
    def named(cls, name: str | None, *, critic: bool = False) -> Self:
        """Return the composition of a name, whose parts may stand in any order; None is all of them.

        Args:
            name: `full`, or agents joined by `+`, the manager among them.
            critic: Whether the critic takes part, named or not.

        Raises:
            UnknownNameError: It is no such name.
        """
        parts = [part.strip().lower() for part in (FULL if name is None else name).split("+")]
        given = {*SPECIALISTS, MANAGER, *parts} - {FULL} if FULL in parts else {*parts}
        if len(set(parts)) < len(parts) or MANAGER not in given or given - {MANAGER, CRITIC, *SPECIALISTS}:
            raise UnknownNameError("composition", str(name), [*composition_names(), FULL], hint=_HINT)
        return cls(specialists=tuple(one for one in SPECIALISTS if one in given), critic=critic or CRITIC in given)

    @property
    def delegates(self) -> tuple[str, ...]:
        """The agents that work can be handed to."""
        return (*self.specialists, CRITIC) if self.critic else self.specialists

    @property
    def agents(self) -> tuple[str, ...]:
        """All agents, the one in charge first."""
        return (MANAGER, *self.delegates)

    @property
    def name(self) -> str:
        """The canonical name: the agents in their usual order, joined by `+`."""
        return "+".join(self.agents)


def composition_names() -> tuple[str, ...]:
    """Return the names of all compositions without a critic, the full team first.

    >>> len(composition_names()), composition_names()[0], composition_names()[-1]
    (8, 'manager+researcher+analyst+synthesizer', 'manager')
    """
    chosen = product((True, False), repeat=len(SPECIALISTS))
    teams = [tuple(one for one, taken in zip(SPECIALISTS, row, strict=True) if taken) for row in chosen]
    return tuple(Composition(specialists=team).name for team in sorted(teams, key=len, reverse=True))


_HINT = "Join agents by '+', the manager among them, such as 'manager+researcher'; 'full' is the whole team"
