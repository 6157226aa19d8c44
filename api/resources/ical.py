"""Writes deadlines as a calendar (RFC 5545)."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

from domain.games.catalogue import GAMES
from events.store.records import InboxRow

WIDEST: Final = 75
"""A line has at most this many bytes; what is longer goes on in the next, behind a space."""


def game(turn: InboxRow) -> str:
    """Name the game of a turn."""
    return GAMES[turn.game].words.title if turn.game in GAMES else turn.game


def document(turns: Sequence[InboxRow], revised: Mapping[int, int], base: str) -> bytes:
    """Write a calendar of the turns that have a deadline, each an event that ends then.

    `revised` tells when the turns of a match, by its number, last became what they are.
    """
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Dealt//Deadlines//EN",
        "NAME:Your turns",
        "X-WR-CALNAME:Your turns",
    ]
    lines += ["REFRESH-INTERVAL;VALUE=DURATION:PT15M", "X-PUBLISHED-TTL:PT15M"]
    lines += _UTC
    for turn in turns:
        lines += _event(turn, revised[turn.match_no], base)
    return "".join(_folded(line) for line in [*lines, "END:VCALENDAR"]).encode()


_UTC: Final = (
    "BEGIN:VTIMEZONE",
    "TZID:UTC",
    "BEGIN:STANDARD",
    "DTSTART:19700101T000000",
    "TZOFFSETFROM:+0000",
    "TZOFFSETTO:+0000",
    "END:STANDARD",
    "END:VTIMEZONE",
)
"""This component is there because a calendar needs one (RFC 5545, 3.6); no time here names it."""


def _event(turn: InboxRow, revised: int, base: str) -> Iterator[str]:
    if turn.deadline_ms is None:
        return
    yield "BEGIN:VEVENT"
    yield f"UID:{turn.match_id}-{turn.seat}@dealt"
    yield f"DTSTAMP:{_time(revised)}"
    yield f"LAST-MODIFIED:{_time(revised)}"
    yield f"SEQUENCE:{turn.version}"
    yield f"DTSTART:{_time(turn.deadline_ms)}"
    yield f"SUMMARY:{_escaped(f'{game(turn)}: your time is over')}"
    yield f"DESCRIPTION:{_escaped(f'The match waits for seat {turn.seat}.')}"
    yield f"URL:{base}/v1/matches/{turn.match_id}"
    yield "TRANSP:TRANSPARENT"
    yield "END:VEVENT"


def _time(at: int) -> str:
    return datetime.fromtimestamp(at // 1000, UTC).strftime("%Y%m%dT%H%M%SZ")


def _escaped(text: str) -> str:
    for mark in "\\;,":
        text = text.replace(mark, f"\\{mark}")
    return text.replace("\n", "\\n")


def _folded(line: str) -> str:
    """End a line, in the middle of which no character of more than one byte is torn apart."""
    parts, width = [""], 0
    for letter in line:
        size = len(letter.encode())
        if width + size > WIDEST:
            parts.append(" ")
            width = 1
        parts[-1] += letter
        width += size
    return "\r\n".join(parts) + "\r\n"
