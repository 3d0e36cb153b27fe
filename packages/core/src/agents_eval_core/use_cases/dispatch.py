"""Many units of work, handed to an executor in chunks that are worth their overhead."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from agents_eval_core.errors import WorkerLostError
from agents_eval_core.ports.executor import Executor
from agents_eval_core.redaction import redact
from agents_eval_core.run import Problem

T = TypeVar("T")
U = TypeVar("U")
CHUNK_SECONDS: Final = 0.25
LARGEST_CHUNK: Final = 256
DEATHS: Final = 3
MEMORY: Final = 0.2  # how much a new duration counts against those before


@dataclass(frozen=True, slots=True, kw_only=True)
class Done(Generic[U, T]):
    """A unit that came to an end: with its result, or with what went wrong."""

    unit: U
    result: T | None = None
    problem: Problem | None = None
    seconds: float = 0.0


async def dispatched(
    take: Callable[[int], Sequence[U]],
    work: Callable[[U], Coroutine[Any, Any, T]],
    executor: Executor,
    *,
    on_lost: Callable[[Sequence[U]], None] = lambda _: None,
) -> AsyncGenerator[tuple[Done[U, T], ...]]:
    """Yield what came of units, a chunk at a time, in the order in which they end.

    A chunk grows until it takes a quarter of a second, so that handing it over costs little, and is not larger than
    what there is to do. Units whose worker died are done again one by one: the one that kills its worker three times
    ends as a problem, the others with their results.

    Args:
        take: Gives at most so many further units. It is asked again each time a chunk has ended, and the end is when it
            gives none while none is under way.
        work: Does one unit; a coroutine function of a module.
        executor: Where it is done.
        on_lost: Is told which units were lost with their worker, before they are done again.
    """
    queue = _Queue(take, work, executor)
    try:
        while queue.fill():
            ended, _ = await asyncio.wait(queue.under_way, return_when=asyncio.FIRST_COMPLETED)
            for future in ended:
                units, deaths = queue.under_way.pop(future)
                try:
                    done = future.result()
                except WorkerLostError as problem:
                    on_lost(units)
                    done = queue.lost(units, deaths, str(problem))
                queue.learn(done)
                if done:
                    yield done
    finally:
        for future in queue.under_way:
            future.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.gather(*queue.under_way, return_exceptions=True)


async def do_chunk(work: Callable[[U], Coroutine[Any, Any, T]], units: Sequence[U]) -> tuple[Done[U, T], ...]:
    """Do units one after the other; one that fails costs the others nothing."""
    return tuple([await _done(work, unit) for unit in units])


async def _done(work: Callable[[U], Coroutine[Any, Any, T]], unit: U) -> Done[U, T]:
    begun = time.perf_counter()
    try:
        result = await work(unit)
    except Exception as problem:  # noqa: BLE001  a unit's failure is its result
        kind = getattr(problem, "error_type", type(problem).__name__)
        said = Problem(error_type=str(kind), message=redact(str(problem)))
        return Done(unit=unit, problem=said, seconds=time.perf_counter() - begun)
    return Done(unit=unit, result=result, seconds=time.perf_counter() - begun)


class _Queue(Generic[U, T]):
    """What is to be done, what is under way, and how long a unit takes."""

    def __init__(
        self, take: Callable[[int], Sequence[U]], work: Callable[[U], Coroutine[Any, Any, T]], executor: Executor
    ) -> None:
        self.under_way: dict[asyncio.Future[tuple[Done[U, T], ...]], tuple[Sequence[U], int]] = {}
        self._take, self._work, self._executor = take, work, executor
        self._again: list[tuple[Sequence[U], int]] = []
        self._seconds: float | None = None

    def fill(self) -> bool:
        """Hand over as much as there is room for; whether anything is under way."""
        while len(self.under_way) < self._executor.slots:
            units, deaths = self._again.pop() if self._again else (self._take(self._size()), 0)
            if not units:
                break
            future = self._executor.submit(do_chunk, self._work, tuple(units))
            self.under_way[asyncio.wrap_future(future)] = units, deaths
        return bool(self.under_way)

    def learn(self, done: Sequence[Done[U, T]]) -> None:
        """Take the durations of units into account."""
        for each in done:
            before = each.seconds if self._seconds is None else self._seconds
            self._seconds = before + MEMORY * (each.seconds - before)

    def lost(self, units: Sequence[U], deaths: int, sentence: str) -> tuple[Done[U, T], ...]:
        """Put lost units back, each on its own; one that was alone each time is given up in the end."""
        if len(units) > 1:
            self._again += [([unit], 0) for unit in units]
        elif deaths + 1 < DEATHS:
            self._again.append((units, deaths + 1))
        else:
            said = Problem(error_type=WorkerLostError.__name__, message=f"{sentence}; it was tried {DEATHS} times")
            return (Done(unit=units[0], problem=said),)
        return ()

    def _size(self) -> int:
        if self._seconds is None:
            return 1
        return max(1, min(LARGEST_CHUNK, round(CHUNK_SECONDS / max(self._seconds, 1e-6))))
