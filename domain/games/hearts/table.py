"""Defines the state of a game of Hearts, and what each event makes of it."""

from dataclasses import dataclass, field, replace
from typing import Final, assert_never

from domain.core.cards import BACK, Card, Cards, Seat, add_cards, backs, next_seat, remove_cards
from domain.core.tricks import Trick
from domain.core.values import Compiled, Copied, or_back, put_at, value
from domain.games.hearts.events import (
    CardCut,
    CardPlayed,
    CardsPassed,
    CardsReturned,
    Event,
    FirstDealerChosen,
    GameEnded,
    GameStarted,
    HandDealt,
    HandScored,
    HandStarted,
    HeartsOpened,
    PassChosen,
    PassReceived,
    PlayStarted,
    PoolRedealt,
    ReturnChosen,
    ReturnReceived,
    TrickTaken,
    TwoOfClubsShown,
)
from domain.games.hearts.options import Direction, Hands, Options, Points, Rules, compile_rules

NOBODY: Final[Seat] = -1


@value
class Exchange:
    """Says per seat what it passed, what it got, what it gave back, what it got back; `None` before it did."""

    passed: tuple[Cards | None, ...] = (None,) * 4
    received: tuple[Cards | None, ...] = (None,) * 4
    returned: tuple[Card | None, ...] = (None,) * 4
    regained: tuple[Card | None, ...] = (None,) * 4


@dataclass(slots=True)
class State(Copied):
    rules: Compiled[Rules]
    game_no: int
    hand_no: int
    phase: str = "hand_setup"
    dealer: Seat = NOBODY
    deal_no: int = 0
    direction: Direction = "none"
    hands: Hands = ((),) * 4
    exchange: Exchange = field(default_factory=Exchange)
    shown: Seat | None = None
    """The seat that showed the two of clubs."""
    leader: Seat = NOBODY
    turn: Seat = NOBODY
    trick: Cards = ()
    tricks: tuple[Trick, ...] = ()
    before: tuple[Trick, ...] = ()
    """The last trick of the hand before, or of the game before, until the first card of this one is played."""
    hearts_open: bool = False
    scores: Points = (0,) * 4
    reached: tuple[int, ...] = ()
    """All totals that seats have had in this game."""
    ended: GameEnded | None = None


def start(options: Options, seats: int, last: State | None) -> State:
    """Return the state before the first event; games and hands are counted on from the game before."""
    if last is None:
        return State(compile_rules(options), 0, 0)
    return State(compile_rules(options), last.game_no, last.hand_no, before=last.tricks[-1:])


def evolve(s: State, event: Event) -> None:
    """Let the state be what it is after the event. Cards that a seat was not shown are backs."""
    match event:
        case CardPlayed():
            seat = event.seat
            s.hands = put_at(s.hands, seat, remove_cards(s.hands[seat], event.card))
            s.trick += (event.card,)
            s.turn, s.before = next_seat(seat, 4), ()
        case TrickTaken():
            s.tricks += (Trick(s.leader, s.trick, event.winner),)
            s.trick, s.leader, s.turn = (), event.winner, event.winner
        case PassChosen():
            cards = or_back(event.cards, backs(s.rules.passing.count))
            s.hands = put_at(s.hands, event.seat, remove_cards(s.hands[event.seat], *cards))
            s.exchange = replace(s.exchange, passed=put_at(s.exchange.passed, event.seat, cards))
        case PassReceived():
            cards = or_back(event.cards, backs(s.rules.passing.count))
            s.hands = put_at(s.hands, event.seat, add_cards(s.hands[event.seat], cards))
            s.exchange = replace(s.exchange, received=put_at(s.exchange.received, event.seat, cards))
        case ReturnChosen():
            back = or_back(event.card, BACK)
            s.hands = put_at(s.hands, event.seat, remove_cards(s.hands[event.seat], back))
            s.exchange = replace(s.exchange, returned=put_at(s.exchange.returned, event.seat, back))
        case ReturnReceived():
            back = or_back(event.card, BACK)
            s.hands = put_at(s.hands, event.seat, add_cards(s.hands[event.seat], (back,)))
            s.exchange = replace(s.exchange, regained=put_at(s.exchange.regained, event.seat, back))
        case CardsPassed() | PoolRedealt():
            s.phase = "passed"
        case CardsReturned():
            s.phase = "ready"
        case HeartsOpened():
            s.hearts_open = True
        case HandStarted():
            s.phase, s.dealer, s.direction = "passing", event.dealer, event.pass_
            s.hand_no, s.deal_no = event.hand_no, event.deal_no
            s.exchange, s.shown, s.leader, s.turn = Exchange(), None, NOBODY, NOBODY
            s.before = (s.before + s.tricks)[-1:]
            s.trick, s.tricks, s.hearts_open = (), (), False
        case HandDealt():
            dealt = zip(event.cards, event.counts, strict=True)
            s.hands = tuple(or_back(cards, backs(count)) for cards, count in dealt)
        case PlayStarted():
            s.phase, s.leader, s.turn = "playing", event.leader, event.leader
        case TwoOfClubsShown():
            s.shown = event.seat
        case HandScored():
            s.phase, s.turn, s.scores = "scored", NOBODY, event.totals
            s.reached += event.totals
        case GameStarted():
            s.game_no = event.game_no
        case FirstDealerChosen():
            s.dealer = event.seat
        case GameEnded():
            s.phase, s.turn, s.ended = "game_over", NOBODY, event
        case CardCut():
            pass
        case _:
            assert_never(event)
