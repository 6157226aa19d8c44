"""Tells the moments of a duel that a replay may jump to, from what is public of its events."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.games.fivewells.events import AttackersDeclared, CombatDamageDealt, LifeChanged, PermanentsLeft, TurnStarted
from domain.games.fivewells.printed import PRINTED

BIG_SWING: Final = 5
"""The life lost at once that makes a moment: a quarter of what a player begins with."""


def turn(told: Mapping[str, Any]) -> str:
    """Tell that a turn begins."""
    return f"turn {told['turn']}, of seat {told['seat']}"


def combat(told: Mapping[str, Any]) -> str:
    """Tell an attack; to attack with nobody is none."""
    count = len(told["attackers"])
    return f"seat {told['seat']} attacks with {count} {'creature' if count == 1 else 'creatures'}" if count else ""


def death(told: Mapping[str, Any]) -> str:
    """Tell which creatures die: what goes to a hand, and what is no creature, does not."""
    gone = [one for one in told["were"] if told["to"] == "graveyard" and PRINTED[one["card"]].creature]
    names = [PRINTED[one["card"]].name for one in gone]
    if len(names) > 2:
        return f"{len(names)} creatures die"
    return f"{' and '.join(names)} {'dies' if len(names) == 1 else 'die'}" if names else ""


def swing(told: Mapping[str, Any]) -> str:
    """Tell that a seat loses or gains much life at once."""
    return swung(told["seat"], told["delta"], told["life"])


def hurt(told: Mapping[str, Any]) -> str:
    """Tell that the seat that is attacked loses much life at once."""
    hits = [row for row in told["rows"] if row["to"] in ("0", "1")]
    if not hits:
        return ""
    seat = int(hits[0]["to"])
    return swung(seat, -sum(row["amount"] for row in hits), told["life"][seat])


def swung(seat: int, delta: int, life: int) -> str:
    """Say how much life a seat loses or gains at once, if it is much."""
    if abs(delta) < BIG_SWING:
        return ""
    return f"seat {seat} {'gains' if delta > 0 else 'loses'} {abs(delta)} life and has {life}"


MOMENTS: Final[Mapping[str, Mapping[type, Callable[[Mapping[str, Any]], str]]]] = {
    "turn": {TurnStarted: turn},
    "combat": {AttackersDeclared: combat},
    "death": {PermanentsLeft: death},
    "swing": {LifeChanged: swing, CombatDamageDealt: hurt},
}
