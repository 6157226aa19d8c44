"""Names the senders of requests: players by their tokens, all others by the network that they come from."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from ipaddress import IPv6Address, ip_address
from typing import Any, Final

from werkzeug.http import parse_list_header

from api.http.fair_queue import Asker

WITH_PORT: Final = re.compile(r"([0-9.]+):[0-9]+|\[([0-9A-Fa-f:.]+)\](?::[0-9]+)?")
"""Some proxies add the client's port to its address, and it differs for each connection."""


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
    """Return the address of a request's client, as reported by the given number of trusted proxies (`ProxyFix`)."""
    if proxies:
        said = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
        addresses = parse_list_header(",".join(said))
        if len(addresses) >= proxies:
            return addresses[-proxies]
    return scope["client"][0] if scope["client"] else None


MOST_PLAYERS: Final = 10_000
"""The maximum number of tokens that are remembered as players'."""


class KnownCallers:
    """Remembers which tokens the app has recognised.

    Any other token says nothing, because anyone can invent tokens. All requests with such a token or without one count
    as one caller: their network.
    """

    def __init__(self, proxies: int) -> None:
        self._proxies = proxies
        self._players: dict[int, None] = {}

    def name(self, scope: Mapping[str, Any]) -> tuple[Asker, Callable[[], None]]:
        """Return the caller of a request, and a function to call once the app has recognised its token."""
        token = next((hash(value) for name, value in scope["headers"] if name == b"authorization"), 0)
        network = network_of(address_of_client(scope, self._proxies))
        return Asker(network, token if token in self._players else 0), partial(self._recognise, token)

    def _recognise(self, token: int) -> None:
        # It is called in many threads; each step is atomic.
        self._players[token] = None
        if len(self._players) > MOST_PLAYERS:
            self._players.pop(next(iter(self._players)), None)
