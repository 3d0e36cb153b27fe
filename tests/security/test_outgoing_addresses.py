"""Names that are allowed but lead to addresses that are not (defect D27)."""

import socket
from collections.abc import Callable, Sequence
from dataclasses import replace
from ipaddress import ip_address

import pytest
from httpcore2 import AnyIOBackend

from agents_eval_core.errors import NetworkError, RefusedError
from agents_eval_core.outgoing.client import OutgoingClient
from agents_eval_core.outgoing.policy import Limits, Policy
from agents_eval_core.outgoing.public_address import is_public

Answer = Callable[[str, str], bytes]
ONCE = Limits(connect_seconds=5.0, read_seconds=5.0, total_seconds=10.0, attempts=1)


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "140.82.121.6", "185.199.108.133", "2606:50c0:8000::154", "64:ff9b::8c52:7906"]
)
def test_public_addresses_are_connected_to(address: str) -> None:
    assert is_public(ip_address(address))


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.255.255.254", "0.0.0.1", "0.1.2.3", "10.1.2.3", "172.16.0.1", "172.31.255.255",
        "192.168.1.1", "169.254.169.254", "100.64.0.1", "192.0.0.1", "192.0.2.1", "192.88.99.1", "198.18.0.1",
        "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255",
        "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:8.8.8.8", "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::", "2002:a00:1::",
        "3fff::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1",
    ],
)  # fmt: skip
def test_addresses_that_are_not_public_are_not_connected_to(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize(
    "addresses", [["127.0.0.1"], ["8.8.8.8", "10.0.0.1"], ["::1"], ["fe80::1%lo"], ["169.254.169.254"]]
)
async def test_a_host_with_any_private_address_is_not_connected_to(
    addresses: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def lies(_host: str, port: int) -> list[tuple[str, int]]:
        return [(address, port) for address in addresses]

    async def never(*_: object, **__: object) -> None:
        raise AssertionError("a connection was made")

    monkeypatch.setattr(AnyIOBackend, "connect_tcp", never)
    async with OutgoingClient(Policy(hosts=frozenset({"api.github.com"}), resolve=lies), ONCE) as client:
        with pytest.raises(RefusedError, match="none of the public internet"):
            await client.get("https://api.github.com/", largest_bytes=10)


async def test_the_address_that_was_checked_is_the_one_that_is_connected_to(
    serve: Callable[[Answer], Policy], reply: Callable[..., bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name server that gives another answer the second time (DNS rebinding) is never asked a second time."""
    policy = serve(lambda _host, _target: reply(b"whole"))
    asked: list[str] = []

    async def once(host: str, port: int) -> Sequence[tuple[str, int]]:
        asked.append(host)
        return await policy.resolve(host, port)

    def never(*_: object, **__: object) -> object:
        raise AssertionError("the system was asked for a name")

    monkeypatch.setattr(socket, "getaddrinfo", never)
    async with OutgoingClient(replace(policy, resolve=once), ONCE) as client:
        assert await client.get("https://files.test/a", largest_bytes=10) == b"whole"
    assert asked == ["files.test"]


async def test_the_certificate_must_be_that_of_the_name_that_was_asked_for(
    serve: Callable[[Answer], Policy], reply: Callable[..., bytes]
) -> None:
    async with OutgoingClient(serve(lambda _host, _target: reply(b"forged")), ONCE) as client:
        with pytest.raises(NetworkError, match=r"other\.test shows a certificate that is not trusted"):
            await client.get("https://other.test/", largest_bytes=10)


async def test_a_certificate_that_the_system_does_not_trust_is_refused(
    serve: Callable[[Answer], Policy], reply: Callable[..., bytes]
) -> None:
    tested = serve(lambda _host, _target: reply(b"forged"))
    policy = Policy(hosts=tested.hosts, resolve=tested.resolve, may_connect=tested.may_connect)
    async with OutgoingClient(policy, ONCE) as client:
        with pytest.raises(NetworkError, match="certificate that is not trusted"):
            await client.get("https://api.github.com/", largest_bytes=10)


async def test_proxies_of_the_environment_are_not_used(
    serve: Callable[[Answer], Policy], reply: Callable[..., bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "HTTP_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    async with OutgoingClient(serve(lambda _host, _target: reply(b"direct")), ONCE) as client:
        assert await client.get("https://files.test/", largest_bytes=10) == b"direct"
