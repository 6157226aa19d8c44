"""Says what a seat with priority may do beside passing: lands, spells, abilities (fivewells 3.3, 3.4)."""

from collections.abc import Iterator

from domain.core.cards import Seat
from domain.games.fivewells.casting import activating, can_tap, casting, is_main, may_cast_now
from domain.games.fivewells.characteristics import Thing, board
from domain.games.fivewells.handles import Handle, Handles
from domain.games.fivewells.legal import Acting, acting
from domain.games.fivewells.moves import ActivateAbility, CastSpell
from domain.games.fivewells.payment import most, sources
from domain.games.fivewells.printed import PRINTED
from domain.games.fivewells.state import State


def has_action(s: State, seat: Seat) -> bool:
    """Say whether a seat with priority may do more than pass; to tap for mana alone is nothing."""
    if lands_to_play(s, seat) or any(casts(s, seat)) or any(uses(s, seat)):
        return True
    return any(
        ability.cost.sacrifice is not None and can_tap(thing, ability.cost) is None
        for thing in own_things(s, seat)
        for _, ability in thing.printed.mana
    )


def casts(s: State, seat: Seat) -> Iterator[Acting]:
    """Give the cards that a seat may cast, each as an act."""
    purse = most(s, seat)
    castable = [card for card in s.hands[seat] if is_within(s, card, purse) and may_cast_now(s, seat, card)]
    for card in castable:
        if one := acting(s, CastSpell, casting(s, seat, card)):
            yield one


def uses(s: State, seat: Seat) -> Iterator[Acting]:
    """Give the abilities that a seat may activate, each as an act."""
    for_mana = {one.id for one in sources(s, seat)}
    first: dict[tuple[str, int], Acting] = {}
    for thing in own_things(s, seat):
        for number, ability in thing.printed.activated:
            if can_tap(thing, ability.cost) is not None:
                continue
            alike = thing.permanent.card, number
            like = None if thing.object in for_mana else first.get(alike)
            if one := acting(s, ActivateAbility, activating(s, thing, ability), number, like):
                yield one
                if thing.object not in for_mana:
                    first[alike] = one


def is_within(s: State, card: Handle, purse: int) -> bool:
    """Say whether a card costs at most this much mana: what costs more need not be looked at any closer."""
    return PRINTED[s.cards[card]].mana_value <= purse


def own_things(s: State, seat: Seat) -> list[Thing]:
    """Give the permanents of a seat, in the order of their handles."""
    b = board(s)
    if ("own", seat) not in b.known:
        b.known["own", seat] = [b.things[handle] for handle in sorted(b.things) if b.things[handle].controller == seat]
    known: list[Thing] = b.known["own", seat]
    return known


def lands_to_play(s: State, seat: Seat) -> Handles:
    """Give the lands in hand, where one may be played."""
    if s.land_played or not is_main(s, seat):
        return ()
    return tuple(card for card in s.hands[seat] if PRINTED[s.cards[card]].land)
