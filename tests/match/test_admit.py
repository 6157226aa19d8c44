"""Tests which commands a match admits: from seats, bots, standing orders, the clock and duplicate groups."""

import pytest

from domain import match as life
from domain.core.clock import Clock
from domain.core.game import Refused
from domain.match import Intent
from domain.match.clocks import Credit, TimeOut
from domain.match.group import ShareDeals
from domain.match.match_results import Cancel, Expire
from domain.match.match_shuffles import AwaitNonces, CloseNonces
from domain.match.resignations import Resign
from domain.match.seating import Leave, Sit
from tests.match.table import Table

MINUTE = Clock(per_decision_seconds=60)


def admitted(table, source, seat, command, later=0, signature=None):
    """Return the cause of an admitted command, or the code of its refusal."""
    try:
        return life.admit(table.match, Intent(source, seat, command, signature), table.now + later).cause
    except Refused as refused:
        return refused.code


def started(**said):
    """Return a match of Hearts with two people and two bots, at a seat that is to pass cards."""
    table = Table(seats=("me", "open", "bot", "bot"), **said)
    table.does(1, Sit("bob"))
    return table


def default(table, seat):
    return table.match.game.timing.default(table.match.table, seat)


@pytest.mark.parametrize(
    ("source", "command", "answer"),
    [
        ("seat", Sit("bob"), "move"),
        ("seat", Leave(), "not_seated"),
        ("seat", Cancel(), "move"),
        ("time", Cancel(), "wrong_phase"),
        ("seat", Expire(), "wrong_phase"),
        ("time", Expire(), "timeout"),
        ("group", Expire(), "wrong_phase"),
        ("group", Cancel(), "wrong_phase"),
        ("group", ShareDeals(((),)), "wrong_phase"),
        ("time", CloseNonces(), "wrong_phase"),
    ],
)
def test_lobby_admits_commands_depending_on_their_source(source, command, answer):
    assert admitted(Table(), source, 1, command) == answer


def test_seat_moves_only_for_itself():
    table = started()
    assert admitted(table, "seat", 0, default(table, 0)) == "move"
    assert admitted(table, "seat", 0, TimeOut()) == "wrong_phase"
    assert admitted(table, "seat", 0, Credit(60, "outage")) == "wrong_phase"
    assert admitted(table, "seat", 0, Cancel()) == "already_started"


def test_bot_moves_only_for_its_seat():
    table = started()
    assert admitted(table, "bot", 2, default(table, 2)) == "bot"
    assert admitted(table, "bot", 0, default(table, 0)) == "not_your_turn"
    assert admitted(table, "bot", 2, Resign()) != "bot"


def test_orders_make_moves_if_allowed_and_never_resign():
    table = started(chosen={"standing_orders": True})
    assert admitted(table, "order", 0, default(table, 0)) == "order"
    assert admitted(table, "order", 0, Resign()) == "orders_not_allowed"
    assert admitted(started(), "order", 0, default(table, 0)) == "orders_not_allowed"


def test_only_a_seat_with_a_key_needs_signatures():
    table = Table(seats=("me", "open", "bot", "bot"), chosen={"standing_orders": True})
    table.does(1, Sit("bob", player_key="ab" * 32))
    for command in (default(table, 1), Resign()):
        assert admitted(table, "seat", 1, command) == "signature_needed"
        assert admitted(table, "seat", 1, command, signature="ab") == "move"
        assert admitted(table, "seat", 0, command, signature="ab") == "signature_unasked"
    assert admitted(table, "order", 1, default(table, 1)) == "orders_not_signed"
    assert admitted(table, "bot", 2, default(table, 2), signature="ab") == "signature_unasked"
    assert admitted(table, "seat", 1, Sit("bob"), signature="ab") == "signature_unasked"
    assert admitted(table, "seat", 1, Sit("bob", player_key="cd" * 32)) == "key_is_fixed"


def test_abandoned_seat_has_no_key():
    table = Table(seats=("me", "open", "open", "bot"))
    table.does(1, Sit("bob", player_key="ab" * 32))
    assert table.match.keys == (None, "ab" * 32, None, None)
    table.does(1, Leave())
    assert table.match.keys == (None,) * 4
    table.does(1, Sit("eve"))
    assert table.match.keys == (None,) * 4


def test_timeout_is_admitted_only_after_the_deadline():
    table = started(clock=MINUTE)
    assert admitted(table, "time", 0, TimeOut(), later=59_999) == "wrong_phase"
    assert admitted(table, "time", 0, TimeOut(), later=60_000) == "timeout"
    assert admitted(table, "time", 2, TimeOut(), later=60_000) == "wrong_phase"  # a bot's
    assert admitted(table, "time", 0, Expire()) == "wrong_phase"


@pytest.mark.parametrize(("seconds", "answer"), [(1, "timeout"), (0, "wrong_phase")])
def test_time_is_credited_only_to_an_open_decision(seconds, answer):
    table = started(clock=MINUTE)
    assert admitted(table, "time", 0, Credit(seconds, "outage")) == answer
    assert admitted(table, "time", 2, Credit(seconds, "outage")) == "wrong_phase"


def test_nonces_are_awaited_until_their_deadline():
    table = Table(chosen={"nonce_seconds": 60})
    table.does(1, Sit("bob"))
    for command in (CloseNonces(), AwaitNonces(5)):
        assert admitted(table, "time", 0, command, later=59_999) == "wrong_phase"
        assert admitted(table, "time", 0, command, later=60_000) == "timeout"
    assert admitted(table, "time", 0, AwaitNonces(0), later=60_000) == "wrong_phase"


@pytest.mark.parametrize("source", ["seat", "bot", "order", "time", "group"])
def test_finished_match_admits_no_command(source):
    table = Table()
    table.does(0, Cancel())
    assert admitted(table, source, 0, Cancel()) == "match_over"
