"""Tests that cards that were taken back are not in the pile when it is reshuffled.

The audit computes the new stock as the match did.
"""

from contextlib import closing, suppress

import pytest

from domain import match as life
from domain.core.clock import Clock
from domain.core.game import Refused
from domain.games.crazy_eights.events import DrawCard, Restocked
from domain.match.creation import Series
from domain.match.take_backs import GrantTakeBack, MoveTakenBack, RequestTakeBack
from events.log import commits as log
from events.operations.audit import audit
from events.service.access import Caller
from events.service.new_match import NewMatch, SeatRequest
from events.store.migrate import migrate
from events.store.opening import open_store
from events.store.tables import stream_rows
from tests.bound import Matches
from tests.match.table import options

ANN, BOB = Caller("ann", "a"), Caller("bob", "b")


@pytest.fixture
def matches(sqlite_path):
    migrate(f"sqlite:///{sqlite_path}")
    drawn = iter(range(1, 10_000))
    with closing(open_store(f"sqlite:///{sqlite_path}")) as store:
        yield Matches(store, draw=lambda n: next(drawn).to_bytes(n, "big"))


def test_card_taken_back_from_the_pile_is_not_reshuffled(matches):
    given = options("crazy_eights", 2, restock=True, target_score=100) | {"take_backs": True}
    new = NewMatch("crazy_eights", given, None, (SeatRequest("me"), SeatRequest("open")), "public", Clock(), Series())
    match_id = matches.create(ANN, new).match_id
    matches.sit(match_id, BOB, 1)
    players, plays, kinds = (ANN, BOB), 0, []
    while Restocked not in kinds:
        (seat,) = life.to_act(matches.see(match_id, ANN).match)
        held = matches.see_from(match_id, players[seat], seat).match
        draw = next((c.make() for c in held.game.legal(held.table, seat) if c.make is DrawCard), None)
        matches.move(
            match_id, players[seat], seat, draw or held.game.timing.default(held.table, seat)
        )  # the stock runs out
        plays += draw is None
        if draw is None and plays % 2:
            takes_back(matches, match_id, players, seat)
        _, rows = stream_rows.load(matches.store, match_id)
        kinds = [type(event) for event in log.read_match_events(rows, "crazy_eights", 2)]
    assert MoveTakenBack in kinds[: kinds.index(Restocked)]
    report = audit(matches.store, match_id)
    assert report.ok, report


def takes_back(matches, match_id, players, seat):
    """Take a move back, unless it has ended the hand."""
    with suppress(Refused):
        matches.move(match_id, players[seat], seat, RequestTakeBack())
        matches.move(match_id, players[1 - seat], 1 - seat, GrantTakeBack())
