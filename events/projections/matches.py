"""The list of matches, and who sits in them."""

from domain.clock import Time
from domain.match import Match
from events.codec import canonical
from events.store import MatchRow, SeatRow


def rows(before: Match | None, after: Match, at: Time) -> MatchRow | None:
    """Give the match as lists show it, when it is created, starts or ends."""
    if before is not None and before.status == after.status:
        return None
    started = after.status == "playing" or (before is None and after.table is not None)
    return MatchRow(
        game=after.game.name,
        status=after.status,
        visibility=after.created.visibility,
        creator=after.created.creator or "",
        options=canonical(after.created.options).decode(),
        started_ms=at if started else None,
        ended_ms=at if after.over else None,
        result=None if after.result is None else canonical(after.result).decode(),
    )


def seats(before: Match | None, after: Match) -> list[SeatRow] | None:
    """Give the seats, when somebody has sat down or left."""
    if before is not None and before.players == after.players:
        return None
    return [
        SeatRow(s, "player" if player else plan.kind, player, plan.level)
        for s, (player, plan) in enumerate(zip(after.players, after.created.seats, strict=True))
    ]
