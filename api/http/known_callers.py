"""Names who sends a request, before the app has read it."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from api.http.client_networks import address_of_client, network_of
from api.http.fair_queue import Asker

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
        """Return the caller of a request, and what to call once the app has recognised its token."""
        token = next((hash(value) for name, value in scope["headers"] if name == b"authorization"), 0)
        network = network_of(address_of_client(scope, self._proxies))
        return Asker(network, token if token in self._players else 0), partial(self._recognise, token)

    def _recognise(self, token: int) -> None:
        # It is called in many threads; each step is whole.
        self._players[token] = None
        if len(self._players) > MOST_PLAYERS:
            self._players.pop(next(iter(self._players)), None)
