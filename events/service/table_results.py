"""This module says how the match of a table has ended, as a tournament counts it."""

from itertools import combinations

from domain.match import Match
from domain.tournament.deciding_match import levels_before, result_after_tie
from domain.tournament.rounds import BOT, Seating, TableResult, put_absent_last
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


def ends_alike(t: Tournament, m: Match, at: tuple[int, int], result: TableResult, *, compared: bool = False) -> bool:
    """Say whether a table, by its round and number, has ended as its match.

    Some may have never come whose seats a bot has, and where it was played because of a tie it orders those alone who
    were level.
    """
    found = result_of(m, result.seats, compared=compared)
    if found is None:
        return False
    before = levels_before(t, *at, result.seats)
    bots = [s for s, one in enumerate(result.seats) if one is not BOT and one in t.missed and m.by_bot[s]]
    away = (some for count in range(len(bots) + 1) for some in combinations(bots, count))
    ended = (put_absent_last(found, some) for some in away)
    return any(result_after_tie(before, one) == result for one in ended)


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
