"""Places the objects of a duel: in hands, libraries and graveyards, and on the battlefield."""

from typing import Any

from domain.core.cards import Seat, add, remove
from domain.core.values import changed, put
from domain.games.fivewells.events import PermanentsLeft
from domain.games.fivewells.handles import Faces, Handle, Handles
from domain.games.fivewells.records import Hit
from domain.games.fivewells.state import Arrival, Permanent, State

# --- Zones ------------------------------------------------------------------------------------------------


def know(s: State, cards: Faces) -> None:
    """Note which cards are shown."""
    for face in cards:
        s.cards = put(s.cards, face.object, face.card)


def gain(s: State, seat: Seat, card: Handle) -> None:
    """Put a card into a hand."""
    s.hands = put(s.hands, seat, add(s.hands[seat], (card,)))


def lose(s: State, seat: Seat, card: Handle) -> None:
    """Take a card out of a hand."""
    s.hands = put(s.hands, seat, remove(s.hands[seat], card))


def bury(s: State, seat: Seat, cards: Handles) -> None:
    """Put cards into a graveyard; they may be named there before they ever enter."""
    s.graveyards = put(s.graveyards, seat, s.graveyards[seat] + cards)
    s.arrivals = (*s.arrivals, *[Arrival(card, s.cards[card], seat, is_buried=True) for card in cards])


# --- The battlefield --------------------------------------------------------------------------------------


def put_onto_battlefield(s: State, permanent: Permanent) -> None:
    """Put a permanent onto the battlefield."""
    s.ids = (*s.ids, permanent.object)
    s.permanents = (*s.permanents, permanent)
    s.arrivals = (*s.arrivals, Arrival(permanent.object, permanent.card, permanent.controller))


def take_off_battlefield(s: State, event: PermanentsLeft) -> None:
    """Take permanents off the battlefield; cards go to their owners."""
    owners = {}
    for gone in event.were:
        i = s.ids.index(gone.object)
        s.ids = s.ids[:i] + s.ids[i + 1 :]
        s.permanents = s.permanents[:i] + s.permanents[i + 1 :]
        owners[gone.object] = gone.owner
    s.departed += event.were
    for card in event.cards:
        match event:
            case PermanentsLeft(to="hand"):
                gain(s, owners[card], card)
            case _:
                bury(s, owners[card], (card,))


def permanents_of(s: State, objects: Handles) -> tuple[Permanent, ...]:
    """Give the permanents with these handles."""
    return tuple(s.permanents[s.ids.index(handle)] for handle in objects)


def change_permanents(s: State, objects: Handles, **fields: Any) -> None:
    """Change permanents in these fields."""
    for handle in objects:
        i = s.ids.index(handle)
        s.permanents = put(s.permanents, i, changed(s.permanents[i], **fields))


def tap(s: State, objects: Handles) -> None:
    """Tap permanents."""
    change_permanents(s, objects, tapped=True)


def wound(s: State, rows: tuple[Hit, ...]) -> None:
    """Mark damage and venom on creatures."""
    for one in rows:
        match one:
            case Hit(venom=int() as marks):
                p = s.permanents[s.ids.index(one.to)]
                change_permanents(s, (one.to,), damage=p.damage + one.amount, venom=p.venom + marks)


def recover(s: State, creatures: Handles) -> None:
    """End damage, pumps and venom marks."""
    change_permanents(s, creatures, damage=0, venom=0, power=0, toughness=0, keywords=())


def fade(s: State, seat: Seat, creatures: Handles) -> None:
    """End the pumps that lasted until a seat's turn."""
    for p in permanents_of(s, creatures):
        change_permanents(s, (p.object,), lasting=put(p.lasting, seat, ()))


def part(s: State, fighters: Handles) -> None:
    """End the combat of creatures."""
    change_permanents(s, fighters, attacking=False, blocked=False, blocks=Handle(0), place=0, struck=False)
