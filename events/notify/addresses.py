"""Vets the addresses of webhooks. They are https and global, unless the operator allows others.

An address is vetted in every form in which it can hold another: IPv4 mapped into IPv6, tunnelled, translated.
"""

import re
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final
from urllib.parse import urlsplit

from domain.core.values import value
from events.settings import Settings

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

LONGEST: Final = 2_000

_PRINTED: Final = re.compile(r"[\x21-\x7e]+")
_NAME: Final = re.compile(r"(?=.{1,253}\Z)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_](?:[a-z0-9_-]{0,62}))*")
_PATH: Final = re.compile(r"[A-Za-z0-9\-._~!$&'()*+,;=:@/%?]*")

_GLOBAL_UNICAST: Final = ip_network("2000::/3")
_NOT_FOR_ALL: Final = tuple(
    map(
        ip_network,
        (
            "192.0.0.0/24",  # protocol assignments
            "192.88.99.0/24",  # relays from 6to4
            "168.63.129.16/32",  # the metadata address of Azure machines
            "2001::/23",  # protocol assignments
            "2001:db8::/32",
            "3fff::/20",  # documentation
        ),
    )
)
_NAT64: Final = ip_network("64:ff9b::/96")
_COMPATIBLE: Final = ip_network("::/96")


class BadAddress(ValueError):
    """A forbidden address; the message explains why to its owner."""


@value
class Target:
    """The parts of an address; `path` includes the query."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        """Return the value of the header Host."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == {"https": 443, "http": 80}[self.scheme] else f"{host}:{self.port}"

    @property
    def site(self) -> str:
        """Return the site of a host, by the last two labels of its name.

        All names of one site count as one.
        """
        return self.host if _literal(self.host) else ".".join(self.host.split(".")[-2:])


@value
class Allowed:
    """The schemes, ports and networks that the operator allows."""

    http: bool
    ports: tuple[range, ...]
    networks: tuple[Network, ...]


def read_allowed_addresses(settings: Settings) -> Allowed:
    """Read what the operator allows. Raise `ValueError` with the name of an invalid setting."""
    try:
        ports = tuple(
            range(int(low), int(high or low) + 1)
            for low, _, high in (part.partition("-") for part in settings.dealt_webhook_ports.split(","))
        )
    except ValueError:
        ports = ()
    if not ports or not all(0 < each.start < each.stop <= 65_536 for each in ports):
        raise ValueError("DEALT_WEBHOOK_PORTS must be ports and ranges, like 443,8000-8999")
    try:
        networks = tuple(ip_network(part.strip()) for part in settings.dealt_webhook_networks.split(",") if part)
    except ValueError as error:
        raise ValueError(f"DEALT_WEBHOOK_NETWORKS: {error}") from None
    return Allowed(bool(settings.dealt_webhook_http), ports, networks)


def read_url(url: str, rules: Allowed) -> Target:
    """Parse a webhook's URL. Raise `BadAddress`; the resolved address is checked when it is called."""
    if len(url) > LONGEST or not _PRINTED.fullmatch(url) or "\\" in url:
        raise BadAddress(f"Must be a URL of at most {LONGEST} ASCII characters, without spaces.")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise BadAddress("Must be a URL such as https://example.org/dealt.") from None
    schemes = ("https", "http") if rules.http else ("https",)
    if parts.scheme not in schemes:
        raise BadAddress(f"The URL must begin with {' or '.join(s + '://' for s in schemes)}.")
    if "@" in parts.netloc:
        raise BadAddress("Leave out the user and password. Requests are signed instead.")
    if "#" in url:
        raise BadAddress("Leave out the part from `#`.")
    host = _host(parts.hostname or "")
    port = port if port is not None else {"https": 443, "http": 80}[parts.scheme]
    ports = (*rules.ports, range(80, 81)) if rules.http else rules.ports
    if not any(port in some for some in ports):
        raise BadAddress(f"Port {port} is not allowed.")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if not _PATH.fullmatch(path):
        raise BadAddress("Percent-encode the part after the host.")
    if (literal := _literal(host)) is not None:
        vet(literal, rules)
    return Target(parts.scheme, host, port, path)


def _host(host: str) -> str:
    host = host.lower()
    if _literal(host) is None and not _NAME.fullmatch(host):
        raise BadAddress("The URL needs a host, such as example.org.")
    return host


def _literal(host: str) -> Address | None:
    try:
        return None if "%" in host else ip_address(host)
    except ValueError:
        return None


def vet(address: Address, rules: Allowed) -> None:
    """Raise `BadAddress` unless the address, and every one embedded in it, is global or allowed."""
    if any(address in network for network in rules.networks if network.version == address.version):
        return
    inner = list(_inside(address))
    if not (inner or _is_global(address)) or not all(_is_global(each) for each in inner):
        raise BadAddress(f"{address} is not a global address.")


def _inside(address: Address) -> Iterator[Address]:
    """Return the addresses that are embedded in this one."""
    if isinstance(address, IPv4Address):
        return
    low = IPv4Address(int(address) & 0xFFFF_FFFF)
    if address.ipv4_mapped is not None:
        yield address.ipv4_mapped
    if address.sixtofour is not None:
        yield address.sixtofour
    if address.teredo is not None:
        yield from address.teredo
    if address in _NAT64 or address in _COMPATIBLE:
        yield low
    if (int(address) >> 32) & 0xFCFF_FFFF == 0x0000_5EFE:  # ISATAP
        yield from (low, address)


def _is_global(address: Address) -> bool:
    if any(address in network for network in _NOT_FOR_ALL if network.version == address.version):
        return False
    if isinstance(address, IPv6Address) and address not in _GLOBAL_UNICAST:
        return False
    return address.is_global and not (
        address.is_multicast or address.is_reserved or address.is_unspecified or address.is_loopback
    )
