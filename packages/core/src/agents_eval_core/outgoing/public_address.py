"""Which IP addresses are somebody on the public internet, and not this machine, its network or a tunnel into it."""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Final

GLOBAL_UNICAST: Final = IPv6Network("2000::/3")
NAT64: Final = IPv6Network("64:ff9b::/96")
IPV4_BITS: Final = 0xFFFF_FFFF
# Beside what `is_global` leaves out (the IANA registries of special-purpose addresses): relays and tunnels, behind
# whose addresses others stand, and ranges that older versions of Python still take for public ones.
NOT_PUBLIC: Final = (
    IPv4Network("0.0.0.0/8"),
    IPv4Network("100.64.0.0/10"),
    IPv4Network("192.0.0.0/24"),
    IPv4Network("192.88.99.0/24"),
    IPv6Network("2001::/23"),
    IPv6Network("2002::/16"),
    IPv6Network("3fff::/20"),
)


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address is a public unicast one.

    An IPv6 address that only carries an IPv4 one, as a NAT64 gateway makes them, is as public as that; an IPv4-mapped
    one (`::ffff:…`) is not public, whatever it carries: no resolver gives such an answer for a public host.

    References:
        IANA IPv4 and IPv6 Special-Purpose Address Registries; RFC 4291, 6052, 6890.

    >>> from ipaddress import ip_address
    >>> [is_public(ip_address(text)) for text in ("140.82.121.6", "10.0.0.1", "169.254.169.254", "::ffff:8.8.8.8")]
    [True, False, False, False]
    >>> is_public(ip_address("64:ff9b::8c52:7906")), is_public(ip_address("64:ff9b::7f00:1"))
    (True, False)
    """
    if isinstance(address, IPv6Address):
        if address in NAT64:
            return is_public(IPv4Address(int(address) & IPV4_BITS))
        if address not in GLOBAL_UNICAST:
            return False
    if any(address in network for network in NOT_PUBLIC if network.version == address.version):
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved)
