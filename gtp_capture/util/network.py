"""The addresses of this machine in its networks, and the ports of a class."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Container, Iterable
from contextlib import suppress
from typing import Final, NamedTuple

import psutil

ELSEWHERE: Final = {socket.AF_INET: ("192.0.2.1", 9), socket.AF_INET6: ("2001:db8::1", 9)}
"""Addresses for documentation (RFC 5737, RFC 3849). Only the routes to them are looked up; nothing is sent."""
BACKLOG: Final = 128
"""Connections that wait to be accepted."""
PORT: Final = 8765
"""The default port of a class."""
REFUSED_PORTS: Final = frozenset((
    1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109,
    110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530,
    531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190,
    5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
))  # fmt: skip
"""The ports that browsers do not open: the bad ports of the Fetch standard (https://fetch.spec.whatwg.org/#bad-port)."""


class Address(NamedTuple):
    """An IPv4 or IPv6 address of this machine."""

    text: str
    network: str
    """The name of its network interface."""
    is_tunnel: bool = False
    """Whether its link leads to one other machine, as that of a VPN."""


def parsed(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """Return an address as a value: one of IPv4 also if it is written as IPv6 (::ffff:10.0.0.7), as sockets do.

    ValueError: it is none.
    """
    value = ipaddress.ip_address(address)
    return value if isinstance(value, ipaddress.IPv4Address) else value.ipv4_mapped or value


def url(address: str, port: int) -> str:
    """Return what a browser opens: an IPv6 address stands in brackets."""
    value = parsed(address)
    return f"http://[{value}]:{port}" if value.version == 6 else f"http://{value}:{port}"


def listen(port: int, *, lan: bool) -> socket.socket:
    """Return a socket that listens, on this machine alone unless `lan`; port 0: on any one that browsers open.

    With `lan` it listens on all addresses, of IPv6 too where this system has it. OSError: the port is in use.
    """
    both = lan and socket.has_dualstack_ipv6()
    family = socket.AF_INET6 if both else socket.AF_INET
    address = "" if lan else "127.0.0.1", port
    listening = socket.create_server(address, family=family, dualstack_ipv6=both, backlog=BACKLOG)
    if port or listening.getsockname()[1] not in REFUSED_PORTS:
        return listening
    with listening:  # which keeps its port from being chosen again
        return listen(0, lan=lan)


def is_free(port: int) -> bool:
    """Whether a class can listen on a port of this machine."""
    try:
        with listen(port, lan=True):
            return True
    except OSError:
        return False


def lan_addresses() -> list[Address]:
    """Return the addresses that other machines can open, in the order of `ordered`; none outside of any network."""
    defaults = set[str]()
    for family, elsewhere in ELSEWHERE.items():
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect(elsewhere)
            defaults.add(str(probe.getsockname()[0]))
    states = psutil.net_if_stats()
    addresses = [
        Address(entry.address, name, is_tunnel=entry.ptp is not None)
        for name, entries in psutil.net_if_addrs().items()
        for entry in entries
        if entry.family in ELSEWHERE and name in states and states[name].isup
    ]
    return ordered(addresses, defaults)


def ordered(addresses: Iterable[Address], defaults: Container[str]) -> list[Address]:
    """Return the addresses that devices of a class can open, those first that they can probably open.

    Addresses of this machine alone are left out, and those of IPv6 that browsers cannot open, as they need the name of
    an interface. A network that gives this machine an IPv4 address is named by that; another one by one IPv6 address.
    The addresses of the `defaults`, which are those of the default routes, come first. Tunnels come after local
    networks, and last the addresses that machines choose where no router gives them one (RFC 3927).
    """

    def rank(address: Address) -> tuple[bool, bool, bool, bool]:
        own = ipaddress.ip_address(address.text)
        return own.is_link_local, address.is_tunnel, address.text not in defaults, own.version == 6

    four, six = list[Address](), list[Address]()
    for address in addresses:
        own = ipaddress.ip_address(address.text)
        if not (own.is_loopback or own.is_unspecified or (own.version == 6 and own.is_link_local)):
            (four if own.version == 4 else six).append(address)
    named = {address.network for address in four if not ipaddress.ip_address(address.text).is_link_local}
    best_last = sorted((address for address in six if address.network not in named), key=rank)[::-1]
    return sorted([*four, *{address.network: address for address in best_last}.values()], key=rank)
