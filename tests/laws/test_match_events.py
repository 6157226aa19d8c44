"""An event of a match is named where it is defined, where it is listed, and in one place more at most."""

import re
from collections import Counter
from pathlib import Path
from typing import Final

from domain.match.events import EVENTS
from domain.match.match_parts import PARTS

ROOT: Final = Path(__file__).parents[2]
PRODUCT: Final = ("domain", "events", "api", "workers")
MOST: Final = 3

NAMED_MORE: Final = {
    "CauseSealed": 5,
    "ClockCredited": 4,
    "CommitmentsShared": 4,
    "DealsShared": 7,
    "DecisionRequested": 6,
    "DecisionTimedOut": 6,
    "FairnessCommitted": 14,
    "GameWon": 5,
    "HandContinued": 4,
    "MatchAnnulled": 6,
    "MatchCreated": 16,
    "MatchEnded": 13,
    "MatchStarted": 10,
    "MoveSigned": 8,
    "MoveTakenBack": 5,
    "NonceCommitted": 8,
    "NonceSubmitted": 12,
    "NoncesAwaited": 5,
    "NoncesClosed": 4,
    "SeatHandedToBot": 7,
    "SeatLeft": 8,
    "SeatResigned": 4,
    "SeatTaken": 9,
    "SeatTakenBack": 4,
    "SeedRevealed": 10,
    "StacksArrived": 4,
    "UndoKept": 4,
}
"""These events are named in more modules, in so many; the numbers may only fall."""


def modules_naming() -> Counter[str]:
    """Count the modules of the product in which each event of a match is named."""
    names = {event.__name__ for event in EVENTS}
    paths = [path for room in PRODUCT for path in (ROOT / room).rglob("*.py")]
    return Counter(name for path in paths for name in names & set(re.findall(r"\w+", path.read_text())))


def test_event_of_a_match_is_named_in_few_modules():
    assert {name: count for name, count in modules_naming().items() if count > MOST} == NAMED_MORE


def test_event_of_a_match_belongs_to_one_part():
    assert Counter(event for part in PARTS for event in part.texts) == Counter(EVENTS)
