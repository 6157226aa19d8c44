"""Folds the events of a match as the player is shown them, to check the hand that the server's table shows."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import convert

from domain import match as life
from domain.core.scene import HAND, as_json
from domain.core.visibility import SPECTATORS, Reader
from domain.games.catalogue import GAMES
from domain.match import Match
from events.log.codec import shapes
from events.proof.findings import Fact
from events.proof.record import Item, fact


class OwnHand:
    """Follows a match by its events, as far as its game and its version of the rules are installed here."""

    def __init__(self, match_id: str) -> None:
        self._match_id = match_id
        self._match: Match | None = None
        self._seats, self._taken, self._is_followed = 0, 0, True

    def take(self, events: Sequence[Mapping[str, Any]], seat: int | None) -> None:
        """Take in the next events from the feed of the seat, or that of spectators."""
        reader = SPECTATORS if seat is None else str(seat)
        for event in events:
            if self._is_followed and event["seq"] == self._taken + 1:
                self._taken += 1
                try:
                    self._evolve(fact(convert(event, Item), reader), reader)
                except Exception:  # whatever an event of other rules, or a forged one, does to ours
                    self._is_followed = False

    def differs(self, match: Mapping[str, Any]) -> bool:
        """Return whether a table that is being played shows other cards in the player's hand than the events do."""
        seat, scene = match["your_seat"], match["scene"]
        if not self._is_followed or self._match is None or self._match.table is None:
            return False
        if seat is None or scene is None or (match["version"], match["status"]) != (self._taken, "playing"):
            return False
        own = as_json(self._match.game.scene(self._match.table, seat))
        return _hand(own, seat) != _hand(scene, seat)

    def _evolve(self, event: Fact, reader: Reader) -> None:
        if self._match is None:
            game = GAMES[event.data["game"]]
            self._is_followed = event.data["rules"] == life.rules_of(game)
            self._seats = len(event.data["seats"])
            self._match = life.initial_match(game, self._match_id, self._read(event, game.name, reader))
        else:
            life.evolve(self._match, self._read(event, self._match.game.name, reader))

    def _read(self, event: Fact, game: str, reader: Reader) -> Any:
        shape = shapes(game)[event.type]
        return shape.event(shape.upcast(event.v, event.data), self._seats, event.parts, reader)


def _hand(scene: Mapping[str, Any], seat: int) -> list[str]:
    """Return the cards in a seat's hand, in order."""
    hands = [zone for zone in scene["zones"].values() if zone["kind"] == HAND and zone["seat"] == seat]
    return sorted(str(spot["card"]) for zone in hands for spot in zone["spots"])
