"""This projection has the seats of people that matches wait for or ask something: their inboxes."""

from domain.core.cards import Seat
from domain.core.clock import Time
from domain.match import Match, decision, requests, to_act
from events.store.records import TurnRow


def rows(before: Match | None, after: Match, version: int, at: Time) -> list[TurnRow] | None:
    """Give the turns that people are to take, and what they are asked for, when it is not as before the commit."""
    waited = _waited(after)
    if waited == (_waited(before) if before is not None else ()):
        return None
    return [
        TurnRow(seat, player, version, after.opened[seat] or at if until is not None else at, until, asked)
        for seat, player, until, asked in waited
    ]


def _waited(m: Match) -> tuple[tuple[Seat, str, Time | None, str], ...]:
    seats = ((s, m.players[s]) for s in to_act(m) if not m.by_bot[s])
    turns = ((s, player, m.asked[s], decision(m)) for s, player in seats)
    asked = ((s, m.players[s], None, what) for s, what in requests(m))
    return tuple((s, player, until, what) for s, player, until, what in (*turns, *asked) if player is not None)
