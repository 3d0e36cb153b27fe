"""The names of compositions: which agents one stands for, and what it is called."""

from collections.abc import Mapping
from typing import Final

ALIASES: Final[Mapping[str, frozenset[str]]] = {"full": frozenset({"manager", "researcher", "analyst", "synthesizer"})}


def agents_of(composition: str) -> frozenset[str]:
    """Return the agents of a composition, whatever their order; `full` stands for the whole review team.

    >>> sorted(agents_of("manager + Analyst"))
    ['analyst', 'manager']
    """
    parts = [part.strip().lower() for part in composition.split("+")]
    return frozenset[str]().union(*(ALIASES.get(part, frozenset({part})) for part in parts))


def is_composition(given: str, stored: str) -> bool:
    """Whether a stored composition is the one that was asked for."""
    return agents_of(given) == agents_of(stored)


def composition_name(composition: str) -> str:
    """Return what a composition is called in every view: `full` stands for the whole review team.

    >>> composition_name("manager+researcher+analyst+synthesizer+critic"), composition_name("manager+analyst")
    ('full+critic', 'manager+analyst')
    """
    agents = agents_of(composition)
    for alias, team in ALIASES.items():
        if team <= agents:
            return "+".join([alias, *sorted(agents - team)])
    return composition
