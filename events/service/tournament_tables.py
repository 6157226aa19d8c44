"""This module makes the matches at the tables of tournaments, and says how they ended.

The id of a match follows from its table, so that it is made once, whoever makes it and however often.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

from domain import match as life
from domain.core.fairness import next_root
from domain.deal_group import ExpireGroup
from domain.games.catalogue import GAMES
from domain.match import Intent, Match
from domain.match.course import Coming
from domain.match.creation import PREPARING, DealGroup, SeatPlan, Series, TournamentTable
from domain.match.events import MatchCreated
from domain.match.match_commands import BringStacks, Expire, Sit
from domain.tournament.duplicate_decide import stands_in
from domain.tournament.played_rounds import BOT, Seating
from domain.tournament.tournament_commands import AdjudicateTable, FinishTable, ForfeitTable
from domain.tournament.tournament_events import MatchTerms
from domain.tournament.tournament_state import Tournament
from events.errors import AlreadyThere, GameNotInstalled
from events.ids import derived_id, match_of
from events.log import commits as log
from events.log.cache import Loaded
from events.log.dealers import dealer_of
from events.log.seals import NO_EVENT
from events.service import group_tables
from events.service.commands import carry_out, settle
from events.service.context import Context
from events.service.projections import commit_of
from events.service.table_results import result_of
from events.service.tournament_lines import changed_lines
from events.service.tournament_pods import LEVEL, ended_pod, pod_seats
from events.service.tournaments import HeldTournament
from events.store.records import NewStream
from events.store.tournament_records import TableRow

DUEL: Final = 2


def make(context: Context, t: Tournament, row: TableRow) -> bool:
    """Make the match of a table, its seats kept for the entrants; False if it is there already.

    Raises `GameNotInstalled`.
    """
    if not _is_there(t, row):
        return False
    new = opened(context, t, row, (context.draw(32), context.draw(32)))
    with suppress(AlreadyThere):
        context.store.create(new)
        context.woken()
        return True
    return False


def opened(
    context: Context, t: Tournament, row: TableRow, roots: tuple[bytes, bytes], group: DealGroup | None = None
) -> NewStream:
    """Give the match of a table, to be stored. Raises `GameNotInstalled`."""
    terms, seats = _played_at(t, row)
    game = GAMES.get(terms.game)
    if game is None:
        raise GameNotInstalled
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
        deal_group=group,
    )
    dealer = dealer_of(row.match_id, created, roots, context.draw(32))
    now = context.now()
    m, happened = life.create(game, row.match_id, created, _coming(t, row, seats), dealer, now)
    written = log.write(row.match_id, game.name, len(seats), log.Tail(1, now, NO_EVENT), happened, dealer)
    commit = commit_of(None, m, written, dealer.seal_secret, context.lease_ms)
    return NewStream(row.match_id, dealer.seal_secret, dealer.roots[0].hex(), commit, [])


def _coming(t: Tournament, row: TableRow, seats: Sequence[SeatPlan]) -> list[Coming]:
    """Give the stacks of a table with their players, who sit there from the beginning; nothing where there are none."""
    if not t.stakes:
        return []
    there = [(seat, Sit(plan.player)) for seat, plan in enumerate(seats) if plan.player is not None]
    return [(0, BringStacks(t.stakes[row.place])), *there]


def _is_there(t: Tournament, row: TableRow) -> bool:
    """Say whether there is such a table, or pod, now."""
    return t.round == row.round and row.place < len(t.pods if row.round == PREPARING else t.tables)


def _played_at(t: Tournament, row: TableRow) -> tuple[MatchTerms, tuple[SeatPlan, ...]]:
    """Give what is played at a table, or in a pod, and its seats."""
    if row.round == PREPARING:
        assert t.preparation is not None
        return t.preparation.terms, pod_seats(t, row.place)
    return t.terms, tuple(_plan(t, one, len(t.tables[row.place])) for one in t.tables[row.place])


def _plan(t: Tournament, entrant: int | None, seats: int) -> SeatPlan:
    """Give the seat of an entrant; a bot has that of who has left, at a table of more than two or in a duplicate."""
    duplicate = t.plan.format == "duplicate"
    if entrant is BOT or (stands_in(t, entrant) if duplicate else seats > DUEL and entrant in t.left):
        return SeatPlan("bot", LEVEL, None)
    return SeatPlan("invite", None, t.players[entrant])


def ending(context: Context, t: Tournament, row: TableRow) -> Any:
    """Give the command by which a tournament is told how the match of a table, or of a pod, has ended."""
    if row.round == PREPARING:
        return ended_pod(context, t, row)
    loaded = context.loaded(row.match_id)
    m = loaded.match
    seats = t.tables[row.place]
    duplicate = t.plan.format == "duplicate"
    if (won := result_of(m, seats, compared=duplicate)) is not None:
        named = *_named(row), row.match_id, _head(loaded)
        return FinishTable(*named, won.places, won.wins, won.games, won.drawn, won.chips, won.scores)
    if duplicate:
        return not_played(t, row, _head(loaded), None if m.status == "abandoned" else _absent(m, seats))
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
    if m.status != "lobby" or (seated and m.created.deal_group is None):
        return False
    return _end_lobby(context, row.match_id, loaded)


def _end_lobby(context: Context, match_id: str, loaded: Loaded) -> bool:
    """End a match that has not begun, and all that get the same deals; False if they have begun meanwhile."""
    if (group := loaded.match.created.deal_group) is not None:
        return expire_all(context, group.id, match_id)
    return carry_out(context, loaded, Intent("time", 0, Expire())) is not None


def not_played(t: Tournament, row: TableRow, head: str, absent: tuple[int, ...] | None) -> Any:
    """Give the command by which a table of a duplicate is told not to have been played; None: all had come to it."""
    if absent is not None:
        return ForfeitTable(*_named(row), row.match_id, head, absent)
    there = tuple(one for one in _entrants(t.tables[row.place]) if not stands_in(t, one))
    return AdjudicateTable(*_named(row), row.match_id, head, there)


def expire_all(context: Context, group_id: str, match_id: str) -> bool:
    """End all tables of a round that get the same deals, since not all have come to them; False if they have begun."""
    group_tables.decide(context, group_id, ExpireGroup(), "timeout")
    return settle(context, match_id) > 0


def make_round(context: Context, t: Tournament, row: TableRow) -> bool:
    """Make the matches of all open tables of a duplicate, which get the same deals; False if they are there already.

    Where some were begun once more, it waits for all. Raises `GameNotInstalled`.
    """
    waiting = [table for table, result in enumerate(t.results) if result is None] if t.round == row.round else []
    attempts = {t.attempts[table] for table in waiting}
    if len(attempts) != 1 or row.attempt not in attempts:
        return False
    if len(waiting) == 1:  # the others were ruled
        return make(context, t, row)
    group_id = derived_id(b"tournament_deals", f"{row.tournament_id}|{row.round}|{row.attempt}")
    root = context.draw(32)
    made = [
        opened(context, t, _row(row, table), (root, next_root(root)), DealGroup(group_id, i, len(waiting)))
        for i, table in enumerate(waiting)
    ]
    with suppress(AlreadyThere):
        group_tables.create(context, group_id, "", made, context.now())
        context.woken()
        return True
    return False


def _row(row: TableRow, table: int) -> TableRow:
    """Give the row of another table of the same round."""
    match_id = match_of(row.tournament_id, row.round, table, row.attempt)
    return row._replace(place=table, match_id=match_id)


def give_up(context: Context, before: HeldTournament, after: HeldTournament) -> None:
    """End the matches that have not begun at tables which their tournament no longer waits for.

    Where that fails, or a process ends before it, they expire as any lobby does.
    """
    gone, _ = changed_lines(before.head, before.state, after.state)
    for match_id in sorted(line["match_id"] for line in gone["tournament_tables"]):
        loaded = context.load(match_id)
        if loaded is not None and loaded.match.status == "lobby":
            _end_lobby(context, match_id, loaded)


def adjudication(context: Context, t: Tournament, row: TableRow) -> Any | None:
    """Give the command by which a table that is late at its deadline is ended; None while it waits for no entrant.

    A pod has no deadline but the clocks of its match.
    """
    if row.round == PREPARING:
        return None
    loaded = context.loaded(row.match_id)
    m, seats = loaded.match, t.tables[row.place]
    late = tuple(one for seat in life.to_act(m) if not m.by_bot[seat] and (one := seats[seat]) is not BOT)
    return AdjudicateTable(*_named(row), row.match_id, _head(loaded), late) if late else None
