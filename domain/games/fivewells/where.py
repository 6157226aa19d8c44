"""Says where on the table the arguments of moves lie: the marks of spots are the handles of what lies there."""

from collections.abc import Iterable

from domain.core.cards import Seat
from domain.core.where import At, Where, at
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
from domain.games.fivewells.state import State


def where(s: State, seat: Seat) -> Where:
    """Say where hands and permanents lie; what may lie in several zones, such as targets, has no place."""
    hand, own, theirs = at("hand", seat), at("battlefield", seat), at("battlefield", 1 - seat)
    things = [thing for thing in board(s).things.values() if thing.controller == seat]
    abilities = zones_of(s, seat, [thing.object for thing in things if thing.printed.activated])
    mana = zones_of(s, seat, [thing.object for thing in things if thing.printed.mana])
    return {
        KeepHand: {"bottom": hand},
        PlayLand: {"card": hand},
        CastSpell: {"card": hand},
        ActivateAbility: {"object": abilities} if abilities else {},
        ActivateManaAbility: {"object": mana} if mana else {},
        DeclareAttackers: {"attackers": own},
        DeclareBlockers: {"blocks.blocker": own, "blocks.attacker": theirs},
        OrderBlockers: {"attacker": own, "order": theirs},
        Choose: {"value": asked} if (asked := of_question(s, seat)) else {},
    }


def of_question(s: State, seat: Seat) -> At | None:
    """Point to what is chosen among: cards in hand, or permanents."""
    if s.asked is None or s.asked.seat != seat:
        return None
    if s.asked.choice in ("discard", "cleanup_discard"):
        return at("hand", seat)
    if s.asked.choice == "search":
        return at("looked_at", seat) if s.asked.cards else None
    return zones_of(s, seat, s.asked.objects) if s.asked.choice == "sacrifice" else None


def zones_of(s: State, seat: Seat, handles: Iterable[Handle]) -> At | None:
    """Point to the zone in which a seat's permanents lie, or to both; None where there are none."""
    lands = {board(s).things[one].printed.land for one in handles}
    zones = tuple(at("lands" if is_land else "battlefield", seat) for is_land in sorted(lands, reverse=True))
    return zones[0] if len(zones) == 1 else zones or None
