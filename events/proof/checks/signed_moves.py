"""Checks that a seat taken with a player's key moves only with signatures by that key."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain import match as life
from domain.core.game import AnyGame
from events.proof.findings import Fact, Finding, SignedSeat, bad, good, skip_check
from events.proof.player_keys import is_player_key, is_signed, move_message, seat_message

UNSIGNED: Final = "No seat has a key: only the server that ran the match vouches for the moves."

OF_SEATS: Final = frozenset(event.__name__ for event in life.LIFE)
"""The events of all matches: they are known to be a seat's moves in every game."""

USUAL: Final = ("by", "seat")
"""The fields that can name the seat that moved; the first one present counts. A game may use another."""

NO_MOVES: Final = frozenset(["DecisionTimedOut", "ClockCredited", "NonceCommitted", "NonceSubmitted"])
"""A commit that begins with one of these is no move of the seat that it names."""


def check_signed_moves(
    match_id: str, facts: Sequence[Fact], game: AnyGame | None, unknown: str
) -> tuple[Finding, list[SignedSeat]]:
    """Check every move of the seats with keys, and list these seats.

    `unknown` says why the game's moves are unknown, if `game` is None.
    """
    found = _Found(match_id, facts, game)
    for n, fact in enumerate(facts, 1):
        if (why := found.wrong(n, fact)) is not None:
            return bad("moves", n, why), []
    if not found.keys:
        return good("moves", UNSIGNED), []
    seats = [SignedSeat(seat, key) for seat, key in sorted(found.keys.items())]
    if game is None:
        return skip_check("moves", f"{unknown} So it is unknown which events are moves."), seats
    whose = ", ".join(f"seat {each.seat} by {each.key}" for each in seats)
    if found.signed and not found.opened:
        why = f"The signatures are still sealed: {whose}."
        return skip_check("moves", why, sealed=True), seats
    return good("moves", f"Of {found.signed} signed moves, {found.opened} are open and valid: {whose}."), seats


class _Found:
    """The findings so far: the keys of the seats, the seats that a bot plays, and the number of signed moves.

    The public fields name an event's seat: `by`, or else `seat`, unless the game names another.
    """

    def __init__(self, match_id: str, facts: Sequence[Fact], game: AnyGame | None) -> None:
        self._match, self._facts = match_id, facts
        by = game.answers.by if game else {}
        self._own = {kind.__name__: name.rstrip("_") for kind, name in by.items() if name not in USUAL}
        self._brings = game.entry.event.__name__ if game and game.entry else None
        self._knows_moves = game is not None
        self._started = False
        self._proved = 0
        self._handed: set[int] = set()
        self.keys: dict[int, str] = {}
        self.signed = self.opened = 0

    def wrong(self, n: int, fact: Fact) -> str | None:
        """Check event number n, and return its fault."""
        if fact.type == "MoveSigned":
            return self._not_signed(n, fact)
        if fact.commit == n and self._started and (why := self._unsigned(fact)):
            return why
        seat = fact.data.get("seat")
        match fact.type:
            case "MatchStarted":
                self._started = True
            case "KeyProved" if n != self._proved:
                return "This proves possession of a key, but the seat was taken without one."
            case "SeatTaken" | "SeatLeft" if type(seat) is int:
                return self._seated(seat, fact.data.get("player_key")) or self._unproved(n, fact)
            case "SeatHandedToBot" if type(seat) is int:
                self._handed.add(seat)
            case "SeatTakenBack" if type(seat) is int:
                self._handed.discard(seat)
        return None

    def _seated(self, seat: int, key: Any) -> str | None:
        self.keys.pop(seat, None)
        if key is not None:
            self.keys[seat] = key
        return None if key is None or is_player_key(key) else "The key of the seat is invalid."

    def _unproved(self, n: int, fact: Fact) -> str | None:
        """Return why the next event does not prove that the key of a seat is its player's."""
        key, seat, player = (fact.data.get(name) for name in ("player_key", "seat", "player"))
        if key is None:
            return None
        follows = next(iter(self._facts[n : n + 1]), None)
        its = None if follows is None else (follows.type, follows.commit, follows.data.get("seat"))
        if follows is None or type(seat) is not int or its != ("KeyProved", fact.commit, seat):
            return "The player has not proved possession of the key."
        self._proved = n + 1
        text = seat_message(str(player), None if fact.commit == 1 else self._match, seat)
        if is_signed(key, follows.data.get("signature"), text):
            return None
        return "The signature that proves possession of the key is invalid."

    def _unsigned(self, first: Fact) -> str | None:
        """Return why a commit that begins like this needs a signature."""
        seat = self._mover(first)
        if seat not in self.keys or first.type in NO_MOVES or first.type == self._brings:
            return None
        if not self._knows_moves and first.type not in OF_SEATS:
            return None
        if first.cause == "bot" and seat in self._handed:
            return None
        return f"Seat {seat} has moved without the signature of its player."

    def _not_signed(self, n: int, fact: Fact) -> str | None:
        seat, follows = fact.data.get("seat"), self._facts[n : n + 1]
        if fact.commit != n or not self._started or fact.cause != "move":
            return "A signed move must begin a commit of the play."
        if type(seat) is not int or seat not in self.keys:
            return "The seat has no key to sign with."
        if not follows or (follows[0].commit, follows[0].cause) != (fact.commit, "move"):
            return "The next event is not the signed move."
        if (self._knows_moves or follows[0].type in OF_SEATS) and self._mover(follows[0]) not in (None, seat):
            return "The next event is another seat's move."
        self.signed += 1
        return self._does_not_hold(n, fact, seat)

    def _does_not_hold(self, n: int, fact: Fact, seat: int) -> str | None:
        parts = [fact.parts.get(name, {}) for name in ("move", "signature")]
        if not all(str(seat) in part for part in parts):
            return None
        move, signature = (part[str(seat)] for part in parts)
        self.opened += 1
        text = move_message(self._match, seat, n - 1, self._facts[n - 2].digest, move)
        return None if is_signed(self.keys[seat], signature, text) else "The signature of the move is invalid."

    def _mover(self, fact: Fact) -> int | None:
        named: Mapping[str, Any] = fact.data
        seats = [named.get(name) for name in (self._own.get(fact.type), *USUAL) if name]
        return next((seat for seat in seats if type(seat) is int), None)
