"""Checks the header `Host` of a request (RFC 9112, section 3.2)."""

import re
from collections.abc import Iterable
from ipaddress import IPv6Address
from typing import Final

HOW: Final = "Send one `Host` header with the server's name, such as `Host: cards.example`."
"""The advice to the sender of a request without a valid one."""


def has_valid_host(version: tuple[int, int], headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Return whether a request names one host, and names it validly; HTTP/1.0 may name none.

    An empty host is invalid too, since an `http` address has one (RFC 9110, section 4.2.1).
    """
    hosts = [value for name, value in headers if name.lower() == b"host"]
    if not hosts:
        return version < (1, 1)
    return len(hosts) == 1 and _is_host(hosts[0])


def _is_host(value: bytes) -> bool:
    found = _HOST.fullmatch(value)
    if not found or int(found["port"] or 0) > MOST_PORT:
        return False
    try:
        return found["ip"] is None or bool(IPv6Address(found["ip"].decode()))
    except ValueError:
        return False


_HOST: Final = re.compile(
    rb"(?:\[(?P<ip>[0-9A-Fa-f:.]+)\]|(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+)(?::(?P<port>[0-9]{0,5}))?"
)
"""A host and a port (RFC 3986, section 3.2.2)."""

MOST_PORT: Final = 65_535
