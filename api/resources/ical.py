"""Writes deadlines as a calendar (RFC 5545)."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from icalendar import Calendar, Event, Timezone, TimezoneStandard, vDuration

from domain.games.catalogue import GAMES
from events.store.pending_records import InboxRow

REFRESH: Final = timedelta(minutes=15)
"""The time after which a program should read the calendar again."""


def game_title(turn: InboxRow) -> str:
    """Return the title of a turn's game."""
    return GAMES[turn.game].words.title if turn.game in GAMES else turn.game


def write_calendar(turns: Sequence[InboxRow], revised: Mapping[int, int], base: str) -> bytes:
    """Write a calendar of the turns that have a deadline, each an event that ends then.

    `revised` has the time when the turns of a match, by its number, last changed.
    """
    calendar = Calendar()
    calendar.add("version", "2.0")
    calendar.add("prodid", "-//Dealt//Deadlines//EN")
    calendar.add("name", "Your turns")
    calendar.add("x-wr-calname", "Your turns")
    calendar.add("refresh-interval", REFRESH, {"VALUE": "DURATION"})
    calendar.add("x-published-ttl", vDuration(REFRESH))
    calendar.add_component(_utc())
    for turn in turns:
        if turn.deadline_ms is not None:
            calendar.add_component(_event(turn, turn.deadline_ms, revised[turn.match_no], base))
    written: bytes = calendar.to_ical(sorted=False)
    return written


def _utc() -> Timezone:
    """Return a time zone, because a calendar needs a component (RFC 5545, 3.6); no time here refers to it."""
    zone, standard = Timezone(), TimezoneStandard()
    zone.add("tzid", "UTC")
    standard.add("dtstart", datetime(1970, 1, 1))  # noqa: DTZ001 -- local time, as the standard has it here
    standard.add("tzoffsetfrom", timedelta())
    standard.add("tzoffsetto", timedelta())
    zone.add_component(standard)
    return zone


def _event(turn: InboxRow, deadline: int, revised: int, base: str) -> Event:
    event = Event()
    event.add("uid", f"{turn.match_id}-{turn.seat}@dealt")
    event.add("dtstamp", _time(revised))
    event.add("last-modified", _time(revised))
    event.add("sequence", turn.version)
    event.add("dtstart", _time(deadline))
    event.add("summary", f"{game_title(turn)}: your turn ends")
    event.add("description", f"It is your turn in seat {turn.seat}.")
    event.add("url", f"{base}/v1/matches/{turn.match_id}")
    event.add("transp", "TRANSPARENT")
    return event


def _time(at: int) -> datetime:
    return datetime.fromtimestamp(at // 1000, UTC)
