"""Computes when open decisions fall due: the deadline in the log, moved by known outages and vacations.

The log moves a deadline when it is reached, or when its player moves. The displayed deadline moves immediately. An
automatic day off is not predicted: it is taken when the deadline is reached, and another match may use it first.
"""

from domain import match as life
from domain.core.cards import Seat
from domain.core.clock import Time
from domain.match import Match
from domain.match.vacation_days import moved_deadline
from events.store.protocol import Store
from events.store.tables import outage_rows, vacation_rows


def first_deadline(store: Store, m: Match, now: Time) -> Time | None:
    """Return when the first open decision will fall due; None if none will."""
    seats = [seat for seat in life.to_act(m) if not m.by_bot[seat]]
    return min((at for seat in seats if (at := deadline_of_seat(store, m, seat, now)) is not None), default=None)


def deadline_of_seat(store: Store, m: Match, seat: Seat, now: Time) -> Time | None:
    """Return when the decision of a seat will fall due; None if it has no deadline."""
    opened, until, player = m.clocks.opened[seat], m.clocks.asked[seat], m.players[seat]
    if opened is None or until is None:
        return until
    gone = [(Time(a), Time(b)) for a, b in outage_rows.outages_since(store, opened, now)]
    if player is not None and counts_vacations(m) and (had := vacation_rows.allowance(store, player, opened)):
        gone += [(v.start, v.end) for v in had.taken if v.end > opened]
    return moved_deadline(life.running_clock(m), opened, until, m.clocks.credited[seat], gone)


def may_have_moved(store: Store, player_id: str, since: Time, now: Time) -> bool:
    """Return whether the player was away, or the server down, since a decision opened."""
    had = vacation_rows.allowance(store, player_id, since)
    away = any(v.end > since for v in had.taken) if had else False
    return away or bool(outage_rows.outages_since(store, since, now))


def counts_vacations(m: Match) -> bool:
    """Return whether the clock of the match, in its current state, stops for a player on vacation."""
    return m.clock.vacation and not life.game_time_limit(m)
