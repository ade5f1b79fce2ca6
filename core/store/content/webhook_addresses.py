"""Where webhooks may go: what an address has to look like, and which machines may stand behind it.

A server that asks any address it is given could be made to ask machines that only it can reach. So
each machine has to be public, unless whoever started the server named its network.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

from core.errors import BadInput, NotAllowed
from core.settings import Network

LONGEST_ADDRESS = 1000
PORTS = (443, 8443)
"""Of public machines: what is meant to be asked over TLS."""

_SIGNS = re.compile(r"[!-~]+")
_NAME = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*\.?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_NAT64 = IPv6Network("64:ff9b::/96")
_UNICAST = IPv6Network("2000::/3")

_SPECIAL = tuple(
    map(
        ip_network,
        (
            "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16",
            
                "172.16.0.0/12",
                "192.0.0.0/24",
                "192.0.2.0/24",
                "192.31.196.0/24",
                "192.52.193.0/24",
            "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15",
            "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4", "224.0.0.0/4",
            "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16",
            "2620:4f:8000::/48", "3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10", "ff00::/8",
        ),
    )
)  # fmt: skip
"""The special-purpose registries of IANA (RFC 6890), whole: what Python knows of them differs by
its version, and takes some of what is in them for public."""

Machine = IPv4Address | IPv6Address


@dataclass(frozen=True)
class WebhookAddress:
    """An address that was read: ``path`` is what is asked for, with its query."""

    scheme: str
    host: str
    port: int
    path: str


def read_target(address: str, networks: Sequence[Network] = ()) -> WebhookAddress:
    """Read an address by its form alone; nothing is asked.

    Parameters
    ----------
    networks : sequence of networks
        Those that are allowed besides public machines.

    Raises
    ------
    BadInput
        It is no address that a webhook can have.
    """
    if not _SIGNS.fullmatch(address) or len(address) > LONGEST_ADDRESS or "\\" in address:
        raise _refuse("an address looks like https://example.org/hook")
    try:
        parts = urlsplit(address)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError as error:
        raise _refuse("an address looks like https://example.org/hook") from error
    if parts.scheme not in ("https", "http"):
        raise _refuse("an address begins with https://")
    target = WebhookAddress(
        parts.scheme,
        host,
        {"https": 443, "http": 80}[parts.scheme] if port is None else port,
        (parts.path or "/") + (f"?{parts.query}" if parts.query else ""),
    )
    require_form(parts.netloc, bool(parts.fragment), target, networks)
    return target


def require_form(
    netloc: str, has_fragment: bool, target: WebhookAddress, networks: Sequence[Network]
) -> None:
    """Raise BadInput for what an address may not have, and for a machine by a number of its own."""
    if "@" in netloc:
        raise _refuse("an address has neither a user nor a password in it")
    if has_fragment:
        raise _refuse("an address has no # in it")
    if target.scheme == "http" and not networks:
        raise _refuse("an address begins with https://")
    if not 1 <= target.port <= 65535:
        raise _refuse("there is no such port")
    machine = _read_machine(target.host)
    if machine is None and (
        not _NAME.fullmatch(target.host)
        or _NUMBER.fullmatch(target.host.rstrip(".").rpartition(".")[2])
    ):
        raise _refuse("this is no name of a machine")
    if machine is None and target.port not in PORTS and not networks:
        raise _refuse(f"the port of an address is {PORTS[0]} or {PORTS[1]}")
    if machine is not None:
        try:
            require_allowed(target, [target.host], networks)
        except NotAllowed as error:
            raise _refuse(str(error)) from error


def require_allowed(
    target: WebhookAddress, machines: Iterable[str], networks: Sequence[Network]
) -> None:
    """Raise NotAllowed unless every machine behind an address is one that may be asked.

    Parameters
    ----------
    machines : iterable of str
        What the name stands for now, as numbers.
    networks : sequence of networks
        Those that are allowed besides public machines: by any port, and without TLS.
    """
    found = [_read_machine(one) for one in machines]
    if not found:
        raise NotAllowed("nothing stands behind this name")
    for one in found:
        if one is not None and any(one in network for network in networks):
            continue
        if one is None or not _is_public(one):
            raise NotAllowed("the machine behind this address is not public")
        if target.scheme != "https":
            raise NotAllowed("public machines are asked by https:// only")
        if target.port not in PORTS:
            raise NotAllowed(f"public machines are asked by port {PORTS[0]} or {PORTS[1]} only")


def _read_machine(text: str) -> Machine | None:
    """Return a machine by its number; an IPv6 form of an IPv4 address is that address."""
    try:
        machine = ip_address(text)
    except ValueError:
        return None
    if isinstance(machine, IPv6Address):
        if machine.scope_id is None and machine in _NAT64:
            return IPv4Address(int(machine) & 0xFFFF_FFFF)
        return machine.ipv4_mapped or machine.sixtofour or machine
    return machine


def _is_public(machine: Machine) -> bool:
    if isinstance(machine, IPv6Address) and machine not in _UNICAST:
        return False
    if any(machine in one for one in _SPECIAL if one.version == machine.version):
        return False
    return machine.is_global and not (
        machine.is_multicast
        or machine.is_reserved
        or machine.is_unspecified
        or machine.is_loopback
        or machine.is_link_local
        or machine.is_private
    )


def _refuse(reason: str) -> BadInput:
    return BadInput(reason, field="address")
