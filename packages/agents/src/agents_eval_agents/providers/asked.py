"""Who was asked: kept on a failure, so that its sentence can say where to look; and keys taken out of it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, Self, cast

from agents_eval_agents.providers.access import Access
from agents_eval_agents.providers.row import ProviderRow
from agents_eval_core.secret_assignments import REDACTED

MARK: Final = "agents_eval_asked"
LONGEST_CHAIN: Final = 20
ATTRIBUTES: Final = ("message", "body", "headers")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The provider, its place, the variable of its key, and how often it was asked."""

    provider: str
    base_url: str = ""
    key_variable: str = ""
    times: int = 1

    @classmethod
    def at(cls, row: ProviderRow, access: Access) -> Self:
        """Return who is asked."""
        return cls(provider=row.name, base_url=access.base_url, key_variable=row.key)

    @classmethod
    def of(cls, failure: BaseException) -> "Asked | None":
        """Return who had been asked when it failed, where that is known."""
        return getattr(failure, MARK, None)

    def mark(self, failure: BaseException) -> None:
        """Keep it on a failure."""
        setattr(failure, MARK, self)

    @classmethod
    def count(cls, failure: BaseException, times: int) -> None:
        """Keep on a failure how often the same was asked."""
        asked = cls.of(failure)
        if asked is not None:
            replace(asked, times=times).mark(failure)


def take_out(secret: str | None, failure: BaseException) -> None:
    """Replace a secret in all that a failure and its causes say: servers quote the keys they refuse."""
    if not secret:
        return
    for each in _chain(failure):
        each.args = tuple(_without(secret, value) for value in each.args)
        for name in ATTRIBUTES:
            if hasattr(each, name):
                setattr(each, name, _without(secret, getattr(each, name)))


def _chain(failure: BaseException) -> Iterator[BaseException]:
    waiting, seen = [failure], set[int]()
    while waiting and len(seen) < LONGEST_CHAIN:
        each = waiting.pop()
        if id(each) not in seen:
            seen.add(id(each))
            yield each
            waiting += [other for other in (each.__cause__, each.__context__) if other is not None]


def _without(secret: str, value: Any) -> Any:
    if isinstance(value, str):
        return value.replace(secret, REDACTED.decode())
    if isinstance(value, dict):
        return {key: _without(secret, each) for key, each in cast("dict[Any, Any]", value).items()}
    if isinstance(value, list):
        return [_without(secret, each) for each in cast("list[Any]", value)]
    return value
