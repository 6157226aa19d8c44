"""Says where on the table the arguments of moves lie: the marks of spots are the handles of what lies there."""

from collections.abc import Iterable
from typing import Final

from domain.core.cards import Seat
from domain.core.where import SEATS, At, Where, at
from domain.games.fivewells.characteristics import board
from domain.games.fivewells.handles import Handle
from domain.games.fivewells.moves import (
    ActivateAbility,
    ActivateManaAbility,
    CastSpell,
    Choose,
    DeclareAttackers,
    DeclareBlockers,
    KeepHand,
    OrderBlockers,
    PlayLand,
)
from domain.games.fivewells.printed import PRINTED
from domain.games.fivewells.state import Question, State

USED: Final = sorted({rule.id for p in PRINTED.values() for one in p.aiming for rule in one.targets})
"""The letters under which cards have targets."""


def argument_places(s: State, seat: Seat) -> Where:
    """Say where hands, permanents, spells and players are."""
    hand, own, theirs = at("hand", seat), at("battlefield", seat), at("battlefield", 1 - seat)
    things = [thing for thing in board(s).things.values() if thing.controller == seat]
    abilities = zones_of(s, seat, [thing.object for thing in things if thing.printed.activated])
    mana = zones_of(s, seat, [thing.object for thing in things if thing.printed.mana])
    targets = targets_of(s)
    acts = target_places("targets", targets) | ({"pay.id": mana} if mana else {})
    given = {"sacrifice": all_own} if (all_own := zones_of(s, seat, [thing.object for thing in things])) else {}
    return {
        KeepHand: {"bottom": hand},
        PlayLand: {"card": hand},
        CastSpell: {"card": hand} | acts,
        ActivateAbility: {"object": abilities} | acts | given if abilities else {},
        ActivateManaAbility: {"object": mana} if mana else {},
        DeclareAttackers: {"attackers": own},
        DeclareBlockers: {"blocks.blocker": own, "blocks.attacker": theirs},
        OrderBlockers: {"order": theirs},
        Choose: of_question(s, seat, targets),
    }


def target_places(targets: str, there: At) -> dict[str, At]:
    """Say of the targets under each letter where they are."""
    return {f"{targets}.{letter}": there for letter in USED}


def targets_of(s: State) -> At:
    """Point to the zones that hold what may be a target, and to the seats."""
    shown = {(thing.printed.land, thing.controller) for thing in board(s).things.values()}
    zones = [at("lands" if is_land else "battlefield", seat) for is_land, seat in sorted(shown)]
    graveyards = [at("graveyard", seat) for seat, pile in enumerate(s.graveyards) if pile]
    return (*zones, *([at("stack")] if s.stack else ()), *graveyards, SEATS)


def of_question(s: State, seat: Seat, targets: At) -> dict[str, At]:
    """Say where that is among which a seat chooses: cards in hand, permanents, or targets."""
    if s.asked is None or s.asked.seat != seat:
        return {}
    if s.asked.choice == "trigger_targets":
        return target_places("value", targets)
    if s.asked.choice == "scout":
        return dict.fromkeys(("value.bottom", "value.top"), at("looked_at", seat))
    there = answers_of(s, seat, s.asked)
    return {"value": there} if there else {}


def answers_of(s: State, seat: Seat, asked: Question) -> At | None:
    """Point to the cards in hand, or the permanents, that are an answer."""
    if asked.choice in ("discard", "cleanup_discard"):
        return at("hand", seat)
    if asked.choice == "search":
        return at("looked_at", seat) if asked.cards else None
    return zones_of(s, seat, asked.objects) if asked.choice == "sacrifice" else None


def zones_of(s: State, seat: Seat, handles: Iterable[Handle]) -> At | None:
    """Point to the zone in which a seat's permanents lie, or to both; None where there are none."""
    lands = {board(s).things[one].printed.land for one in handles}
    zones = tuple(at("lands" if is_land else "battlefield", seat) for is_land in sorted(lands, reverse=True))
    return zones[0] if len(zones) == 1 else zones or None
