"""This module says how the matches at the tables of tournaments ended, and ends those that nobody waits for."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

from domain import match as life
from domain.core.cards import Seat
from domain.core.game import Refused
from domain.deal_group import ExpireGroup
from domain.match import Intent, Match
from domain.match.creation import PREPARING
from domain.match.resignations import Resign
from domain.match.seating import Expire, Leave, SeatTaken, Sit
from domain.tournament.formats.duplicate import bot_plays_for
from domain.tournament.formats.format_catalogue import format_of
from domain.tournament.round_tables import AdjudicateTable, FinishTable, ForfeitTable
from domain.tournament.rounds import BOT, Seating, put_absent_last
from domain.tournament.tournament_state import Tournament
from events.ids import match_of
from events.log import commits as log
from events.log.cache import Loaded
from events.log.codec import shapes_of
from events.log.no_shows import KINDS, is_no_show
from events.service import group_tables
from events.service.access import Caller
from events.service.commands import carry_out_intent, settle_due
from events.service.context import Context
from events.service.entry_backing import backing_of_seat
from events.service.stream_writer import TRIES
from events.service.table_results import result_of
from events.service.tournament_lines import changed_lines
from events.service.tournament_pods import ended_pod_command
from events.service.tournaments import HeldTournament
from events.store.tables import stream_rows
from events.store.tournament_records import TableRow

DUEL: Final = 2
"""The seats of a table of two."""


def ending_command(context: Context, t: Tournament, row: TableRow) -> Any:
    """Give the command by which a tournament is told how the match of a table, or of a pod, has ended."""
    if row.round == PREPARING:
        return ended_pod_command(context, t, row)
    loaded = context.loaded(row.match_id)
    m = loaded.state
    seats = t.tables[row.place]
    same_deals = format_of(t).has_same_deals
    if (won := result_of(m, seats, compared=same_deals)) is not None:
        named = *_named(row), row.match_id, _head(loaded)
        won = put_absent_last(won, _away(context, t, loaded))
        absent = _seated_by_time(context, loaded, seats)
        return FinishTable(*named, won.places, won.wins, won.games, won.drawn, won.chips, won.scores, absent)
    if same_deals:
        return unplayed_command(t, row, _head(loaded), None if m.status == "abandoned" else _absent(m, seats))
    return ForfeitTable(*_named(row), row.match_id, _head(loaded), _absent(m, seats) or _entrants(seats))


def _named(row: TableRow) -> tuple[int, int, int]:
    return row.round, row.place, row.attempt


def _head(loaded: Loaded) -> str:
    return loaded.head.head.hex()


def _entrants(seats: Seating) -> tuple[int, ...]:
    return tuple(one for one in seats if one is not BOT)


def _absent(m: Match, seats: Seating) -> tuple[int, ...]:
    """Give the entrants who have not taken their seats."""
    empty = _empty(m)
    return tuple(one for seat, one in enumerate(seats) if one is not BOT and seat in empty)


def _seated_by_time(context: Context, loaded: Loaded, seats: Seating) -> tuple[int, ...]:
    """Give the entrants who had not taken their seats in time, and whose clocks have run."""
    late = _by_time(context, loaded)
    return tuple(one for seat, one in enumerate(seats) if one is not BOT and seat in late)


def _by_time(context: Context, loaded: Loaded) -> frozenset[Seat]:
    """Give the seats whose players were given them when their time was over."""
    taken = stream_rows.rows_naming(context.store, loaded.head.match_no, SeatTaken.__name__)
    causes = log.latest_causes(taken, SeatTaken.__name__)
    return frozenset(seat for seat, cause in causes.items() if cause == "timeout")


def _away(context: Context, t: Tournament, loaded: Loaded) -> frozenset[Seat]:
    """Give the seats of those who have never come (tournament 6.3)."""
    by_bot = {seat for seat, bot in enumerate(loaded.state.by_bot) if bot}
    if not by_bot or not (late := _by_time(context, loaded) & by_bot):
        return frozenset()
    rows = stream_rows.rows(context.store, loaded.head.match_no, upto=loaded.head.version)
    told = [(kind, data["seat"]) for _, kind, data in log.public_events(rows, shapes_of(KINDS))]
    return frozenset(seat for seat in late if is_no_show(told, seat))


def expire_match(context: Context, t: Tournament, row: TableRow) -> bool:
    """Begin or end a match whose seats were not all taken in time; False if they have been meanwhile.

    Where somebody has come, it begins, and the clocks of the others run; else it ends. False as well if another
    process was faster. Who has come may leave while the others are seated: it ends then, as if nobody had come.
    """
    loaded, begins = context.loaded(row.match_id), False
    while _begins_without(context, t, row, loaded):
        if not _seat_next(context, loaded):
            return False
        loaded, begins = context.loaded(row.match_id), True
    m = loaded.state
    if m.status != "lobby":
        return begins
    if not _empty(m) and m.created.deal_group is None:
        return False
    if not all(_empties(context, row.match_id, seat) for seat in _by_time(context, loaded) if m.players[seat]):
        return False
    return _end_lobby(context, row.match_id, context.loaded(row.match_id))


def _begins_without(context: Context, t: Tournament, row: TableRow, loaded: Loaded) -> bool:
    """Say whether a match begins although not all have come: somebody has, and the clocks of the others end it.

    Without clocks it would not end; and who has left a table of two is not waited for. Who was seated by time has not
    come.
    """
    m = loaded.state
    if row.round == PREPARING or m.created.deal_group is not None or not m.created.clock.ticks:
        return False
    empty = _empty(m)
    seats = t.tables[row.place] if row.round == t.round else ()
    has_left = len(seats) == DUEL and any(seats[seat] in t.left for seat in empty)
    if m.status != "lobby" or not empty or not seats or has_left:
        return False
    there = {seat for seat in m.seats if m.players[seat] is not None}
    return bool(there) and not there <= _by_time(context, loaded)


def _empty(m: Match) -> list[Seat]:
    return [seat for seat in m.seats if m.players[seat] is None and not m.by_bot[seat]]


def _seat_next(context: Context, loaded: Loaded) -> bool:
    """Give the first seat that is empty to whom it is kept for; False if another process was faster."""
    m, seat = loaded.state, _empty(loaded.state)[0]
    player = m.created.seats[seat].player
    assert player is not None
    try:
        entry = backing_of_seat(context, Caller(player), m, seat, None)
    except Refused:
        entry = None
    return carry_out_intent(context, loaded, Intent("time", seat, Sit(player, entry=entry))) is not None


def _empties(context: Context, match_id: str, seat: Seat) -> bool:
    """Take a seat from whom it was given to by time, since nobody else is there; False if another was faster."""
    return carry_out_intent(context, context.loaded(match_id), Intent("time", seat, Leave())) is not None


def _end_lobby(context: Context, match_id: str, loaded: Loaded) -> bool:
    """End a match that has not begun, and all that get the same deals; False if they have begun meanwhile."""
    if (group := loaded.state.created.deal_group) is not None:
        return expire_round(context, group.id, match_id)
    return carry_out_intent(context, loaded, Intent("time", 0, Expire())) is not None


def unplayed_command(t: Tournament, row: TableRow, head: str, absent: tuple[int, ...] | None) -> Any:
    """Give the command by which a table of a duplicate is told not to have been played; None: all had come to it."""
    if absent is not None:
        return ForfeitTable(*_named(row), row.match_id, head, absent)
    there = tuple(one for one in _entrants(t.tables[row.place]) if not bot_plays_for(t, one))
    return AdjudicateTable(*_named(row), row.match_id, head, there)


def expire_round(context: Context, group_id: str, match_id: str) -> bool:
    """End all tables of a round that get the same deals, since not all have come to them; False if they have begun."""
    group_tables.command_group(context, group_id, ExpireGroup(), "timeout")
    return settle_due(context, match_id) > 0


def end_unbegun_matches(context: Context, before: HeldTournament, after: HeldTournament) -> None:
    """End the matches that have not begun at tables which their tournament no longer waits for.

    Where that fails, or a process ends before it, they expire as any lobby does. Who has left a table of stacks
    gives up its match.
    """
    gone, _ = changed_lines(before.head, before.state, after.state)
    for match_id in sorted(line["match_id"] for line in gone["tournament_tables"]):
        loaded = context.load(match_id)
        if loaded is not None and loaded.state.status == "lobby":
            _end_lobby(context, match_id, loaded)
    resign_withdrawn(context, after.head.match_id, after.state)


def resign_withdrawn(context: Context, tournament_id: str, t: Tournament) -> None:
    """Let those who have withdrawn give up the matches to which they have brought stacks, so that they are out at once.

    Where that fails, or a process ends before it, the clock plays on for them, and they are placed as their stacks are
    (tournament 12.7). Who was disqualified has given nothing up, and is behind all others anyway.
    """
    gone = {one for one in t.left if t.players[one] not in t.barred}
    for table, result in enumerate(t.results if t.stakes and t.open else ()):
        seats = [seat for seat, one in enumerate(t.tables[table]) if one in gone]
        if result is None and seats:
            _give_up_seats(context, match_of(tournament_id, t.round, table, t.attempts[table]), seats)


def _give_up_seats(context: Context, match_id: str, gone: Sequence[Seat]) -> None:
    """Give up a match in these seats, if it is on."""
    with suppress(Refused):
        for _ in range(TRIES):
            loaded = context.load(match_id)
            if loaded is None or loaded.state.over:
                return
            rest = [seat for seat in gone if seat not in loaded.state.resigned]
            if not rest:
                return
            carry_out_intent(context, loaded, Intent("seat", rest[0], Resign(whole_match=True)))


def adjudicate_command(context: Context, t: Tournament, row: TableRow) -> Any | None:
    """Give the command by which a table that is late at its deadline is ended; None while it waits for no entrant.

    A pod has no deadline but the clocks of its match.
    """
    if row.round == PREPARING:
        return None
    loaded = context.loaded(row.match_id)
    m, seats = loaded.state, t.tables[row.place]
    late = tuple(one for seat in life.to_act(m) if not m.by_bot[seat] and (one := seats[seat]) is not BOT)
    if late:  # who has never come has lost as well
        late += tuple(one for seat in sorted(_away(context, t, loaded)) if (one := seats[seat]) is not BOT)
    absent = _seated_by_time(context, loaded, seats)
    return AdjudicateTable(*_named(row), row.match_id, _head(loaded), late, absent) if late else None
