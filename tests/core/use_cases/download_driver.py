"""Downloads once from a host on this machine, in a process that may be killed.

Arguments: data root, file of the certificate, port, and the write to die at: its name (`write`, `fsync`, `replace`)
and number, or `none 0`. A death at a write leaves half of it behind.
"""

import asyncio
import os
import signal
import ssl
import sys
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from typing import Any

from agents_eval_core.outgoing.policy import Limits, Policy
from agents_eval_core.ports.remote_dataset import PaperSelection
from agents_eval_core.settings import Settings
from agents_eval_core.use_cases.download_papers import download_papers


def main(home: str, authority: str, port: str, write: str, number: str) -> None:
    if write != "none":
        real = getattr(os, write)
        setattr(os, write, _dying(real, write, int(number)))

    async def here(_host: str, _port: int) -> tuple[tuple[str, int], ...]:
        return (("127.0.0.1", int(port)),)

    policy = Policy(
        hosts=frozenset({"api.github.com", "raw.githubusercontent.com"}),
        resolve=here,
        may_connect=_is_loopback,
        tls=lambda: ssl.create_default_context(cafile=authority),
    )
    selection = PaperSelection(venues=("iclr_2017",), with_pdfs=True)
    settings = Settings(AGENTS_EVAL_HOME=Path(home))  # pyright: ignore[reportCallIssue]  by its alias
    limits = Limits(first_wait_seconds=0.01)
    asyncio.run(download_papers(selection, settings=settings, policy=policy, limits=limits))


def _is_loopback(address: IPv4Address | IPv6Address) -> bool:
    return address.is_loopback


def _dying(real: Callable[..., Any], name: str, number: int) -> Callable[..., Any]:
    seen = [0]

    def call(*arguments: Any) -> Any:
        seen[0] += 1
        if seen[0] < number:
            return real(*arguments)
        if name == "write":
            real(arguments[0], bytes(arguments[1])[: len(arguments[1]) // 2])
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError(name)

    return call


if __name__ == "__main__":
    main(*sys.argv[1:])
