"""Defines the state of a draft, and how it takes in events."""

from dataclasses import dataclass
from typing import assert_never

from domain.core.collectible import Deck
from domain.core.values import Compiled, Copied, put, shown, value
from domain.games.fivewells_draft.events import (
    CardPicked,
    DeckSubmitted,
    Direction,
    Event,
    GameEnded,
    GameStarted,
    HandStarted,
    LastCardTaken,
    PackKept,
    PackOffered,
    RoundEnded,
    SeatGaveUp,
)
from domain.games.fivewells_draft.moves import Pack
from domain.games.fivewells_draft.options import Options

Pool = tuple[str | None, ...]
"""What a seat has picked, card by card; None is a card that the reader does not know."""


@value
class Rules:
    """The rules are what follows from the options: the set of each round, and the number of seats."""

    packs: tuple[str, ...]
    seats: int
    passing: bool = True
    """Whether packs are passed on, and not kept."""


@dataclass(slots=True)
class State(Copied):
    """This is the state of a draft; what the reader does not know of packs, picks and decks is None."""

    rules: Compiled[Rules]
    game_no: int
    hand_no: int
    packs: tuple[Pack | None, ...]
    """The pack that is offered to each seat, as it was offered."""
    taken: tuple[str | None, ...]
    """The card that each seat has taken last."""
    offered: tuple[bool, ...]
    """Whether a seat has got its pack of this round."""
    picked: tuple[bool, ...]
    """Whether a seat has taken a card of the pack on offer."""
    pools: tuple[Pool, ...]
    submitted: tuple[bool, ...]
    decks: tuple[Deck | None, ...]
    left: tuple[bool, ...]
    """Whether the player of a seat has given up."""
    opened: bool = False
    round_no: int = 0
    direction: Direction = "left"
    set: str = ""
    pick_no: int = 0
    count: int = 0
    """The number of cards of each pack on offer."""
    round_over: bool = True
    ended: GameEnded | None = None


def start(options: Options, seats: int, last: State | None) -> State:
    """Give the state before the first event; games and hands are counted on from the game before."""
    game_no, hand_no = (last.game_no, last.hand_no) if last else (0, 0)
    nothing, no = (None,) * seats, (False,) * seats
    pools: tuple[Pool, ...] = ((),) * seats
    return State(
        Rules(options.packs, seats, options.passing), game_no, hand_no, nothing, nothing, no, no, pools, no, nothing, no
    )


def evolve(s: State, event: Event) -> None:
    """Let the state be what it is after the event."""
    match event:
        case PackOffered():
            s.packs, s.offered = put(s.packs, event.seat, event.cards), put(s.offered, event.seat, True)
            s.picked, s.pick_no, s.count = put(s.picked, event.seat, False), event.pick_no, event.count
        case CardPicked():
            s.taken, s.picked = put(s.taken, event.seat, event.card), put(s.picked, event.seat, True)
            s.pools = put(s.pools, event.seat, (*s.pools[event.seat], event.card))
        case LastCardTaken():
            s.packs, s.pick_no, s.count = put(s.packs, event.seat, None), event.pick_no, 0
            s.pools = put(s.pools, event.seat, (*s.pools[event.seat], event.card))
        case PackKept():
            kept = shown(event.cards, (None,) * event.count)
            s.pools = put(s.pools, event.seat, (*s.pools[event.seat], *kept))
            s.packs, s.count = put(s.packs, event.seat, None), 0
        case HandStarted():
            s.hand_no, s.round_no, s.set, s.direction = event.hand_no, event.round_no, event.set, event.direction
            s.offered, s.round_over = (False,) * s.rules.seats, False
        case RoundEnded():
            s.round_over = True
        case DeckSubmitted():
            s.submitted = put(s.submitted, event.seat, True)
            s.decks = put(s.decks, event.seat, event.deck)
        case SeatGaveUp():
            s.left = put(s.left, event.seat, True)
        case GameStarted():
            s.opened, s.game_no = True, event.game_no
        case GameEnded():
            s.ended = event
        case _:
            assert_never(event)
