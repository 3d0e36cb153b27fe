"""Files on their way from a host into a folder: several at a time, each checked before it is kept."""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from agents_eval_core.errors import AgentsEvalError, NetworkError, RateLimitedError, StorageError, UnreachableError
from agents_eval_core.ports.remote_dataset import Fetcher, RemoteDataset
from agents_eval_core.remote_file import RemoteFile
from agents_eval_core.store.paper_folder import PaperFolder
from agents_eval_core.use_cases.download import FailedFile, TransferProgress

AT_A_TIME: Final = 4
TRIES: Final = 3


@dataclass(slots=True, kw_only=True)
class Transfer:
    """What is fetched, and what has come of it so far."""

    folder: PaperFolder
    dataset: RemoteDataset
    fetcher: Fetcher
    on_progress: Callable[[TransferProgress], None]
    kept: int = 0
    fetched: int = 0
    failed: list[FailedFile] = field(default_factory=list[FailedFile])
    _bytes: int = 0
    _totals: tuple[int, int] = (0, 0)
    _end: AgentsEvalError | None = None

    async def run(self, files: Iterable[RemoteFile]) -> None:
        """Fetch the files that are not there whole.

        A file that does not come is noted, and the others go on. Where nothing can come any more (no network, no more
        requests, no room on the disk) it ends.

        Raises:
            NetworkError: It ended before its time; what was fetched is kept.
            StorageError: A file could not be written.
        """
        wanted = tuple(files)
        self._totals = len(wanted), sum(file.size for file in wanted)
        states = await asyncio.to_thread(lambda: [self.folder.state(file) for file in wanted])
        whole = [file for file, state in zip(wanted, states, strict=True) if state == "whole"]
        self.kept, self._bytes = len(whole), sum(file.size for file in whole)
        self._tell()
        rest = iter([file for file, state in zip(wanted, states, strict=True) if state != "whole"])
        async with asyncio.TaskGroup() as workers:
            for _ in range(AT_A_TIME):
                workers.create_task(self._work(rest))
        if self._end is not None:
            raise self._early(self._end) from self._end

    async def _work(self, rest: Iterator[RemoteFile]) -> None:
        for file in rest:
            if self._end is not None:
                return
            try:
                await self._fetch(file)
            except (UnreachableError, RateLimitedError, StorageError) as problem:
                self._end = self._end or problem
            except NetworkError as problem:
                self.failed.append(FailedFile(path=file.path, problem=str(problem)))

    async def _fetch(self, file: RemoteFile) -> None:
        url = self.dataset.url(file)
        problem: str | None = None
        for _ in range(TRIES):
            content = await self.fetcher.get(url, largest_bytes=file.size)
            problem = file.problem_of(content)
            if problem is None:
                await asyncio.to_thread(self.folder.keep, file, content)
                self.fetched += 1
                self._bytes += file.size
                self._tell()
                return
        raise NetworkError(f"{url} came {TRIES} times, but {problem}; try again later")

    def _tell(self) -> None:
        files, size = self._totals
        done = self.kept + self.fetched
        self.on_progress(TransferProgress(files_done=done, files_total=files, bytes_done=self._bytes, bytes_total=size))

    def _early(self, problem: AgentsEvalError) -> AgentsEvalError:
        done = self.kept + self.fetched
        return type(problem)(
            f"{done} of {self._totals[0]} files are there; the same command goes on from here: {problem}"
        )
