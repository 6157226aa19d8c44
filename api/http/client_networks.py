"""Names the senders of requests: players by their tokens, all others by the network that they come from."""

import re
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from functools import partial
from ipaddress import IPv6Address, ip_address
from threading import Lock
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


MOST_TOKENS: Final = 10_000
"""The maximum number of tokens that are remembered as players'."""

MOST_TOKENS_EACH: Final = 2_000
"""The maximum number of these for one network, such as a school."""


class KnownCallers:
    """Remembers which tokens the app has recognised, and whose they are, for each network that sends them.

    Any other token says nothing, because anyone can invent tokens. All requests of a network with such a token, or
    without any, count as one caller.
    """

    def __init__(self, proxies: int) -> None:
        self._proxies = proxies
        # The app recognises tokens in its threads.
        self._lock = Lock()
        # By network, the token that was used last at the end.
        self._players: dict[str, OrderedDict[int, str]] = {}
        self._count = 0

    def name(self, scope: Mapping[str, Any]) -> tuple[Asker, Callable[[str | None], None]]:
        """Return the caller of a request, and what to call with its player once the app knows; None: with no player."""
        token = next((_token(value) for name, value in scope["headers"] if name == b"authorization"), 0)
        network = network_of(address_of_client(scope, self._proxies))
        with self._lock:
            tokens = self._players.get(network)
            player = tokens.get(token, "") if tokens else ""
        return Asker(network, player), partial(self._recognise, network, token)

    def _recognise(self, network: str, token: int, player: str | None) -> None:
        with self._lock:
            if player is None:
                self._forget(network, token)
                return
            tokens = self._players.setdefault(network, OrderedDict())
            self._count += token not in tokens
            tokens[token] = player
            tokens.move_to_end(token)
            if len(tokens) > MOST_TOKENS_EACH:
                self._forget(network, _least_missed(tokens))
            elif self._count > MOST_TOKENS:
                largest = max(self._players, key=lambda each: len(self._players[each]))
                self._forget(largest, _least_missed(self._players[largest]))

    def _forget(self, network: str, token: int) -> None:
        tokens = self._players.get(network, OrderedDict())
        if tokens.pop(token, None) is not None:
            self._count -= 1
            if not tokens:
                del self._players[network]


def _token(header: bytes) -> int:
    """Return a key of the token in a header, without the scheme and spaces, as the app reads it."""
    return hash(header.partition(b" ")[2].strip())


def _least_missed(tokens: Mapping[int, str]) -> int:
    """Return the token that was used least recently, of the player with the most tokens."""
    held = Counter(tokens.values())
    return max(tokens, key=lambda token: held[tokens[token]])
