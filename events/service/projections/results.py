"""This projection has the results of players."""

from domain.core.clock import Time
from domain.match import Match
from events.store.records import ResultRow


def rows(before: Match | None, after: Match, at: Time) -> list[ResultRow] | None:
    """Give the result of each seat, when the match has ended with one that counts: not where the deals were known."""
    result = after.result
    if result is None or after.created.deal_known is not None or (before is not None and before.result is not None):
        return None
    sides = after.game.setup.sides(after.options, len(after.seats))
    first = {sides[s] for s in result.winners}
    return [
        ResultRow(
            s, after.players[s], after.game.name, result.places[s], result.scores[s], at,
            "lost" if s not in result.winners else "won" if len(first) == 1 else "shared",
        )
        for s in after.seats
    ]  # fmt: skip
