"""Defines the state of a game of Crazy Eights, and what each event makes of it."""

from dataclasses import dataclass
from typing import Final, assert_never

from domain.core.cards import SUIT_OF, SUITS, Cards, Seat, Suit, add, backs, next_seat, remove
from domain.core.values import Compiled, Copied, put, shown
from domain.games.crazy_eights.events import (
    CardDrawn,
    CardPlayed,
    EightBuried,
    Event,
    FirstDealerChosen,
    GameEnded,
    GameStarted,
    HandBlocked,
    HandDealt,
    HandScored,
    HandStarted,
    HandWon,
    Ledger,
    Restocked,
    StarterTurned,
    StockRanOut,
    TurnPassed,
)
from domain.games.crazy_eights.options import Options, Points, Rules, compile_rules

NOBODY: Final[Seat] = -1


@dataclass(slots=True)
class State(Copied):
    """This is the state of a table; a buried eight, which all have seen, is known to all where it lies."""

    rules: Compiled[Rules]
    game_no: int
    hand_no: int
    dealer: Seat
    """The dealer of the last hand."""
    next_dealer: Seat
    hands: tuple[Cards, ...]
    scores: Points
    ledger: Ledger
    started: bool = False
    phase: str = "hand_setup"
    deal_no: int = 0
    stock: Cards = ()
    """The stock; its top card is the first."""
    pile: Cards = ()
    """The pile; its top card is the last."""
    suit: Suit | None = None
    """The suit in force."""
    turn: Seat = NOBODY
    drawn: int = 0
    """The number of cards drawn in this turn."""
    turns: int = 0
    """The number of turns completed in this hand."""
    passes: int = 0
    """The number of turns in a row that were passed whole."""
    restocks: int = 0
    """The number of times that the pile became the stock in this hand."""
    restocking: bool = False
    out: Seat | None = None
    """The seat that has played its last card."""
    ended: GameEnded | None = None


def start(options: Options, seats: int, last: State | None) -> State:
    """Give the state before the first event; games, hands and the deal go on from the game before."""
    rules, none = compile_rules(options, seats), (0,) * seats
    first = NOBODY if rules.picked is None else rules.picked
    before = (last.game_no, last.hand_no, last.dealer, last.next_dealer) if last else (0, 0, NOBODY, first)
    return State(rules, *before, ((),) * seats, none, Ledger(none))


def evolve(s: State, event: Event) -> None:
    """Let the state be what it is after the event. What a seat was not shown is backs of cards."""
    match event:
        case CardPlayed():
            s.hands = put(s.hands, event.seat, remove(s.hands[event.seat], event.card))
            s.pile, s.suit = (*s.pile, event.card), in_force(event)
            s.turn, s.drawn, s.passes, s.turns = left_of(s, event.seat), 0, 0, s.turns + 1
        case CardDrawn():
            card = shown(event.card, s.stock[0])
            s.stock, s.drawn, s.restocking = s.stock[1:], s.drawn + 1, False
            s.hands = put(s.hands, event.seat, add(s.hands[event.seat], (card,)))
        case TurnPassed():
            s.turn, s.drawn, s.passes = left_of(s, event.seat), 0, event.in_a_row
            s.turns += 1
        case StockRanOut():
            s.restocking = True
        case Restocked():
            s.stock = shown(event.stock, backs(event.stock_count))
            s.pile, s.restocks = s.pile[-1:], s.restocks + 1
        case HandStarted():
            s.phase, s.dealer, s.next_dealer = "turn", event.dealer, left_of(s, event.dealer)
            s.hand_no, s.deal_no, s.turn = event.hand_no, event.deal_no, s.next_dealer
            s.drawn, s.turns, s.passes, s.restocks, s.out = 0, 0, 0, 0, None
        case HandDealt():
            dealt = zip(event.cards, event.counts, strict=True)
            s.hands = tuple(shown(cards, backs(count)) for cards, count in dealt)
            s.pile, s.stock = (), shown(event.stock, backs(len(s.rules.pack) - sum(event.counts)))
        case EightBuried():
            rest = s.stock[1:]
            s.stock = (*rest[: event.depth], event.card, *rest[event.depth :])
        case StarterTurned():
            s.stock, s.pile, s.suit = s.stock[1:], (event.card,), SUIT_OF[event.card]
        case HandWon():
            s.phase, s.turn, s.out = "won", NOBODY, event.seat
        case HandBlocked():
            s.phase, s.turn = "blocked", NOBODY
        case HandScored():
            s.phase, s.hands, s.scores, s.ledger = "scored", event.hands, event.totals, event.ledger
        case GameStarted():
            s.game_no, s.started = event.game_no, True
        case FirstDealerChosen():
            s.next_dealer = event.seat
        case GameEnded():
            s.phase, s.turn, s.restocking, s.ended = "game_over", NOBODY, False, event
        case _:
            assert_never(event)


def left_of(s: State, seat: Seat) -> Seat:
    """Give the seat to the left."""
    return next_seat(seat, s.rules.seats)


def in_force(played: CardPlayed) -> Suit:
    """Give the suit that is in force under a card: the one declared with it, or its own.

    The event alone says which, as it names a suit or none. That an eight must name one is decided before it happens.
    """
    match played:
        case CardPlayed(declared_suit=str() as name):
            return Suit(SUITS.index(name))
        case _:
            return SUIT_OF[played.card]
