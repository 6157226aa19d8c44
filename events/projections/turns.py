"""The seats of people that matches wait for: their inboxes."""

from domain.clock import Time
from domain.match import Match, to_act
from events.store import TurnRow


def rows(before: Match | None, after: Match, version: int, at: Time) -> list[TurnRow] | None:
    """Give the turns that people are to take, when these are not the ones from before the commit."""
    turns = _turns(after)
    if turns == (_turns(before) if before is not None else ()):
        return None
    return [TurnRow(seat, player, version, at, deadline) for seat, player, deadline in turns]


def _turns(m: Match) -> tuple[tuple[int, str, Time | None], ...]:
    waited = ((s, m.players[s], m.asked[s]) for s in to_act(m) if not m.by_bot[s])
    return tuple((s, player, until) for s, player, until in waited if player is not None)
