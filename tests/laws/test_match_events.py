"""Tests that an event of a match is named where it is defined, where it is listed, and in at most one other place."""

import re
from collections import Counter
from pathlib import Path
from typing import Final

from domain.match.match_parts import EVENTS, PARTS

ROOT: Final = Path(__file__).parents[2]
PRODUCT: Final = ("domain", "events", "api", "workers")
MOST: Final = 3

NAMED_MORE: Final = {
    "DealsShared": 4,
    "DecisionTimedOut": 4,
    "FairnessCommitted": 10,
    "MatchAnnulled": 5,
    "MatchCreated": 13,
    "MatchEnded": 9,
    "MatchStarted": 8,
    "NonceCommitted": 6,
    "NonceSubmitted": 8,
    "SeatLeft": 6,
    "SeatTaken": 6,
    "SeedRevealed": 6,
}
"""These events are named in more modules; the numbers may only fall."""


def modules_naming() -> Counter[str]:
    """Count the product modules in which each event of a match is named."""
    names = {event.__name__ for event in EVENTS}
    paths = [path for room in PRODUCT for path in (ROOT / room).rglob("*.py")]
    return Counter(name for path in paths for name in names & set(re.findall(r"\w+", path.read_text())))


def test_event_of_a_match_is_named_in_few_modules():
    assert {name: count for name, count in modules_naming().items() if count > MOST} == NAMED_MORE


def test_event_of_a_match_is_applied_in_one_part():
    assert Counter(event for part in PARTS for event in part.texts) == Counter(EVENTS)
