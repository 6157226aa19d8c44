"""Takes in cards that are drawn, discarded, milled, scouted, found and returned."""

from typing import assert_never

from domain.core.cards import remove
from domain.core.values import put, shown
from domain.games.fivewells.events import (
    CardDrawn,
    CardReturned,
    CardsDiscarded,
    CardsMilled,
    DrawFailed,
    LibrarySearched,
    Scouted,
)
from domain.games.fivewells.evolve.zones import bury, gain, know, lose, put_onto_battlefield
from domain.games.fivewells.handles import BACK, UNSEEN
from domain.games.fivewells.state import NOBODY, Permanent, State

Carried = CardDrawn | DrawFailed | CardsDiscarded | CardsMilled | CardReturned | Scouted | LibrarySearched


def carry(s: State, event: Carried) -> None:
    """Take in how cards go from zone to zone."""
    match event:
        case CardDrawn():
            face = shown(event.card, UNSEEN)
            s.libraries = put(s.libraries, event.seat, s.libraries[event.seat][1:])
            gain(s, event.seat, face.object)
            know(s, (face,))
        case DrawFailed():
            s.failed_draw = put(s.failed_draw, event.seat, x=True)
        case CardsDiscarded():
            discard(s, event)
        case CardsMilled():
            know(s, event.cards)
            s.libraries = put(s.libraries, event.seat, s.libraries[event.seat][len(event.cards) :])
            bury(s, event.seat, tuple(face.object for face in event.cards))
        case CardReturned():
            s.graveyards = put(s.graveyards, event.owner, remove(s.graveyards[event.owner], event.object))
            gain(s, event.owner, event.object)
        case Scouted():
            s.asked = None
            rest = s.libraries[event.seat][event.count :]
            back = (BACK,)
            upper = shown(event.top, back * (event.count - event.to_bottom))
            under = shown(event.bottom, back * event.to_bottom)
            s.libraries = put(s.libraries, event.seat, (*upper, *rest, *reversed(under)))
        case LibrarySearched():
            s.asked = None
            s.to_shuffle = put(s.to_shuffle, event.seat, x=True)
            s.searches = put(s.searches, event.seat, s.searches[event.seat] + 1)
            take_found_cards(s, event)
        case _:
            assert_never(event)


def discard(s: State, event: CardsDiscarded) -> None:
    """Put cards from a hand into the graveyard."""
    s.asked, s.random_discard = None, NOBODY
    know(s, event.cards)
    for face in event.cards:
        lose(s, event.seat, face.object)
    bury(s, event.seat, tuple(face.object for face in event.cards))
    match event:
        case CardsDiscarded(why="random"):
            s.lots += 1


def take_found_cards(s: State, event: LibrarySearched) -> None:
    """Take the cards found out of the library."""
    know(s, event.found)
    for face in event.found:
        s.libraries = put(s.libraries, event.seat, remove(s.libraries[event.seat], face.object))
        match event:
            case LibrarySearched(to="hand"):
                gain(s, event.seat, face.object)
            case _:
                put_onto_battlefield(s, Permanent(face.object, face.card, event.seat, event.seat, tapped=True))
