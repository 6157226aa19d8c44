"""This module makes the matches at the tables of tournaments, and says how they ended.

The id of a match follows from its table, so that it is made once, whoever makes it and however often.
"""

from contextlib import suppress
from typing import Any, Final

from domain import match as life
from domain.games.catalogue import GAMES
from domain.match import Intent, Match
from domain.match.creation import SeatPlan, Series, TournamentTable
from domain.match.events import MatchCreated
from domain.match.match_commands import Expire
from domain.tournament.played_rounds import BOT, Seating
from domain.tournament.tournament_commands import AdjudicateTable, FinishTable, ForfeitTable
from domain.tournament.tournament_state import Tournament
from events.errors import AlreadyThere, GameNotInstalled
from events.log import commits as log
from events.log.cache import Loaded
from events.log.dealers import dealer_of
from events.log.seals import NO_EVENT
from events.service.commands import carry_out
from events.service.context import Context
from events.service.kinds import TOURNAMENT
from events.service.projections import commit_of
from events.service.table_results import result_of
from events.service.tournaments import HeldTournament
from events.store.records import NewStream, TableRow

LEVEL: Final = "steady"
"""The level of bots that fill seats."""

DUEL: Final = 2


def make(context: Context, t: Tournament, row: TableRow) -> bool:
    """Make the match of a table, its seats kept for the entrants; False if it is there already.

    Raises `GameNotInstalled`.
    """
    if t.round != row.round or t.tables[row.place : row.place + 1] == ():
        return False
    terms, game = t.terms, GAMES.get(t.terms.game)
    if game is None:
        raise GameNotInstalled
    seats = tuple(_plan(t, one, len(t.tables[row.place])) for one in t.tables[row.place])
    created = MatchCreated(
        game=terms.game,
        rules=life.rules_of(game),
        options=terms.options,
        preset=terms.preset,
        seats=seats,
        visibility=t.entry.visibility,
        clock=terms.clock,
        series=Series(terms.best_of or game.setup.best_of),
        creator=None,
        tournament=TournamentTable(row.tournament_id, row.round, row.place, row.attempt),
    )
    dealer = dealer_of(row.match_id, created, (context.draw(32), context.draw(32)), context.draw(32))
    now = context.now()
    m, happened = life.create(game, row.match_id, created, [], dealer, now)
    written = log.write(row.match_id, game.name, len(seats), log.Tail(1, now, NO_EVENT), happened, dealer)
    commit = commit_of(None, m, written, dealer.seal_secret, context.lease_ms)
    new = NewStream(row.match_id, dealer.seal_secret, dealer.roots[0].hex(), commit, [])
    with suppress(AlreadyThere):
        context.store.create(new)
        context.woken()
        return True
    return False


def _plan(t: Tournament, entrant: int | None, seats: int) -> SeatPlan:
    """Give the seat of an entrant; a bot has that of an entrant who has left, at a table of more than two."""
    if entrant is BOT or (seats > DUEL and entrant in t.left):
        return SeatPlan("bot", LEVEL, None)
    return SeatPlan("invite", None, t.players[entrant])


def ending(context: Context, t: Tournament, row: TableRow) -> Any:
    """Give the command by which a tournament is told how the match of a table has ended."""
    loaded = context.loaded(row.match_id)
    m = loaded.match
    seats = t.tables[row.place]
    if (won := result_of(m, seats)) is not None:
        return FinishTable(*_named(row), row.match_id, _head(loaded), won.places, won.wins, won.games, won.drawn)
    return ForfeitTable(*_named(row), row.match_id, _head(loaded), _absent(m, seats) or _entrants(seats))


def _named(row: TableRow) -> tuple[int, int, int]:
    return row.round, row.place, row.attempt


def _head(loaded: Loaded) -> str:
    return loaded.head.head.hex()


def _entrants(seats: Seating) -> tuple[int, ...]:
    return tuple(one for one in seats if one is not BOT)


def _absent(m: Match, seats: Seating) -> tuple[int, ...]:
    """Give the entrants who have not taken their seats."""
    return tuple(
        one for seat, one in enumerate(seats) if one is not BOT and m.players[seat] is None and not m.by_bot[seat]
    )


def expire(context: Context, row: TableRow) -> bool:
    """End a match whose seats were not all taken in time; False if they have been meanwhile, or another was faster."""
    loaded = context.loaded(row.match_id)
    m = loaded.match
    seated = all(player is not None or bot for player, bot in zip(m.players, m.by_bot, strict=True))
    if m.status != "lobby" or seated:
        return False
    return carry_out(context, loaded, Intent("time", 0, Expire())) is not None


def give_up(context: Context, before: HeldTournament, after: HeldTournament) -> None:
    """End the matches that have not begun at tables which their tournament no longer waits for.

    Where that fails, or a process ends before it, they expire as any lobby does.
    """
    key = "tournament_tables"
    waited, waits = (
        {line["match_id"] for line in TOURNAMENT.rows(one.head, one.state)[key]} for one in (before, after)
    )
    for match_id in sorted(waited - waits):
        loaded = context.load(match_id)
        if loaded is not None and loaded.match.status == "lobby":
            carry_out(context, loaded, Intent("time", 0, Expire()))


def adjudication(context: Context, t: Tournament, row: TableRow) -> Any | None:
    """Give the command by which a table that is late at its deadline is ended; None while it waits for no entrant."""
    loaded = context.loaded(row.match_id)
    m, seats = loaded.match, t.tables[row.place]
    late = tuple(one for seat in life.to_act(m) if not m.by_bot[seat] and (one := seats[seat]) is not BOT)
    return AdjudicateTable(*_named(row), row.match_id, _head(loaded), late) if late else None
