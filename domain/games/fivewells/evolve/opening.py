"""Takes in what happens before the first turn, and what ends the duel."""

from typing import assert_never

from domain.core.cards import add, remove
from domain.core.values import put, shown
from domain.games.fivewells.events import (
    BoosterOpened,
    CardsNumbered,
    DeckBrought,
    DecksBuilt,
    DeckSubmitted,
    FirstPlayerChosen,
    GameEnded,
    GameStarted,
    HandDealt,
    HandKept,
    HandStarted,
    LibraryShuffled,
    MulliganTaken,
)
from domain.games.fivewells.evolve.zones import know
from domain.games.fivewells.handles import BACK, UNSEEN, Handle
from domain.games.fivewells.state import State

Opening = (
    DeckBrought
    | GameStarted
    | BoosterOpened
    | DeckSubmitted
    | DecksBuilt
    | FirstPlayerChosen
    | HandStarted
    | CardsNumbered
    | LibraryShuffled
    | HandDealt
    | MulliganTaken
    | HandKept
    | GameEnded
)


def evolve_opening(s: State, event: Opening) -> None:
    """Take in what happens before the first turn, and what ends the game."""
    match event:
        case GameStarted():
            s.game_no = event.game_no
        case BoosterOpened():
            s.opened = put(s.opened, event.seat, (*s.opened[event.seat], event.cards))
        case DeckSubmitted():
            s.submitted = put(s.submitted, event.seat, x=True)
            s.decks = put(s.decks, event.seat, event.deck)
            s.sizes = put(s.sizes, event.seat, event.main)
            s.beside = put(s.beside, event.seat, event.sideboard)
        case DecksBuilt():
            s.hand_of = ""
        case DeckBrought():
            # The match keeps it until the game begins.
            pass
        case FirstPlayerChosen():
            s.first = s.active = event.seat
        case HandStarted():
            s.hand_no, s.begun = event.hand_no, True
            s.hand_of, s.submitted = event.of, (False, False)
        case CardsNumbered():
            s.numbered += 1
            s.next_token = Handle(event.first + event.count)
            s.cards = (*s.cards[: event.first], *shown(event.cards, ("",) * event.count), "")
            handles = range(event.first, event.first + event.count)
            s.libraries = put(s.libraries, event.seat, tuple(map(Handle, handles)))
            s.to_shuffle = put(s.to_shuffle, event.seat, x=True)
        case LibraryShuffled():
            s.to_shuffle = put(s.to_shuffle, event.seat, x=False)
            s.libraries = put(s.libraries, event.seat, shown(event.library, (BACK,) * event.count))
        case HandDealt():
            deal(s, event)
        case MulliganTaken():
            s.mulligans = put(s.mulligans, event.seat, event.count)
            library = (*s.libraries[event.seat], *s.hands[event.seat])
            s.libraries = put(s.libraries, event.seat, library)
            s.hands = put(s.hands, event.seat, ())
            s.to_shuffle = put(s.to_shuffle, event.seat, x=True)
        case HandKept():
            s.kept = put(s.kept, event.seat, x=True)
            count = len(s.hands[event.seat]) - event.cards_left
            under = shown(event.bottom, (BACK,) * count)
            s.hands = put(s.hands, event.seat, remove(s.hands[event.seat], *under))
            s.libraries = put(s.libraries, event.seat, (*s.libraries[event.seat], *reversed(under)))
        case GameEnded():
            s.ended = event
        case _:
            assert_never(event)


def deal(s: State, event: HandDealt) -> None:
    """Put the cards that are dealt into the hands."""
    for seat, (count, cards) in enumerate(zip(event.counts, event.cards, strict=True)):
        know(s, shown(cards, ()))
        hand = tuple(face.object for face in shown(cards, (UNSEEN,) * count))
        s.hands = put(s.hands, seat, add(s.hands[seat], hand))
        s.libraries = put(s.libraries, seat, s.libraries[seat][count:])
