"""Connections to addresses that were checked: the host is looked up once, and that answer is used."""

import asyncio
from collections.abc import Iterable, Sequence
from ipaddress import ip_address

from httpcore2 import (
    SOCKET_OPTION,
    AnyIOBackend,
    AsyncNetworkBackend,
    AsyncNetworkStream,
    ConnectError,
    ConnectTimeout,
)

from agents_eval_core.errors import RefusedError
from agents_eval_core.outgoing.policy import Policy
from agents_eval_core.outgoing.resolver import Endpoint


class NoConnectionError(ConnectError):
    """The host has no address, or none of them answers."""


class PinnedBackend(AsyncNetworkBackend):
    """Looks a host up, checks every address of the answer, and connects to one of these addresses.

    TLS goes on top of the connection with the name of the host, so the certificate is still checked against the name.
    There is no second look-up that could give another answer (DNS rebinding).
    """

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._backend = AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109  the signature of httpcore2
        local_address: str | None = None,
        socket_options: Iterable[SOCKET_OPTION] | None = None,
    ) -> AsyncNetworkStream:
        """Return a connection to a checked address.

        Raises:
            RefusedError: An address is one that may not be connected to; nothing was sent.
            NoConnectionError: There is no address, or none answers in time.
        """
        try:
            async with asyncio.timeout(timeout):
                endpoints = await self._policy.resolve(host, port)
                self._refuse(host, endpoints)
                return await self._first_that_answers(endpoints, local_address, socket_options)
        except TimeoutError as problem:
            raise NoConnectionError(f"no answer within {timeout:g} s") from problem
        except OSError as problem:
            raise NoConnectionError(problem.strerror or str(problem)) from problem

    def _refuse(self, host: str, endpoints: Sequence[Endpoint]) -> None:
        for address, _ in endpoints:
            if not self._policy.may_connect(ip_address(address)):
                raise RefusedError(
                    f"{host} is not asked: it has the address {address}, which is none of the public internet; "
                    "the name server of this network sends that host elsewhere; try again in another network"
                )

    async def _first_that_answers(
        self, endpoints: Sequence[Endpoint], local_address: str | None, options: Iterable[SOCKET_OPTION] | None
    ) -> AsyncNetworkStream:
        problem: ConnectError | ConnectTimeout | None = None
        for address, port in endpoints:
            try:
                return await self._backend.connect_tcp(
                    address, port, local_address=local_address, socket_options=options
                )
            except (ConnectError, ConnectTimeout) as refused:
                problem = refused
        raise NoConnectionError(str(problem or "it has no address")) from problem
