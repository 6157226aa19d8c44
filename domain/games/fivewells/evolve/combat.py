"""Takes in combat."""

from typing import assert_never

from domain.games.fivewells.events import AttackersDeclared, BlockersDeclared, BlockersOrdered, CombatDamageDealt
from domain.games.fivewells.evolve.turns import enter_next, stop_passing
from domain.games.fivewells.evolve.zones import change_permanents, tap, wound
from domain.games.fivewells.state import EMPTY, NOBODY, State


def fight(s: State, event: AttackersDeclared | BlockersDeclared | BlockersOrdered | CombatDamageDealt) -> None:
    """Take in who attacks and blocks, and the damage that they deal."""
    match event:
        case AttackersDeclared():
            s.declared, s.priority, s.passes = True, event.priority, event.passes
            tap(s, event.tapped)
            change_permanents(s, event.attackers, attacking=True)
            enter_next(s, event.then)
        case BlockersDeclared():
            block(s, event)
        case BlockersOrdered():
            s.unordered = event.unordered
            s.priority, s.passes, s.held = s.active, 0, NOBODY
            for place, blocker in enumerate(event.order):
                change_permanents(s, (blocker,), place=place)
        case CombatDamageDealt():
            s.step, s.passes, s.priority, s.pools = event.step, 0, s.active, (EMPTY, EMPTY)
            s.held = NOBODY
            wound(s, event.rows)
            change_permanents(s, event.struck, struck=True)
            s.life = event.life
            enter_next(s, event.then)
        case _:
            assert_never(event)


def block(s: State, event: BlockersDeclared) -> None:
    """Note who blocks whom."""
    s.step, s.declared, s.unordered = "block", True, event.unordered
    s.priority, s.passes, s.pools = event.priority, event.passes, (EMPTY, EMPTY)
    change_permanents(s, event.blocked, blocked=True)
    for place, one in enumerate(event.blocks):
        change_permanents(s, (one.blocker,), blocks=one.attacker, place=place)
    match event:
        case BlockersDeclared(unordered=(_, *_)):
            stop_passing(s, s.active)
