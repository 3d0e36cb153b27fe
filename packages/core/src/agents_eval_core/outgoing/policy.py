"""What outgoing requests may do: to which hosts, at which addresses, for how long and how often."""

import ssl
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address

from httpcore2 import default_ssl_context

from agents_eval_core.outgoing.public_address import is_public
from agents_eval_core.outgoing.resolver import Endpoint, resolve


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Where requests may go. It is made in code, never from a setting: a setting would be a way around it.

    Attributes:
        hosts: The exact host names, in lower case.
        resolve: Gives the addresses of a host; all are checked, and the connection goes to one of the checked ones.
        may_connect: Whether an address may be connected to.
        tls: Makes the context that checks certificates; by default against the system's trust store.
    """

    hosts: frozenset[str]
    resolve: Callable[[str, int], Awaitable[Sequence[Endpoint]]] = resolve
    may_connect: Callable[[IPv4Address | IPv6Address], bool] = is_public
    tls: Callable[[], ssl.SSLContext] = default_ssl_context


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What requests may take.

    Attributes:
        connect_seconds: To look the host up and to connect.
        read_seconds: Without a byte.
        total_seconds: For one attempt, redirects and body included.
        attempts: For one URL, the first included.
        first_wait_seconds: Before the second attempt, at most; it doubles with each further one.
        longest_wait_seconds: Before any attempt, also when the host asks for more: then it ends at once.
        concurrency: Requests at a time.
        redirects: In a row.
    """

    connect_seconds: float = 10.0
    read_seconds: float = 30.0
    total_seconds: float = 300.0
    attempts: int = 5
    first_wait_seconds: float = 1.0
    longest_wait_seconds: float = 60.0
    concurrency: int = 4
    redirects: int = 5
