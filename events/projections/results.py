"""How players came out of their matches."""

from domain.clock import Time
from domain.match import Match
from events.store import ResultRow


def rows(before: Match | None, after: Match, at: Time) -> list[ResultRow] | None:
    """Give the result of each seat, when the match has ended with one."""
    result = after.result
    if result is None or (before is not None and before.result is not None):
        return None
    return [
        ResultRow(s, after.players[s], after.game.name, result.places[s], result.scores[s], at)
        for s in after.seats
    ]
