"""Says where a server is reached that has begun to listen: by its own machine, and by others."""

import socket
from collections.abc import Iterator
from ipaddress import ip_address
from typing import Final

from events.settings import Settings

EVERYWHERE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 -- a name
"""The hosts that mean every address of the machine, with the one that the machine itself uses."""

ELSEWHERE: Final = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses in no network, by which the system is asked which of its own it would call from; nothing is sent."""


def url(host: str, port: int) -> str:
    """Write the address for a browser on this machine."""
    return _written(EVERYWHERE.get(host, host), port)


def reachability_lines(given: Settings, host: str, port: int) -> str:
    """Return lines for a greeting: how others reach the server, and what is missing for that."""
    if given.dealt_public_url.startswith("https://"):
        return f"\nOthers reach it at {given.dealt_public_url}."
    reached = [_written(own, port) for own in _own(host) if not _is_loopback(own)]
    if not reached:
        return ""
    return (
        f"\nOthers reach it at {' or '.join(reached)}, if no firewall is between."
        "\nIt speaks HTTP without TLS: who is on the way can read tokens and cards. In an open network put a proxy with"
        " TLS before it, and set DEALT_PUBLIC_URL to its address."
    )


def _own(host: str) -> Iterator[str]:
    """Return the addresses of a server on this host."""
    if host not in EVERYWHERE:
        yield host
        return
    for family, elsewhere in ELSEWHERE.items():
        if family is socket.AF_INET6 and host != "::":
            return
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as asks:
                asks.connect((elsewhere, 9))
                yield asks.getsockname()[0]
        except OSError:  # there is no way out by this family
            continue


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _written(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
