"""Tests the key moments of a duel that a replay can jump to: turns, combats, deaths and big swings of life."""

import pytest

from domain.games.fivewells.events import LifeChanged, PermanentsLeft
from domain.games.fivewells.records import Departed, Handle, Hit, of_seat
from domain.games.fivewells.texts import MOMENTS
from domain.games.fivewells.turn_events import AttackersDeclared, CombatDamageDealt, TurnStarted
from events.log.codec import Shape
from tests.games.fivewells.table import IDS

A, B, C = map(Handle, (1, 2, 3))
RECRUIT, LAND = "Dawnwatch Recruit", "Sunfield"


def left(*names, to="graveyard"):
    rows = tuple(Departed(Handle(i), IDS[name], 0, 0, 1) for i, name in enumerate(names, 1))
    handles = tuple(row.object for row in rows)
    return PermanentsLeft(handles, to, "died", rows, handles)


def hits(*amounts, life):
    rows = (*[Hit(A, of_seat(1), amount, None) for amount in amounts], Hit(B, A, 7, 0))
    return CombatDamageDealt("damage", rows, (), life)


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (TurnStarted(1, 4, (), (), (), (), 0, None), {"turn": "turn 4, of seat 1"}),
        (AttackersDeclared(0, (A,), (A,), 0, 0), {"combat": "seat 0 attacked with 1 creature"}),
        (AttackersDeclared(0, (A, B, C), (), 0, 0), {"combat": "seat 0 attacked with 3 creatures"}),
        (AttackersDeclared(0, (), (), 0, 0), {}),
        (left(RECRUIT), {"death": "Dawnwatch Recruit died"}),
        (left(RECRUIT, LAND, RECRUIT), {"death": "Dawnwatch Recruit and Dawnwatch Recruit died"}),
        (left(RECRUIT, RECRUIT, RECRUIT), {"death": "3 creatures died"}),
        (left(LAND), {}),
        (left(RECRUIT, to="hand"), {}),
        (LifeChanged(0, -5, 12), {"swing": "seat 0 lost 5 life: now at 12"}),
        (LifeChanged(1, 6, 26), {"swing": "seat 1 gained 6 life: now at 26"}),
        (LifeChanged(0, -4, 13), {}),
        (hits(3, 2, life=(20, 9)), {"swing": "seat 1 lost 5 life: now at 9"}),
        (hits(3, 1, life=(20, 10)), {}),
    ],
)
def test_key_moment_has_a_short_text(event, told):
    data = Shape(type(event)).data(event)
    said = {name: tell[type(event)](data) for name, tell in MOMENTS.items() if type(event) in tell}
    assert {name: words for name, words in said.items() if words} == told
