"""Writes turns as an Atom feed (RFC 4287)."""

from collections.abc import Sequence
from typing import Final
from xml.etree.ElementTree import Element, SubElement, tostring

from api.resources.ical import game_title
from events.store.pending_records import InboxRow
from events.times import write_time

ATOM: Final = "http://www.w3.org/2005/Atom"


def write_feed(mark: str, turns: Sequence[InboxRow], base: str, since: int) -> bytes:
    """Return the feed of the player with this `mark`; `since` is the update time of an empty feed."""
    feed = Element("feed", xmlns=ATOM)
    _text(feed, "id", f"urn:dealt:feed:{mark}")
    _text(feed, "title", "Your turn")
    _text(feed, "updated", write_time(max([since, *(turn.since_ms for turn in turns)])))
    _text(SubElement(feed, "author"), "name", "Dealt")
    SubElement(feed, "link", rel="alternate", href=f"{base}/docs")
    for turn in reversed(turns):
        _entry(feed, turn, base)
    written: bytes = tostring(feed, encoding="utf-8", xml_declaration=True)
    return written


def _entry(feed: Element, turn: InboxRow, base: str) -> None:
    entry = SubElement(feed, "entry")
    _text(entry, "id", f"urn:dealt:turn:{turn.match_id}:{turn.seat}:{turn.since_ms}")
    _text(entry, "title", f"{game_title(turn)}: it is your turn")
    _text(entry, "updated", write_time(turn.since_ms))
    SubElement(entry, "link", rel="alternate", href=f"{base}/v1/matches/{turn.match_id}")
    until = "" if turn.deadline_ms is None else f" Your time ends at {write_time(turn.deadline_ms)}."
    _text(entry, "summary", f"It is your turn in seat {turn.seat}.{until}")


def _text(parent: Element, name: str, text: str) -> None:
    SubElement(parent, name).text = text
