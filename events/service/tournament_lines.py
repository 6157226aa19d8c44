"""Makes the projections of a tournament, and compares it with the matches at its tables."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import combinations
from typing import Any

from domain.games.catalogue import GAMES
from domain.match import Match
from domain.match.creation import PREPARING
from domain.tournament.deciding_match import levels_before, result_after_tie
from domain.tournament.formats.format_catalogue import format_of
from domain.tournament.rounds import BOT, Seating, TableResult, put_absent_last
from domain.tournament.tournament_state import ANNOUNCED, PLAYING, Tournament
from events.ids import match_of
from events.service.seat_gains import gains_of, is_entry
from events.store.records import Head, Lines


def result_of(m: Match, seats: Seating, *, compared: bool = False) -> TableResult | None:
    """Return the result of a table from that of its match, with scores if they are compared; None without a result."""
    if m.status != "finished" or m.result is None:
        return None
    games, drawn = len(m.series.winners), m.series.winners.count(None)
    places = tuple(1 + sum(other < place for other in m.result.places) for place in m.result.places)
    won = tuple(min(wins, games - drawn) for wins in m.result.wins)
    scores = m.result.scores if compared else None
    return TableResult(seats, places, won, games, drawn, m.stakes.left or None, scores)


def ends_alike(t: Tournament, m: Match, at: tuple[int, int], result: TableResult, *, compared: bool = False) -> bool:
    """Return whether a table, by its round and number, ended like its match.

    A bot may have the seat of a no-show. A tie-break table ranks only the tied entrants.
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
    """Return whether the entrants of a table have sat at its match; a bot may have replaced one who had left."""
    if len(m.created.seats) != len(seats):
        return False
    sits = zip(seats, m.created.seats, m.players, strict=True)
    return all(
        one is BOT or one in t.left or one in t.missed
        if plan.kind == "bot"
        else one is not BOT and player == t.players[one]
        for one, plan, player in sits
    )


Role = tuple[str, str]
"""A player, and their role in a tournament."""

Waiting = tuple[int, int, int]
"""A table or pod that waits for the end of its match: the round, its number, and the number of replays."""


def tournament_lines(head: Head, t: Tournament) -> Lines:
    """Return the rows of a tournament: itself, its people, and the tables that wait for a match."""
    return _lines(head, t, _roles(t), _open_tables(t))


def changed_lines(head: Head, before: Tournament, after: Tournament) -> tuple[Lines, Lines]:
    """Return the rows to delete and the rows to write after an event of a tournament."""
    same = _players(before) == _players(after)  # Most events change none of these rows.
    here: tuple[set[Role], set[Role]] = (set(), set()) if same else (_roles(before), _roles(after))
    was, now = (here[0], _open_tables(before)), (here[1], _open_tables(after))
    return (
        _lines(head, before, was[0] - now[0], was[1] - now[1]),
        _lines(head, after, now[0] - was[0], now[1] - was[1]),
    )


def _lines(head: Head, t: Tournament, roles: AbstractSet[Role], waiting: AbstractSet[Waiting]) -> Lines:
    return {
        "tournaments": [_tournament_line(head, t)],
        "tournament_players": [
            {"tournament_id": head.match_id, "player_id": player, "role": role} for player, role in sorted(roles)
        ],
        "tournament_tables": [_line(head.match_id, *one) for one in sorted(waiting)],
    }


def _tournament_line(head: Head, t: Tournament) -> Mapping[str, Any]:
    return {
        "tournament_id": head.match_id,
        "name": t.name,
        "organiser": t.organiser,
        "status": t.status,
        "visibility": t.entry.visibility,
        "game": t.terms.game,
        "format": t.plan.format,
        "entrants": len(t.players) - len(t.left),
        "most": t.plan.most,
        "round": t.round,
        "rounds": t.rounds,
        "round_days": t.plan.round_days,
        "show_up_seconds": t.plan.show_up_seconds,
        "closes_ms": t.closes,
        "created_ms": head.created_ms,
        "ends_ms": t.plan.ends if t.status in (ANNOUNCED, PLAYING) and not t.pairing_over else None,
    }


def _players(t: Tournament) -> tuple[Any, ...]:
    return t.players, t.left, t.invited, t.waiting


def _roles(t: Tournament) -> set[Role]:
    return {
        (t.organiser, "organiser"),
        *((player, "helper") for player in t.helpers),
        *((player, "invited") for player in t.invited),
        *((player, "waiting") for player in t.waiting),
        *((player, "left" if one in t.left else "entrant") for one, player in enumerate(t.players)),
    }


def _open_tables(t: Tournament) -> set[Waiting]:
    if t.status != PLAYING:
        return set()
    pods = enumerate(zip(t.pods_over, t.pod_attempts, strict=True))
    if preparing := {(PREPARING, pod, attempt) for pod, (over, attempt) in pods if not over}:
        return preparing
    tables = enumerate(zip(t.results, t.attempts, strict=True) if t.open else ())
    return {(t.round, table, attempt) for table, (result, attempt) in tables if result is None}


def _line(tournament_id: str, round_: int, place: int, attempt: int) -> Mapping[str, Any]:
    """Return the row of a table or pod that waits for the end of its match."""
    match_id = match_of(tournament_id, round_, place, attempt)
    return {
        "tournament_id": tournament_id,
        "round": round_,
        "place": place,
        "attempt": attempt,
        "match_id": match_id,
    }


def matches_of(head: Head, t: Tournament) -> Sequence[str]:
    """Return the ids of the matches whose results count, and of the current ones."""
    counted = [*(match_id for match_id in t.matches.values() if match_id is not None), *t.pod_matches.values()]
    waiting = [match_of(head.match_id, *place) for place in sorted(_open_tables(t))]
    return list(dict.fromkeys([*counted, *waiting]))


def tournament_agrees(head: Head, t: Tournament, matches: Mapping[str, Match]) -> str | None:
    """Return the difference between the log of a match and its tournament; None if there is none."""
    for (round_, table), match_id in t.matches.items():
        if match_id is None:
            continue
        results = t.played[round_ - 1].tables if round_ <= len(t.played) else t.results
        found, result = matches.get(match_id), results[table]
        where = f"The match of table {table} in round {round_}"
        if found is None:
            return f"{where} does not exist."
        of = found.created.tournament
        if of is None or (of.id, of.round, of.table) != (head.match_id, round_, table):
            return f"{where} was not created for this tournament."
        if result is None or not ends_alike(t, found, (round_, table), result, compared=format_of(t).has_same_deals):
            return f"{where} has another result."
        if not are_its_players(t, found, result.seats):
            return f"{where} was played by other players."
    return next((why for pod in t.pod_matches if (why := _pod_differs(head, t, pod, matches))), None)


def _pod_differs(head: Head, t: Tournament, pod: int, matches: Mapping[str, Match]) -> str | None:
    found, where = matches.get(t.pod_matches[pod]), f"The match of pod {pod}"
    if found is None:
        return f"{where} does not exist."
    of, entrants = found.created.tournament, t.pods[pod]
    if of is None or (of.id, of.round, of.table, of.attempt) != (head.match_id, PREPARING, pod, t.pod_attempts[pod]):
        return f"{where} was not created for this tournament."
    players = dict(zip(entrants, found.players, strict=False))
    if any(player not in (None, t.players[one]) for one, player in players.items()):
        return f"{where} was played by other players."
    gained = dict(zip(entrants, gains_of(found), strict=False))
    if any(one not in t.left and not is_entry(GAMES[t.terms.game], gained.get(one)) for one in entrants):
        return f"{where} has another result."
    return None
