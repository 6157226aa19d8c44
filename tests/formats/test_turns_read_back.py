"""Tests that turns written as a feed and as a calendar are read back unchanged by other programs."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from icalendar import Calendar

from api.resources import atom, ical
from events.store.pending_records import InboxRow
from events.times import write_time
from tests.formats.other_programs import run_with

BASE = "https://cards.example"
SINCE = 1_795_255_200_000
TURNS = [
    InboxRow(1, "aaaa", "hearts", 0, 21, SINCE, SINCE + 86_400_000, "play_card"),
    InboxRow(2, "bbbb", "é€😀;,\\<&> " * 8 + "x", 3, 5, SINCE + 1_000, None),
    InboxRow(3, "cccc", "gin_rummy", 1, 7, SINCE + 2_000, SINCE + 5_000, "draw"),
]

FEED = """
import json, sys
from pathlib import Path
import feedparser

found = feedparser.parse(Path(sys.argv[1]).read_bytes())
assert not found.bozo and found.version == "atom10", (found.bozo, found.version)
entries = [
    {name: entry[name] for name in ("id", "title", "updated", "summary", "link")} | {"at": entry.updated_parsed[:6]}
    for entry in found.entries
]
print(json.dumps([found.feed.id, found.feed.title, found.feed.updated, found.feed.author, entries]))
"""


@pytest.mark.long
def test_feedparser_reads_each_turn_newest_first(tmp_path: Path) -> None:
    file = tmp_path / "turns.atom"
    file.write_bytes(atom.write_feed("3f2a", TURNS, BASE, SINCE))
    feed_id, title, updated, author, entries = json.loads(run_with("feedparser", FEED, file))
    assert (feed_id, title, updated, author) == (
        "urn:dealt:feed:3f2a",
        "Your turn",
        write_time(TURNS[-1].since_ms),
        "Dealt",
    )
    assert [entry["id"] for entry in entries] == [
        f"urn:dealt:turn:{turn.match_id}:{turn.seat}:{turn.since_ms}" for turn in reversed(TURNS)
    ]
    assert [entry["link"] for entry in entries] == [f"{BASE}/v1/matches/{turn.match_id}" for turn in reversed(TURNS)]
    assert entries[1]["title"] == f"{TURNS[1].game}: it is your turn"
    assert entries[0]["summary"].endswith(f"Your time ends at {write_time(SINCE + 5_000)}.")
    for entry, turn in zip(entries, reversed(TURNS), strict=True):
        assert tuple(entry["at"]) == datetime.fromtimestamp(turn.since_ms // 1000, UTC).timetuple()[:6]


@pytest.mark.long
def test_feedparser_reads_a_feed_without_turns(tmp_path: Path) -> None:
    file = tmp_path / "none.atom"
    file.write_bytes(atom.write_feed("3f2a", [], BASE, SINCE))
    *_, updated, _, entries = json.loads(run_with("feedparser", FEED, file))
    assert (updated, entries) == (write_time(SINCE), [])


def test_icalendar_reads_each_deadline() -> None:
    written = ical.write_calendar(TURNS, {turn.match_no: SINCE + turn.match_no for turn in TURNS}, BASE)
    calendar = Calendar.from_ical(written)
    events = list(calendar.walk("VEVENT"))
    assert [(str(event["UID"]), event.decoded("DTSTART")) for event in events] == [
        (f"{turn.match_id}-{turn.seat}@dealt", datetime.fromtimestamp(turn.deadline_ms // 1000, UTC))
        for turn in TURNS
        if turn.deadline_ms is not None
    ]
    assert [event.errors for event in (calendar, *events)] == [[], [], []]
    assert (events[0]["SEQUENCE"], str(events[0]["SUMMARY"])) == (21, "Hearts: your turn ends")


def test_icalendar_reads_a_name_with_special_characters_unchanged() -> None:
    (turn,) = (turn._replace(deadline_ms=SINCE) for turn in TURNS[1:2])
    (event,) = Calendar.from_ical(ical.write_calendar([turn], {2: SINCE}, BASE)).walk("VEVENT")
    assert str(event["SUMMARY"]) == f"{turn.game}: your turn ends"
