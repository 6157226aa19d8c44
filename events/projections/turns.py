"""The seats of people that matches wait for: their inboxes."""

from domain.cards import Seat
from domain.clock import Time
from domain.match import Match, decision, to_act
from events.store import TurnRow


def rows(before: Match | None, after: Match, version: int, at: Time) -> list[TurnRow] | None:
    """Give the turns that people are to take, when these are not the ones from before the commit."""
    waited = _waited(after)
    if waited == (_waited(before) if before is not None else ()):
        return None
    return [
        TurnRow(seat, player, version, after.opened[seat] or at if until is not None else at, until, asked)
        for seat, player, until, asked in waited
    ]


def _waited(m: Match) -> tuple[tuple[Seat, str, Time | None, str], ...]:
    seats = ((s, m.players[s]) for s in to_act(m) if not m.by_bot[s])
    return tuple((s, player, m.asked[s], decision(m)) for s, player in seats if player is not None)
