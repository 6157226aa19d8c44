"""Tests nonces of later epochs: the seats that the match waits for, and how long (rules 1.6)."""

import pytest

from domain import match as life
from domain.core.clock import Clock, Time
from domain.match import Intent
from domain.match.match_shuffles import CloseNonces
from domain.match.resignations import Resign
from domain.match.seating import Sit
from tests.match.table import Table

LONG_GAME = {"moon_style": "shooter_minus"}
"""Hearts without a limit of hands, so that the number of links is a choice."""

NONCES = ("0" * 16, "1" * 16)


@pytest.fixture(autouse=True)
def one_link(monkeypatch):
    monkeypatch.setattr("domain.match.match_shuffles.LINKS", 1)


def in_epoch_two(seats=("me", "me", "bot", "bot"), clock=None, **chosen):
    table = Table("hearts", seats, {**LONG_GAME, **chosen}, clock or Clock())
    table.plays_on(until=lambda m: m.shuffles.epoch == 2)
    return table


def test_later_epoch_collects_nonces_even_if_the_first_did_not():
    table = in_epoch_two()
    assert table.match.shuffles.stage == "nonces"
    assert table.does(0, Sit("ann", nonce=NONCES[0])) == ["NonceSubmitted"]
    happened = table.does(1, Sit("ann", nonce=NONCES[1]))
    assert happened[:3] == ["NonceSubmitted", "NoncesClosed", "HandStarted"]
    assert (table.match.contributed, life.nonces_of(table.match)) == ((0, 1), (*NONCES, "", ""))


@pytest.mark.parametrize(
    ("clock", "seconds"),
    [
        (Clock(), 60),
        (Clock(per_decision_seconds=10), 60),
        (Clock(per_decision_seconds=3600), 3600),
        (Clock(per_decision_seconds=7 * 24 * 3600), 24 * 3600),
    ],
)
def test_later_epoch_waits_for_one_decision_time_within_bounds(clock, seconds):
    table = in_epoch_two(clock=clock)
    assert table.match.shuffles.stage_until == table.now + 1000 * seconds


def test_later_epoch_waits_as_long_as_nonce_seconds():
    table = Table("hearts", ("me", "me", "bot", "bot"), {**LONG_GAME, "nonce_seconds": 7})
    table.does(0, CloseNonces(), "timeout")
    table.plays_on(until=lambda m: m.shuffles.epoch == 2)
    assert table.match.shuffles.stage_until == table.now + 7_000


def test_missing_nonces_are_empty():
    table = in_epoch_two()
    table.does(0, Sit("ann", nonce=NONCES[0]))
    table.now += 60_000
    assert life.admit(table.match, Intent("time", 0, CloseNonces()), Time(table.now)).cause == "timeout"
    assert table.does(0, CloseNonces(), "timeout")[:2] == ["NoncesClosed", "HandStarted"]
    assert life.nonces_of(table.match) == (NONCES[0], "", "", "")


def test_match_of_bots_waits_for_no_one():
    table = in_epoch_two(("bot",) * 4)
    assert table.kinds()[table.kinds().index("FairnessCommitted", 2) + 1] == "HandStarted"


def test_later_epoch_does_not_wait_for_a_resigned_seat(monkeypatch):
    """In poker, no bot takes over a resigned seat."""
    monkeypatch.setattr("domain.match.match_shuffles.links_needed", lambda *_: 1)
    table = Table("holdem", ("me", "open", "bot"))
    table.does(1, Sit("bob"))
    table.does(0, Resign())
    table.plays_on(until=life.collects_nonces)
    assert table.does(1, Sit("bob", nonce=NONCES[0]))[:2] == ["NonceSubmitted", "NoncesClosed"]


def test_resignation_ends_the_wait_if_the_others_have_sent_nonces(monkeypatch):
    monkeypatch.setattr("domain.match.match_shuffles.links_needed", lambda *_: 1)
    table = Table("holdem", ("me", "open", "bot"))
    table.does(1, Sit("bob"))
    table.plays_on(until=life.collects_nonces)
    table.does(1, Sit("bob", nonce=NONCES[0]))
    assert "NoncesClosed" in table.does(0, Resign())


def test_later_epoch_takes_hashes_first_with_nonce_commit():
    table = in_epoch_two(nonce_commit=False)
    assert table.refuses(0, Sit("ann", nonce_hash="0" * 64)) == "wrong_phase"
    table = Table("hearts", ("me", "me", "bot", "bot"), {**LONG_GAME, "nonce_commit": True})
    for _ in range(2):
        table.does(0, CloseNonces(), "timeout")
    table.plays_on(until=lambda m: m.shuffles.epoch == 2)
    assert table.match.shuffles.stage == "hashes"
    assert table.refuses(0, Sit("ann", nonce=NONCES[0])) == "wrong_phase"


def test_match_without_nonce_time_starts_immediately():
    table = Table("hearts", ("me", "open", "bot", "bot"))
    assert "NoncesAwaited" not in table.does(1, Sit("bob"))
    assert table.match.status == "playing"


def test_nonce_commit_waits_a_minute_by_default():
    table = Table("hearts", ("me", "open", "bot", "bot"), {"nonce_commit": True})
    table.does(0, Sit("ann", nonce_hash="0" * 64))
    table.does(1, Sit("bob"))
    assert (table.match.shuffles.stage, table.match.shuffles.stage_until) == ("hashes", table.now + 60_000)
    table.does(0, CloseNonces(), "timeout")
    assert (table.match.shuffles.stage, table.match.shuffles.stage_until) == ("nonces", table.now + 60_000)
    table.does(0, CloseNonces(), "timeout")
    assert table.match.status == "playing"
