"""Ends the matches at tables of tournaments, and reports their ends to the tournament."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

from domain import match as life
from domain.core.cards import Seat
from domain.core.game import Refused
from domain.deal_group import ExpireGroup
from domain.match import Intent, Match
from domain.match.clocks import NO_SHOW_EVENTS, is_no_show
from domain.match.creation import PREPARING
from domain.match.match_results import Expire
from domain.match.resignations import Resign
from domain.match.seating import Leave, SeatTaken, Sit
from domain.tournament.formats.duplicate import bot_plays_for
from domain.tournament.formats.format_catalogue import format_of
from domain.tournament.round_tables import AdjudicateTable, FinishTable, ForfeitTable
from domain.tournament.rounds import BOT, Seating, put_absent_last
from domain.tournament.tournament_state import Tournament
from events.ids import match_of
from events.log import commits as log
from events.log.cache import Loaded
from events.log.codec import shapes_of
from events.service import group_tables
from events.service.access import Caller
from events.service.commands import DueIntent, carry_out_all, carry_out_intent, settle_due
from events.service.context import Context
from events.service.entry_backing import backing_of_seat
from events.service.tournament_lines import changed_lines, result_of
from events.service.tournament_pods import ended_pod_command
from events.service.tournaments import HeldTournament
from events.store.tables import stream_rows
from events.store.tournament_records import TableRow

DUEL: Final = 2
"""The seats of a table of two."""


def ending_command(context: Context, t: Tournament, row: TableRow) -> Any:
    """Return the command that reports the end of a table's or pod's match to its tournament."""
    if row.round == PREPARING:
        return ended_pod_command(context, t, row)
    loaded = context.loaded(row.match_id)
    m = loaded.state
    seats = t.tables[row.place]
    same_deals = format_of(t).has_same_deals
    if (won := result_of(m, seats, compared=same_deals)) is not None:
        named = *_place_of(row), row.match_id, _head(loaded)
        won = put_absent_last(won, _no_shows(context, t, loaded))
        absent = _seated_by_time(context, loaded, seats)
        return FinishTable(*named, won.places, won.wins, won.games, won.drawn, won.chips, won.scores, absent)
    if same_deals:
        return unplayed_command(t, row, _head(loaded), None if m.status == "abandoned" else _absent(m, seats))
    return ForfeitTable(*_place_of(row), row.match_id, _head(loaded), _absent(m, seats) or _entrants(seats))


def _place_of(row: TableRow) -> tuple[int, int, int]:
    return row.round, row.place, row.attempt


def _head(loaded: Loaded) -> str:
    return loaded.head.head.hex()


def _entrants(seats: Seating) -> tuple[int, ...]:
    return tuple(one for one in seats if one is not BOT)


def _absent(m: Match, seats: Seating) -> tuple[int, ...]:
    """Return the entrants who have not taken their seats."""
    empty = _empty(m)
    return tuple(one for seat, one in enumerate(seats) if one is not BOT and seat in empty)


def _seated_by_time(context: Context, loaded: Loaded, seats: Seating) -> tuple[int, ...]:
    """Return the entrants who did not take their seats in time, so that their clocks started without them."""
    late = _by_time(context, loaded)
    return tuple(one for seat, one in enumerate(seats) if one is not BOT and seat in late)


def _by_time(context: Context, loaded: Loaded) -> frozenset[Seat]:
    """Return the seats that the server gave to their players when the time was over."""
    taken = stream_rows.rows_naming(context.store, loaded.head.match_no, SeatTaken.__name__)
    causes = log.latest_causes(taken, SeatTaken.__name__)
    return frozenset(seat for seat, cause in causes.items() if cause == "timeout")


def _no_shows(context: Context, t: Tournament, loaded: Loaded) -> frozenset[Seat]:
    """Return the seats of players who never showed up (tournament 6.3)."""
    by_bot = {seat for seat, bot in enumerate(loaded.state.by_bot) if bot}
    if not by_bot or not (late := _by_time(context, loaded) & by_bot):
        return frozenset()
    rows = stream_rows.rows(context.store, loaded.head.match_no, upto=loaded.head.version)
    told = [(kind, data["seat"]) for _, kind, data in log.public_events(rows, shapes_of(NO_SHOW_EVENTS))]
    return frozenset(seat for seat in late if is_no_show(told, seat))


def expire_match(context: Context, t: Tournament, row: TableRow) -> bool:
    """Start or end a match whose seats were not all taken in time; return False if it changed since.

    If at least one player showed up, it starts and the clocks of the others run; otherwise it ends. Also returns False
    if another process was faster. A player may leave while the server seats the others: the match then ends, as if no
    player had shown up.
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
    """Return whether a match starts without all players: one showed up, and clocks decide about the others.

    Without clocks it would never end. At a table of two, it does not wait for a player who left the tournament. Players
    whom the server seated have not shown up.
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
    """Take the first empty seat for its player; return False if another process was faster."""
    m, seat = loaded.state, _empty(loaded.state)[0]
    player = m.created.seats[seat].player
    assert player is not None
    try:
        entry = backing_of_seat(context, Caller(player), m, seat, None)
    except Refused:
        entry = None
    return carry_out_intent(context, loaded, Intent("time", seat, Sit(player, entry=entry)))


def _empties(context: Context, match_id: str, seat: Seat) -> bool:
    """Take back a seat that the server gave to a player, since no other is there; False if another was faster."""
    return carry_out_intent(context, context.loaded(match_id), Intent("time", seat, Leave()))


def _end_lobby(context: Context, match_id: str, loaded: Loaded) -> bool:
    """End a match that has not started, and all others with its deals; return False if they have started."""
    if (group := loaded.state.created.deal_group) is not None:
        return expire_round(context, group.id, match_id)
    return carry_out_intent(context, loaded, Intent("time", 0, Expire()))


def unplayed_command(t: Tournament, row: TableRow, head: str, absent: tuple[int, ...] | None) -> Any:
    """Return the command that reports a table of a duplicate as not played; None if all players showed up."""
    if absent is not None:
        return ForfeitTable(*_place_of(row), row.match_id, head, absent)
    there = tuple(one for one in _entrants(t.tables[row.place]) if not bot_plays_for(t, one))
    return AdjudicateTable(*_place_of(row), row.match_id, head, there)


def expire_round(context: Context, group_id: str, match_id: str) -> bool:
    """End all tables of a round with the same deals because of no-shows; return False if they have started."""
    group_tables.command_group(context, group_id, ExpireGroup(), "timeout")
    return settle_due(context, match_id) > 0


def end_unbegun_matches(context: Context, before: HeldTournament, after: HeldTournament) -> None:
    """End the unstarted matches at tables that their tournament no longer waits for.

    If this fails, or the process ends first, they expire like any lobby. Players who left a table with stacks resign
    its match.
    """
    gone, _ = changed_lines(before.head, before.state, after.state)
    for match_id in sorted(line["match_id"] for line in gone["tournament_tables"]):
        loaded = context.load(match_id)
        if loaded is not None and loaded.state.status == "lobby":
            _end_lobby(context, match_id, loaded)
    resign_withdrawn(context, after.head.match_id, after.state)


def resign_withdrawn(context: Context, tournament_id: str, t: Tournament) -> None:
    """Resign the matches with stacks of players who withdrew, so that they are out immediately.

    If this fails, or the process ends first, their clocks run, and their stacks determine their places (tournament
    12.7). Disqualified players resign nothing: they are behind all others anyway.
    """
    gone = {one for one in t.left if t.players[one] not in t.barred}
    for table, result in enumerate(t.results if t.stakes and t.open else ()):
        seats = [seat for seat, one in enumerate(t.tables[table]) if one in gone]
        if result is None and seats:
            _give_up_seats(context, match_of(tournament_id, t.round, table, t.attempts[table]), seats)


def _give_up_seats(context: Context, match_id: str, gone: Sequence[Seat]) -> None:
    """Resign a match in these seats, if it is running."""

    def resigns(loaded: Loaded) -> DueIntent | None:
        m = loaded.state
        rest = [seat for seat in gone if seat not in m.resigned and not m.over]
        return DueIntent(Intent("seat", rest[0], Resign(whole_match=True))) if rest else None

    with suppress(Refused):
        carry_out_all(context, match_id, resigns)


def adjudicate_command(context: Context, t: Tournament, row: TableRow) -> Any | None:
    """Return the command that ends a table at its deadline; None if it waits for no entrant.

    The only deadlines of a pod are the clocks of its match.
    """
    if row.round == PREPARING:
        return None
    loaded = context.loaded(row.match_id)
    m, seats = loaded.state, t.tables[row.place]
    late = tuple(one for seat in life.to_act(m) if not m.by_bot[seat] and (one := seats[seat]) is not BOT)
    if late:  # A player who never showed up loses too.
        late += tuple(one for seat in sorted(_no_shows(context, t, loaded)) if (one := seats[seat]) is not BOT)
    absent = _seated_by_time(context, loaded, seats)
    return AdjudicateTable(*_place_of(row), row.match_id, _head(loaded), late, absent) if late else None
