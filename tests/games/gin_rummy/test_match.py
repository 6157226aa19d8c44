"""Tests Gin Rummy in a match: disclosure, two concurrent hands, clocks, and the JSON of its moves and events."""

from random import Random

import pytest

from domain import match as life
from domain.core.clock import Clock
from domain.games import catalogue
from domain.games.gin_rummy import GAME, events
from domain.games.gin_rummy.events import HandClosed, HandScored, HandStarted, HandVoided, PointsNetted
from domain.match.clocks import TimeOut
from domain.match.match_shuffles import SeedRevealed
from domain.match.resignations import Resign
from domain.match.seating import Sit
from events.log.codec import EVERYBODY, shapes
from tests.match.table import Table, last_state


@pytest.fixture(autouse=True)
def listed(monkeypatch):
    monkeypatch.setitem(catalogue.GAMES, GAME.name, GAME)


def table(*seats, **said):
    return Table(game="gin_rummy", seats=seats, **said)


def ends_hand(m):
    return m.table.closed


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_match_runs_to_its_end_and_folds_to_the_same_state(seats):
    played = table(*["bot"] * seats, chosen={"target_score": 10})
    played.plays_on(Random(seats))
    assert played.match.status == "finished"
    assert last_state(played) == played.match
    assert played.match.result.places.count(1) == (2 if seats == 4 else 1)
    revealed = [e.hand_no for e in played.events if isinstance(e, SeedRevealed)]
    started = [e.hand_no for e in played.events if isinstance(e, HandStarted)]
    assert revealed == started == list(range(1, len(started) + 1))


@pytest.mark.parametrize("seats", [2, 3])
def test_seed_is_revealed_directly_after_its_hand(seats):
    played = table(*["bot"] * seats, chosen={"target_score": 10})
    played.plays_on(Random(5))
    for before, event in zip(played.events, played.events[1:], strict=False):
        if isinstance(before, HandClosed):
            assert isinstance(event, SeedRevealed)


def test_both_hands_are_disclosed_together_once_both_are_over():
    played = table(*["bot"] * 4, chosen={"target_score": 10})
    played.plays_on(Random(5))
    over = 0
    for before, event in zip(played.events, played.events[1:], strict=False):
        over = 0 if isinstance(before, HandStarted) else over + isinstance(before, HandScored | HandVoided)
        if isinstance(before, HandScored | HandVoided):
            assert isinstance(event, HandClosed) == (over == 2)
        assert isinstance(event, SeedRevealed) == isinstance(before, HandClosed)
        assert isinstance(event, PointsNetted) == isinstance(before, SeedRevealed)


def test_both_hands_are_played_concurrently_with_separate_clocks():
    played = table("me", "bot", "bot", "bot", clock=Clock(per_decision_seconds=60))
    played.plays_on(until=lambda m: 0 in life.to_act(m))
    assert len(life.to_act(played.match)) == 2
    assert 0 in life.overdue_seats(played.match, played.now + 60_000)
    passed = played.does(0, TimeOut(), "timeout")
    assert passed[0] == "DecisionTimedOut"
    assert 0 not in life.overdue_seats(played.match, played.now + 60_000)


def test_both_hands_are_shuffled_separately():
    played = table(*["bot"] * 4)
    state = played.match.table
    upcards = [t.pile[0] for t in state.tables]
    assert (state.hands[0], upcards[0]) != (state.hands[2], upcards[1])
    assert all(len(hand) == 10 for hand in state.hands)


def test_resigned_player_loses_the_game():
    played = table("me", "bot")
    assert "GameEnded" in played.does(0, Resign())
    assert played.match.result.winners == (1,)


@pytest.mark.parametrize("seats", [2, 4])
def test_every_event_can_be_written_and_read_back(seats):
    known = shapes("gin_rummy")
    played = table(*["bot"] * seats, chosen={"target_score": 10, "big_gin_bonus": 31})
    played.plays_on(Random(2))
    for event in played.events:
        shape = known[type(event).__name__]
        data, parts = shape.data(event), shape.parts(event, seats)
        assert shape.event(data, seats, parts, EVERYBODY) == event


def test_hands_and_stock_are_not_public():
    played = table("bot", "bot")
    known = shapes("gin_rummy")
    dealt = next(e for e in played.events if type(e).__name__ == "HandDealt")
    assert known["HandDealt"].data(dealt) == {"table": 0, "counts": (10, 10)}
    parts = known["HandDealt"].parts(dealt, 2)
    assert {name: list(part) for name, part in parts.items()} == {"cards": ["0", "1"], "stock": ["table"]}


def test_moves_have_the_arguments_of_the_rulebook():
    assert list(GAME.moves) == [
        "take_upcard", "pass_upcard", "draw_from_stock", "draw_from_discard", "discard", "knock", "big_gin", "lay_off",
    ]  # fmt: skip
    assert events.LayOff.__dataclass_fields__.keys() == {"melds", "layoffs"}


def test_minor_decision_stays_minor_when_the_other_hand_continues():
    """A decision requested as a minor one never uses the bank."""
    clock = Clock(kind="fischer", bank_seconds=60, minor_seconds=15)
    played = table("me", "open", "open", "open", clock=clock, chosen={"seats_per_player": 4})
    for seat in (1, 2, 3):
        played.does(seat, Sit("ann"))
    one, other = life.to_act(played.match)
    played.defaults(one)
    played.now += 2_000
    assert "BankSpent" not in played.defaults(other)
