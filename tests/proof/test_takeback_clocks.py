"""Tests that both verifiers judge clocks after takebacks and moves out of turn, and draw offers after refusals,
alike."""

from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import patch

import pytest

from domain import match as life
from domain.core.clock import Clock, Time
from domain.games.fivewells.moves import SetStops
from domain.games.gin_rummy.events import DrawFromDiscard
from domain.match import take_backs
from domain.match.clocks import Credit, DecisionRequested, TimeOut
from domain.match.draws import DeclineDraw, OfferDraw
from domain.match.resignations import Resign
from domain.match.seating import Sit
from domain.match.status import decision
from domain.match.take_backs import GrantTakeBack, RequestTakeBack
from tests.proof.forger import Forgery, forged, forgeries
from tests.proof.test_lies import believed, held
from tests.proof.test_second_verifier import node, reports
from tests.recorded import TWO, Recorded
from tests.tampered import verified

__all__ = ["node"]

FISCHER = Clock(kind="fischer", bank_seconds=90, increment_seconds=5, minor_seconds=15)
BYO_YOMI = Clock(kind="byo_yomi", bank_seconds=20, period_seconds=30, periods=3)
CANADIAN = Clock(kind="canadian", bank_seconds=10, period_seconds=90, period_moves=3)


def ended(table: Recorded) -> Recorded:
    for seat in table.match.seats:
        if not table.match.over:
            table.does(seat, Resign(whole_match=True))
    table.plays_on()
    return table


def moves(table: Recorded, seat: int, seconds: int = 0) -> None:
    table.now += 1000 * seconds
    table.does(seat, table.match.game.timing.default(table.match.table, seat))


def takes_back(table: Recorded, seat: int) -> None:
    table.does(seat, RequestTakeBack())
    for other in take_backs.asked_to_grant(table.match):
        table.does(other, GrantTakeBack())


def at_hearts(clock: Clock) -> Recorded:
    """Return a match of Hearts in which one seat twice took back a move that had used time."""
    table = Recorded("hearts", ("me", *["open"] * 3), {"take_backs": True, "on_resign": "end"}, clock)
    for seat, player in enumerate(("ben", "cem", "dan"), 1):
        table.does(seat, Sit(player))
    for _ in range(2):
        moves(table, 0, 21)
        table.does(1, Credit(7, "outage"), "timeout")
        takes_back(table, 0)
    moves(table, 0, 10)
    moves(table, 1, 20)
    moves(table, 2)
    return ended(table)


def at_two_tables() -> Recorded:
    """Return two tables of Gin Rummy: a minor decision is taken back after the other table has moved on."""
    chosen = {"take_backs": True, "seats_per_player": 4, "on_resign": "end"}
    table = Recorded("gin_rummy", ("me", *["open"] * 3), chosen, FISCHER)
    for seat in (1, 2, 3):
        table.does(seat, Sit("ann"))
    one, other = life.to_act(table.match)
    moves(table, one)
    moves(table, other, 3)
    takes_back(table, other)
    moves(table, other, 3)
    return ended(table)


def late_after_takeback() -> Recorded:
    """Return a match in which a seat took back a move, and the clock then moved for it twice."""
    table = Recorded("gin_rummy", TWO, {"take_backs": True}, Clock(per_decision_seconds=60, bank_seconds=60))
    table.does(1, Sit("ben"))
    seat = table_turn(table)
    while DrawFromDiscard not in {choice.make for choice in life.legal_answers(table.match, seat)}:
        moves(table, seat)
        seat = table_turn(table)
    table.now += 20_000
    table.does(seat, DrawFromDiscard())
    takes_back(table, seat)
    for _ in range(2):
        table.now = max(until for until in table.match.clocks.asked if until)
        table.does(table_turn(table), TimeOut(), "timeout")
    return ended(table)


def table_turn(table: Recorded) -> int:
    return life.to_act(table.match)[0]


def off_turn(clock: Clock) -> Recorded:
    """Return a duel in which a seat sets its stops again and again while its clock runs."""
    table = Recorded("fivewells", TWO, {}, clock)
    table.does(1, Sit("ben"))
    for _ in range(6):
        seat = table_turn(table)
        for _ in range(3):
            table.does(seat, SetStops(()))
        moves(table, seat, 12)
    return ended(table)


def declined() -> Recorded:
    table = Recorded("two_handed_hearts", TWO, {})
    table.does(1, Sit("ben"))
    for seat in (0, 1):
        table.does(seat, OfferDraw())
        table.does(1 - seat, DeclineDraw())
    return ended(table)


COURSES: dict[str, Callable[[], Recorded]] = {
    "simple": lambda: at_hearts(Clock(per_decision_seconds=15, bank_seconds=90)),
    "fischer": lambda: at_hearts(FISCHER),
    "byo-yomi": lambda: at_hearts(BYO_YOMI),
    "canadian": lambda: at_hearts(CANADIAN),
    "two tables": at_two_tables,
    "late": late_after_takeback,
    "out of turn, canadian": lambda: off_turn(CANADIAN),
    "out of turn, fischer": lambda: off_turn(FISCHER),
    "declined": declined,
}


def test_both_verifiers_accept_honest_clock_values(node: str) -> None:
    made = {name: course().record() for name, course in COURSES.items()}
    theirs = [report["verdict"] for report in reports(node, [held(one) for one in made.values()])]
    found = {name: (verified(one).verdict, other) for (name, one), other in zip(made.items(), theirs, strict=True)}
    assert found == dict.fromkeys(COURSES, ("verified", "verified"))


def test_second_verifier_rejects_false_clock_values_at_a_takeback(node: str) -> None:
    told = [lie for name in ("canadian", "late") for lie in lies(COURSES[name]().record())]
    assert {lie.type for lie in told} == set(TIMED)
    assert believed(node, told) == []


TIMED = ("MoveTakenBack", "DecisionRequested", "BankSpent", "UndoKept", "ClockCredited", "DecisionTimedOut")
HOWS = ("null", "not null", "other +1", "other time", "shorter")


def lies(made: Any) -> Iterator[Forgery]:
    """Yield a lie about each field of the events of clocks that follow a takeback."""
    taken = [event["type"] for event in made["events"]].index("MoveTakenBack")
    changes = [one for one in forgeries(made) if one[0] in HOWS and one[1] in TIMED and int(one[2][1]) >= taken]
    for change in {(kind, *path[2:]): (how, kind, path, write) for how, kind, path, write in changes}.values():
        if lie := forged(made, change):
            yield lie


def keeps_banks(undo: Any, now: Any, deadlines: Any) -> Any:
    """Return the clocks after a takeback that does not restore the bank."""
    was = CLOCKS_BEFORE(undo, now, deadlines)
    was.banks = now.banks
    return was


CLOCKS_BEFORE = take_backs._clocks_before


def names_by_phase(m: Any, seat: int, left: int, now: Any) -> Any:
    """Return the reopened decision with the name of the phase at the takeback."""
    return DecisionRequested(seat, decision(m), Time(now + left), now)


@pytest.mark.parametrize(
    ("course", "name", "wrong"),
    [
        ("canadian", "_clocks_before", keeps_banks),
        ("two tables", "reopen_decision", names_by_phase),
    ],
)
def test_both_verifiers_reject_a_takeback_that_restores_less_time(
    node: str, course: str, name: str, wrong: Any
) -> None:
    with patch.object(take_backs, name, wrong):
        made = COURSES[course]().record()
    (report,) = reports(node, [held(made)])
    assert "verified" not in (verified(made).verdict, report["verdict"])
