"""This projection is the list of matches, with their seats."""

from domain.core.clock import Time
from domain.match import Match, for_its_players
from events.log.codec import canonical
from events.store.records import MatchRow, SeatRow


def rows(before: Match | None, after: Match, at: Time) -> MatchRow | None:
    """Give the match as lists show it, when it is created, starts or ends."""
    if before is not None and before.status == after.status:
        return None
    alone, group, known = for_its_players(after), after.created.deal_group, after.created.deal_known
    started = after.status == "playing" or (before is None and after.table is not None)
    return MatchRow(
        game=after.game.name,
        status=after.status,
        visibility="private" if alone else after.created.visibility,
        creator="" if alone else after.created.creator or "",
        options=canonical(after.created.options).decode(),
        started_ms=at if started else None,
        ended_ms=at if after.over else None,
        result=None if after.result is None else canonical(after.result).decode(),
        preset=after.created.preset,
        deal_group=group.id if group else None,
        deal_known=canonical({"hand_no": known.hand_no, "match": known.match}).decode() if known else None,
    )


def seats(before: Match | None, after: Match) -> list[SeatRow] | None:
    """Give the seats, when somebody has sat down or left; a seat that is kept for a player names the player."""
    if before is not None and before.players == after.players:
        return None
    return [
        SeatRow(s, "player" if player else plan.kind, player or plan.player, plan.level)
        for s, (player, plan) in enumerate(zip(after.players, after.created.seats, strict=True))
    ]
