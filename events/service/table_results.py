"""This module says how the match of a table has ended, as a tournament counts it."""

from domain.match import Match
from domain.tournament.played_rounds import BOT, Seating, TableResult
from domain.tournament.tournament_state import Tournament


def result_of(m: Match, seats: Seating, *, compared: bool = False) -> TableResult | None:
    """Give the result of a table by that of its match, with scores where they are compared; None if it has none."""
    if m.status != "finished" or m.result is None:
        return None
    games, drawn = len(m.winners), m.winners.count(None)
    places = tuple(1 + sum(other < place for other in m.result.places) for place in m.result.places)
    won = tuple(min(wins, games - drawn) for wins in m.result.wins)
    scores = m.result.scores if compared else None
    return TableResult(seats, places, won, games, drawn, m.stacks_left or None, scores)


def are_its_players(t: Tournament, m: Match, seats: Seating) -> bool:
    """Say whether the entrants of a table have sat at its match; a bot may have had the seat of one who had left."""
    if len(m.created.seats) != len(seats):
        return False
    sits = zip(seats, m.created.seats, m.players, strict=True)
    return all(
        one is BOT or one in t.left or one in t.missed
        if plan.kind == "bot"
        else one is not BOT and player == t.players[one]
        for one, plan, player in sits
    )
