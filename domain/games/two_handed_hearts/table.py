"""Defines the state of a game of Two-Handed Hearts, and what each event makes of it."""

from dataclasses import dataclass
from typing import Final, assert_never

from domain.core.cards import BACK, Card, Cards, Seat, add_cards, backs, next_seat, remove_cards
from domain.core.tricks import Trick
from domain.core.values import Compiled, Copied, or_back, put_at
from domain.games.two_handed_hearts.events import (
    CardCut,
    CardPlayed,
    ClaimingStarted,
    ClaimPassed,
    ClaimRejected,
    DrawingCompleted,
    DrawnCardKept,
    DrawnCardRejected,
    Event,
    FirstDealerChosen,
    GameEnded,
    GameStarted,
    HandDealt,
    HandReplenished,
    HandScored,
    HandStarted,
    RevokeFound,
    StockDrawn,
    TrickTaken,
)
from domain.games.two_handed_hearts.options import Options, Pair, Rules, compile_rules

NOBODY: Final[Seat] = -1


STOCK = 26  # cards left by the deal


@dataclass(slots=True)
class State(Copied):
    """This is the state of a table; whether a card broke the duty to follow is found from the hands."""

    rules: Compiled[Rules]
    game_no: int
    hand_no: int
    next_dealer: Seat
    """The next dealer, through the whole match; `NOBODY` before the cut."""
    started: bool = False
    phase: str = "hand_setup"
    dealer: Seat = NOBODY
    deal_no: int = 0
    hands: tuple[Cards, ...] = ((), ())
    stock: Cards = ()
    drawn: Card | None = None
    """The card that was drawn and is not yet kept or rejected."""
    waste: tuple[Cards, ...] = ((), ())
    """The cards in the waste, by the seat that put them there."""
    draws: tuple[Cards, ...] = ((), ())
    """The cards that each seat has drawn during play, in order."""
    leader: Seat = NOBODY
    turn: Seat = NOBODY
    trick: Cards = ()
    tricks: tuple[Trick, ...] = ()
    before: tuple[Trick, ...] = ()
    """The last trick of the hand before, or of the game before, until somebody decides in this one."""
    false_claims: Pair = (0, 0)
    passed: tuple[bool, ...] = (False, False)
    """Whether each seat has passed its claims after the last trick."""
    revokes: tuple[RevokeFound, ...] = ()
    scores: Pair = (0, 0)
    reached: tuple[int, ...] = ()
    """All totals that seats have had in this game."""
    ended: GameEnded | None = None


def start(options: Options, seats: int, last: State | None) -> State:
    """Return the state before the first event; games, hands and the deal go on from the game before."""
    if last is None:
        return State(compile_rules(options), 0, 0, NOBODY)
    return State(compile_rules(options), last.game_no, last.hand_no, last.next_dealer, before=last.tricks[-1:])


def evolve(s: State, event: Event) -> None:
    """Let the state be what it is after the event. Cards that a seat was not shown are backs."""
    match event:
        case CardPlayed():
            s.hands = put_at(s.hands, event.seat, remove_cards(s.hands[event.seat], event.card))
            s.trick += (event.card,)
            s.turn, s.before = next_seat(event.seat, 2), ()
        case TrickTaken():
            s.tricks += (Trick(s.leader, s.trick, event.winner),)
            s.trick, s.leader, s.turn = (), event.winner, event.winner
        case StockDrawn():
            s.phase, s.drawn, s.stock = "drawing", or_back(event.card, BACK), s.stock[1:]
        case HandReplenished():
            card, s.stock = or_back(event.card, BACK), s.stock[1:]
            s.hands = put_at(s.hands, event.seat, add_cards(s.hands[event.seat], (card,)))
            s.draws = put_at(s.draws, event.seat, (*s.draws[event.seat], card))
        case DrawnCardKept():
            away, joins = or_back(event.discarded, BACK), or_back(s.drawn, BACK)
            s.hands = put_at(s.hands, event.seat, add_cards(remove_cards(s.hands[event.seat], away), (joins,)))
            s.waste = put_at(s.waste, event.seat, (*s.waste[event.seat], away))
            s.drawn, s.turn, s.before = None, next_seat(event.seat, 2), ()
        case DrawnCardRejected():
            s.waste = put_at(s.waste, event.seat, (*s.waste[event.seat], or_back(s.drawn, BACK)))
            s.drawn, s.turn, s.before = None, next_seat(event.seat, 2), ()
        case DrawingCompleted():
            s.phase, s.leader, s.turn = "playing", event.leader, event.leader
        case ClaimingStarted():
            s.phase, s.turn = "claiming", NOBODY
        case ClaimPassed():
            s.passed = put_at(s.passed, event.seat, True)
        case ClaimRejected():
            s.false_claims = put_at(s.false_claims, event.by, s.false_claims[event.by] + 1)
        case RevokeFound():
            s.revokes += (event,)
        case HandStarted():
            s.phase, s.dealer, s.next_dealer = "playing", event.dealer, next_seat(event.dealer, 2)
            s.hand_no, s.deal_no, s.leader, s.turn = event.hand_no, event.deal_no, event.dealer, event.dealer
            s.before = (s.before + s.tricks)[-1:]
            s.waste, s.draws, s.trick, s.tricks = ((), ()), ((), ()), (), ()
            s.false_claims, s.passed, s.revokes = (0, 0), (False, False), ()
        case HandDealt():
            dealt = zip(event.cards, event.counts, strict=True)
            s.hands = tuple(or_back(cards, backs(count)) for cards, count in dealt)
            s.stock = or_back(event.stock, backs(STOCK))
        case HandScored():
            s.phase, s.turn, s.scores = "scored", NOBODY, event.totals
            s.reached += event.totals
        case GameStarted():
            s.game_no, s.started = event.game_no, True
        case FirstDealerChosen():
            s.next_dealer = event.seat
        case GameEnded():
            s.phase, s.turn, s.ended = "game_over", NOBODY, event
        case CardCut():
            pass
        case _:
            assert_never(event)
