"""Names callers without a token by the network that they come from."""

import re
from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address
from typing import Any, Final

from werkzeug.http import parse_list_header

WITH_PORT: Final = re.compile(r"([0-9.]+):[0-9]+|\[([0-9A-Fa-f:.]+)\](?::[0-9]+)?")
"""Some proxies write the client's port after its address, which is another one for each connection."""


def network_of(address: str | None) -> str:
    """Return a common key for all clients at an address: for IPv6, its first 64 bits, which one person may own."""
    found = WITH_PORT.fullmatch(address or "")
    try:
        read = ip_address((found[1] or found[2]) if found else address or "")
    except ValueError:
        return f"address {address}"
    if isinstance(read, IPv6Address):
        read = read.ipv4_mapped or IPv6Address(int(read) >> 64 << 64)
    return f"address {read}"


def address_of_client(scope: Mapping[str, Any], proxies: int) -> str | None:
    """Return the address that a request comes from, of which so many trusted proxies tell as `ProxyFix` reads them."""
    if proxies:
        said = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
        addresses = parse_list_header(",".join(said))
        if len(addresses) >= proxies:
            return addresses[-proxies]
    return scope["client"][0] if scope["client"] else None
